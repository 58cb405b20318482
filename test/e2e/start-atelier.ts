import { textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { assert, onTestFinished } from "vitest";
import type { Clock } from "@atelier/common/clock";
import { loadConfig } from "../../src/config/load-config.ts";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { createApp } from "../../src/app/create-app.ts";
import { createLogger } from "@atelier/common/logger";
import { openUserClient, type UserClient, type Reply } from "@atelier/playground/user-client";
import type { CatalogModel } from "@atelier/studio/engines/catalog-model";
import { createFakeEngine, fakeImageModel, fakeVideoModel, type FakeEngine } from "@atelier/studio/testing/fake-engine";
import { advanceUntil, type ManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { registerSecrets } from "../run-checks/record-run.ts";
import { finalReply } from "./replies.ts";

interface Setup {
	/** The engine of the built-in studio; `sketch` is the real one. */
	readonly engine?: FakeEngine | "sketch";
	readonly env?: Readonly<Record<string, string>>;
	readonly clock?: Clock;
	/** The limit of each caller and key of the dashboard, and of costly requests. */
	readonly dashboardRequestsPerMinute?: number;
}

/** The balance of a server with 500 credits after an image for 4. */
export const CREDITS_AFTER_IMAGE = 500 - 4;

/**
 * Starts the whole app on a free port, as `npm start` does, and opens a user client of the owner of the server: at the
 * built-in playground, or at the playground of `DISCORD_API_URL`. The server starts with 500 credits. With the fake
 * engine an image costs 4 credits, a video 15 and music 5.
 */
export async function openAtelier({ engine = createFakeEngine(), env = {}, ...options }: Setup = {}) {
	const folder = await createTempFolder();
	const lines: string[] = [];
	const destination = { write: (line: string) => void lines.push(line) };
	const logger = createLogger({ level: "trace", pretty: false, destination });
	registerSecrets(env);
	const config = loadConfig({ PORT: "0", STORE_URL: "memory:", DATA_DIR: folder, ...env });
	const atelier = await createApp(config, logger, {
		...(engine !== "sketch" && { engines: [engine] }),
		...options,
	});
	onTestFinished(() => atelier.stop());
	const userClient = await openUserClient(new URL(env["DISCORD_API_URL"] ?? atelier.origin).origin);
	onTestFinished(() => userClient.close());
	return { atelier, userClient, logs: (): string => lines.join("") };
}

/** Opens user clients of the owner, of Ada with the roles Artists and Patrons, and of Grace with the role Artists. */
export async function openAtelierWithMembers(setup: Parameters<typeof openAtelier>[0] = {}) {
	const { atelier, userClient: owner, logs } = await openAtelier(setup);
	const { members, roles } = await owner.state();
	const idOf = (name: string): string => userIdOf(members, name);
	const openMember = async (name: string): Promise<UserClient> => {
		const client = await openUserClient(atelier.origin, { user: idOf(name) });
		onTestFinished(() => client.close());
		return client;
	};
	const roleId = (name: string): string => idByName(roles, name);
	const ada = await openMember("Ada");
	const grace = await openMember("Grace");
	return { atelier, owner, ada, grace, open: openMember, idOf, roleId, logs, stop: () => atelier.stop() };
}

/** The option of a model that takes one image. */
export const imageInput = {
	type: "array",
	description: "An image to start from.",
	items: { type: "string", format: "uri" },
	maxItems: 1,
} as const;
/** A video model that can start from an image. */
export const animatingModel: CatalogModel = {
	...fakeVideoModel,
	scenes: ["text-to-video", "image-to-video"],
	options: { ...fakeVideoModel.options, image_input: imageInput },
};
export const createAnimatingEngine = () => createFakeEngine({ models: [fakeImageModel, animatingModel] });

/** The environment of bots that keep their data over a restart. */
export async function storeOnDisk(): Promise<Readonly<Record<"DATA_DIR" | "STORE_URL", string>>> {
	const folder = await createTempFolder();
	return { DATA_DIR: folder, STORE_URL: `sqlite:${folder}/atelier.db` };
}

/** The balance of the server, as `/credits show` displays it. */
export async function serverCreditsLeft(userClient: UserClient): Promise<number> {
	const content = textOf(await finalReply(userClient.type("/credits show")));
	const digits = /has \*\*([\d,]+)\*\* credits? left/.exec(content)?.[1];
	return Number(digits?.replaceAll(",", "") ?? Number.NaN);
}

/** Advances the clock until the reply is final or `isExpected`, or until the interaction fails. */
export async function advanceUntilAnswered(
	clock: ManualClock,
	reply: Reply,
	isExpected: (message: APIMessage) => boolean = isFinalReply,
) {
	const isAnswered = (): boolean => reply.states.some((state) => state.kind === "message" && isExpected(state.message));
	await advanceUntil(clock, () => isAnswered() || reply.failure() !== undefined);
	return reply.until(isExpected);
}

export const channelIdOf = async (userClient: UserClient, name: string): Promise<string> =>
	idByName((await userClient.state()).channels, name);

type Users = readonly { readonly user: { readonly id: string; readonly global_name: string | null } }[];

export const userIdOf = (users: Users, name: string): string =>
	idByName(
		users.map(({ user }) => ({ id: user.id, name: user.global_name })),
		name,
	);

function idByName(
	items: readonly { readonly id: string; readonly name?: string | null | undefined }[],
	name: string,
): string {
	return items.find((item) => item.name === name)?.id ?? assert.fail(`${name} does not exist`);
}
