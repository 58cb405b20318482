/**
 * Uploads that begin before it is decided that people may see them: the edit that puts a result's file into its reply is sent
 * while the file still comes and is paid for, all of it but its end. The end goes when the answer is shown. A request without
 * its end is none, so whatever happens before, the death of this process included, leaves nothing to be seen.
 *
 * At most one for each reply. It is a chance and no promise: wherever it cannot be completed, the file is sent as ever.
 */
import { DiscordAPIError, HTTPError, RateLimitError, type REST } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import type { ByteBudget } from "../services/delivery/byte-budget.ts";
import type { ComingFile, OwnReply, Upload } from "../services/delivery/messenger.ts";
import { createHeldForm, type HeldForm } from "./held-form.ts";
import { abortWith } from "./in-time.ts";

/** What is all there and is not shown by then waits for something that takes longer; others need its place. */
const HELD_MS_MAX = 5_000;

export interface HeadStarts {
	/** Nothing where there is no room for the file now. */
	begin(reply: OwnReply, route: `/${string}`, file: ComingFile, signal: AbortSignal): Upload | undefined;
	/**
	 * Lets the upload for this reply be whole: what waits for Discord's answer, until its signal ends the call. `undefined`
	 * where there is none with this file that can be; it is broken off then.
	 */
	complete(reply: OwnReply, end: End): ((signal: AbortSignal) => Promise<unknown>) | undefined;
}

interface End {
	/** What the message is to have. */
	readonly files: readonly (Omit<ComingFile, "sizeBytes"> & { readonly content: { readonly sizeBytes: number } })[];
	readonly payload: object;
}

interface HeadStart {
	readonly file: ComingFile;
	readonly form: HeldForm;
	readonly answered: Promise<unknown>;
	/** Ends the call. */
	readonly over: AbortController;
	/** Ends the time in which its end has to come. */
	readonly decided: AbortController;
	/** What became of it before its end was sent: the line is gone, or Discord has said what it has to say. */
	early: "lost" | "said" | undefined;
}

interface HeadStartsDeps {
	readonly rest: REST;
	readonly uploads: ByteBudget;
	readonly clock: Clock;
}

export function createHeadStarts({ rest, uploads, clock }: HeadStartsDeps): HeadStarts {
	/** By the token of the reply. */
	const started = new Map<string, HeadStart>();

	function drop(token: string, start: HeadStart): void {
		if (started.get(token) !== start) return;
		started.delete(token);
		start.decided.abort("dropped");
		start.over.abort(new Error("broken off before its end"));
	}

	return {
		begin({ token }, route, file, signal) {
			const giveBack = started.has(token) ? undefined : uploads.takeNow(file.sizeBytes);
			if (!giveBack) return undefined;
			const over = new AbortController();
			const decided = new AbortController();
			const form = createHeldForm(file);
			const { headers, body } = form;
			const letGo = abortWith(signal, over);
			const answered = rest
				.patch(route, { headers, body, passThroughBody: true, auth: false, signal: over.signal })
				.finally(letGo);
			const start: HeadStart = { file, form, answered, over, decided, early: undefined };
			started.set(token, start);
			const after = (early: "lost" | "said"): void => {
				start.early = early;
				form.drop();
				giveBack();
			};
			answered.then(
				() => after("lost"),
				(error: unknown) => after(isWordOfDiscord(error) ? "said" : "lost"),
			);
			let missingBytes = file.sizeBytes;
			return {
				write(bytes) {
					form.write(bytes);
					missingBytes -= bytes.byteLength;
					if (missingBytes > 0) return;
					clock.sleep(HELD_MS_MAX, AbortSignal.any([signal, decided.signal])).then(
						() => drop(token, start),
						() => {},
					);
				},
				drop: () => drop(token, start),
			};
		},
		complete({ token }, { files, payload }) {
			const start = started.get(token);
			if (!start) return undefined;
			const { form, answered, over, decided, early } = start;
			const canBe = isOf(files, start.file) && (early === undefined ? form.end(payload) : early === "said");
			if (!canBe) {
				drop(token, start);
				return undefined;
			}
			started.delete(token);
			decided.abort("completed");
			return (signal) => answered.finally(abortWith(signal, over));
		},
	};
}

function isOf(files: End["files"], { name, contentType, sizeBytes }: ComingFile): boolean {
	const [only] = files;
	if (!only || files.length > 1) return false;
	return only.name === name && only.contentType === contentType && only.content.sizeBytes === sizeBytes;
}

/** What was said of an upload before its end holds for the same upload with its end: it is not asked for twice. */
function isWordOfDiscord(error: unknown): boolean {
	return error instanceof DiscordAPIError || error instanceof HTTPError || error instanceof RateLimitError;
}
