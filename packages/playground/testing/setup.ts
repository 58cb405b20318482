/** A playground on a real socket, with a bot on the gateway and users of the page. */
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
export { createTempFolder as temporaryFolder } from "@atelier/common/testing/temp-folder";
import type { APIMessage } from "discord-api-types/v10";
import { openUserClient, type UserClient } from "../src/user-client/user-client.ts";
import type { PageState } from "../src/page/page-contract.ts";
import { startPlayground } from "../src/start-playground.ts";
import { createManualClock, type ManualClock } from "@atelier/common/testing/manual-clock";

export const MINUTE_MS = 60_000;

interface RestAnswer {
	readonly status: number;
	// Unchecked; tests state their expectation.
	readonly body: unknown;
	readonly headers: Headers;
}

export interface RestOptions {
	readonly token?: string | null;
	readonly headers?: { readonly [name: string]: string };
	readonly files?: readonly { readonly name: string; readonly bytes: Uint8Array; readonly field?: string }[];
}

export type TestPlayground = Awaited<ReturnType<typeof openPlayground>>;

/**
 * Listens on a free port. When the test ends, closes the playground and checks its responses against Discord's schema.
 */
export async function openPlayground(
	options: { clock?: ManualClock; dataDir?: string; port?: number; redirectUris?: readonly string[] } = {},
) {
	const clock = options.clock ?? createManualClock();
	const started = await startPlayground({ ...options, clock, logger: pino({ level: "silent" }) });
	const { origin } = started;

	const disconnects: (() => Promise<void>)[] = [];
	let closing: Promise<void> | undefined;
	async function close(): Promise<void> {
		for (const disconnect of disconnects.toReversed()) await disconnect();
		await started.close();
		if (started.violations.length > 0) throw new Error(JSON.stringify(started.violations, undefined, "\t"));
	}
	const closeOnce = (): Promise<void> => (closing ??= close());
	onTestFinished(closeOnce);

	/** Sends one request to REST v10, as the bot unless `token` is given; `null` sends no token. */
	async function rest(
		method: string,
		path: string,
		body?: unknown,
		{ token, headers, files }: RestOptions = {},
	): Promise<RestAnswer> {
		const authorization = token === null ? {} : { authorization: `Bot ${token ?? started.botToken}` };
		const init: RequestInit = { method, headers: { ...authorization, ...headers } };
		if (files) {
			const form = new FormData();
			for (const [index, { name, bytes, field }] of files.entries()) {
				form.set(field ?? `files[${index}]`, new Blob([Uint8Array.from(bytes)]), name);
			}
			form.set("payload_json", JSON.stringify(body));
			init.body = form;
		} else if (body !== undefined) {
			init.body = typeof body === "string" ? body : JSON.stringify(body);
			init.headers = { ...authorization, "content-type": "application/json", ...headers };
		}
		const response = await fetch(`${origin}/api/v10${path}`, init);
		const text = await response.text();
		return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
	}

	/** Opens a client of the user with this id, by default the first one, which stays open during a pause. */
	async function user(id?: string): Promise<UserClient> {
		const client = await openUserClient(origin, id === undefined ? {} : { user: id });
		disconnects.push(() => client.close());
		return client;
	}

	// The ids of the fixture, which stay the same.
	const state = (await (await fetch(`${origin}/playground/state`)).json()) as PageState;
	const users = state.users.map(({ user: { id, username } }) => ({ id, name: username }));
	/** Finds a channel of the first guild. */
	const channelId = (name: string) => idOf(state.channels, name);

	/** Returns the API path of a channel of the first guild. */
	const channel = async (name = "general") => `/channels/${channelId(name)}`;

	/** Opens a connection to the gateway. */
	const connect = (query = "?v=10&encoding=json") =>
		openWire(`${origin.replace("http", "ws")}/playground/gateway${query}`);

	/** Returns the packet with which the bot identifies. */
	const identify = (change: object = {}) => ({
		op: 2,
		d: { token: started.botToken, properties: {}, intents: 0, ...change },
	});

	/** Connects a bot. */
	async function bot(identity: { intents?: number; shard?: readonly [number, number] } = {}) {
		const gateway = await connect();
		await gateway.until(({ op }) => op === 10);
		gateway.send(identify(identity));
		const { d: ready } = await gateway.until(({ t }) => t === "READY");
		disconnects.push(() => gateway.close());
		/** Resolves to the first payload of an event, with this id if there is one. */
		const event = async (name: string, id?: string) =>
			(await gateway.until(({ t, d }) => t === name && (id === undefined || d["id"] === id))).d;
		return {
			gateway,
			ready,
			event,
			/** The payloads of an event so far. */
			events: (name: string) => gateway.received.filter(({ t }) => t === name).map(({ d }) => d),
			/** Resolves to the interaction of this id once the gateway has delivered it. */
			interaction: async (id: string) => invoked(rest, await event("INTERACTION_CREATE", id)),
		};
	}

	return {
		origin,
		clock,
		started,
		admin: started.admin,
		botToken: started.botToken,
		rest,
		applicationId: started.applicationId,
		user,
		userNamed: (username: string) => started.openUser({ username }),
		guild: state.guild,
		userId: (username: string) => idOf(users, username),
		/** Replaces the permissions of the bot's role in the first guild; `null` restores those of the fixture. */
		setBotPermissions: async (permissions: bigint | null): Promise<void> => {
			const { botRoleId: roleId } = await started.admin.state();
			await started.admin.setRole({ roleId, permissions: permissions === null ? null : String(permissions) });
		},
		/** Denies the bot's role these permissions in a channel of the first guild, and no others. */
		denyBot: async (deniedIn: string, permissions: bigint): Promise<void> => {
			const { botRoleId: id } = await started.admin.state();
			const overwrites = [{ id, type: 0 as const, deny: String(permissions) }];
			await started.admin.setOverwrites({ channelId: deniedIn, overwrites });
		},
		/** Finds a role of the first guild. */
		roleId: (name: string) => idOf(state.roles, name),
		channelId,
		channel,
		connect,
		identify,
		bot,
		/** Posts a message of the bot to #general. */
		send: async (body: object) => (await rest("POST", `${await channel()}/messages`, body)).body as APIMessage,
		/** Registers these commands. */
		register: (...commands: readonly object[]) =>
			rest("PUT", `/applications/${started.applicationId}/commands`, commands),
		/** Stops the playground while its bots and users stay connected. */
		pause: () => started.close(),
		close: closeOnce,
	};
}

