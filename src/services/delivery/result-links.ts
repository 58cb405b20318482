/** Links to full-size results. Anyone with the link may download the file while it is stored. */
import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@atelier/common/clock";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { getOrCreate } from "@atelier/store/get-or-create";
import type { Store } from "@atelier/store/store";
import type { LocatedFile, ResultStore } from "./result-store.ts";

const SECRET_KEY = "secret:resultLinks";
const SECRET_BYTES = 32;

/** The parts of a link's path, as a browser sends them. */
export interface ResultLinkParams {
	readonly taskId: string;
	readonly index: string;
	readonly untilS: string;
	readonly signature: string;
}

export interface ResultLink {
	readonly url: string;
	/** The Unix time at which the link expires, in seconds. */
	readonly untilS: number;
}

export type ResultLinks = ReturnType<typeof createResultLinks>;

interface ResultLinksDeps {
	/** The public origin of this process, such as `https://bot.example.com`. */
	readonly publicUrl: string | undefined;
	readonly secret: string;
	readonly results: Pick<ResultStore, "locateFullSize">;
	readonly clock: Clock;
}

export function createResultLinks({ publicUrl, secret, results, clock }: ResultLinksDeps) {
	const sign = (signedPath: string): string => createHmac("sha256", secret).update(signedPath).digest("base64url");

	async function linkTo(taskId: string, index: number): Promise<ResultLink | undefined> {
		if (publicUrl === undefined) return undefined;
		const file = await results.locateFullSize(taskId, index);
		if (!file) return undefined;
		const untilS = Math.floor(file.keptUntilMs / 1000);
		const signedPath = `${taskId}/${index}/${untilS}`;
		return { url: `${publicUrl}/results/${signedPath}/${sign(signedPath)}`, untilS };
	}

	return {
		/**
		 * Returns the link to each file of a result in full size, in order, the same each time; `undefined` without a public address or if
		 * the file is gone.
		 */
		find: (taskId: string, fileCount: number): Promise<readonly (ResultLink | undefined)[]> =>
			Promise.all(Array.from({ length: fileCount }, (_, index) => linkTo(taskId, index))),
		/** Returns the file of a link; `undefined` if the link is forged or expired, or the file is gone. */
		async follow({ taskId, index, untilS, signature }: ResultLinkParams): Promise<LocatedFile | undefined> {
			const isGenuine = isSameSecret(signature, sign(`${taskId}/${index}/${untilS}`));
			if (!isGenuine || clock.nowMs() >= Number(untilS) * 1000) return undefined;
			return await results.locateFullSize(taskId, Number(index));
		},
	};
}

/** Returns the secret that all processes on the store share, created on first use. */
export async function openLinkSecret(store: Store): Promise<string> {
	return await getOrCreate(store, SECRET_KEY, () => randomBytes(SECRET_BYTES).toString("base64url"));
}