function idOf(list: readonly { readonly name: string; readonly id: string }[], name: string): string {
	const found = list.find((each) => each.name === name);
	if (!found) throw new Error(`there is no ${name}`);
	return found.id;
}

interface GatewayPayload {
	readonly op: number;
	readonly t: string | null;
	readonly s: number | null;
	readonly d: { readonly [key: string]: unknown };
}

/** A gateway client; its payloads are awaited in any order. */
export async function openWire(url: string, options: { headers?: { [name: string]: string } } = {}) {
	const socket = new WebSocket(url, options);
	const received: GatewayPayload[] = [];
	const watchers = new Set<() => void>();
	const closed = new Promise<number>((resolve) => socket.on("close", (code) => resolve(code)));
	socket.on("message", (message) => {
		const payload = JSON.parse((message as Buffer).toString()) as GatewayPayload;
		received.push(payload);
		for (const check of watchers) check();
	});
	await new Promise<void>((resolve, reject) => {
		socket.once("open", () => resolve());
		socket.once("error", reject);
	});
	socket.on("error", () => {});
	return {
		received: received as readonly GatewayPayload[],
		closed,
		send: (payload: unknown): void => socket.send(typeof payload === "string" ? payload : JSON.stringify(payload)),
		/** Resolves to the first earlier or later payload that matches. */
		until: (wanted: (payload: GatewayPayload) => boolean): Promise<GatewayPayload> =>
			new Promise((resolve) => {
				const check = (): void => {
					const found = received.find(wanted);
					if (!found) return;
					watchers.delete(check);
					resolve(found);
				};
				watchers.add(check);
				check();
			}),
		async close(code = 1000) {
			socket.close(code);
			await closed;
		},
		/** Breaks the connection without a close. */
		break: () => socket.terminate(),
	};
}

type Rest = (method: string, path: string, body?: unknown, options?: RestOptions) => Promise<RestAnswer>;

export function invoked(rest: Rest, payload: { readonly [key: string]: unknown }) {
	const id = String(payload["id"]);
	const token = String(payload["token"]);
	const application = String(payload["application_id"]);
	return {
		id,
		token,
		payload,
		callback: (body: unknown, { withResponse, ...options }: RestOptions & { withResponse?: boolean } = {}) =>
			rest("POST", `/interactions/${id}/${token}/callback?with_response=${withResponse ?? false}`, body, {
				token: null,
				...options,
			}),
		/** Calls below the interaction's webhook. */
		webhook: (
			method: string,
			body?: unknown,
			{ path = "/messages/@original", ...options }: RestOptions & { path?: string } = {},
		) => rest(method, `/webhooks/${application}/${token}${path}`, body, { token: null, ...options }),
	};
}

export const refusal = (status: number, code: number) => ({ status, body: { code } });

/** The error for one invalid field at this path of the body. */
export function invalidFormBody(path: string, errorCode?: string) {
	const field: object = { _errors: [errorCode === undefined ? {} : { code: errorCode }] };
	const errors = path.split(".").reduceRight((inner, key) => ({ [key]: inner }), field);
	return { status: 400, body: { code: 50035, errors } };
}

export const IMAGE_COMMAND = {
	name: "image",
	description: "Makes a picture",
	options: [
		{ type: 3, name: "prompt", description: "What it shows", required: true, max_length: 100 },
		{ type: 3, name: "model", description: "Who makes it", autocomplete: true },
		{ type: 4, name: "seed", description: "The same seed, the same picture", min_value: 0, max_value: 1_000 },
		{ type: 11, name: "source", description: "A picture to start from", file_types: ["image"] },
	],
};

/** A bot with one command, and a user who has just typed it. */
export async function typed(
	options: { values?: { [name: string]: string | number | boolean }; playground?: TestPlayground } = {},
) {
	const playground = options.playground ?? (await openPlayground());
	const bot = await playground.bot();
	await playground.register(IMAGE_COMMAND);
	const user = await playground.user();
	const reply = await user.type("/image", options.values ?? { prompt: "a lighthouse" });
	const interaction = await bot.interaction(reply.interactionId);
	return { playground, clock: playground.clock, bot, user, reply, interaction };
}

/** The same after a deferral. */
export async function deferred(options: { flags?: number; playground?: TestPlayground } = {}) {
	const scene = await typed(options.playground ? { playground: options.playground } : {});
	await scene.interaction.callback({ type: 5, data: { flags: options.flags ?? 0 } });
	await scene.reply.until(() => true);
	return scene;
}
