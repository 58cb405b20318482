/**
 * A playground as a process, for the benches that measure memory. Argument: GUILDS. A proxy between the playground and the bot
 * under test replaces the channels, roles and emojis of each GUILD_CREATE with as many as a real guild has.
 *
 * A line on standard input, `COUNT [help|image] [AT_MS]`, makes the proxy send the command of as many new users, without the
 * playground; AT_MS is the time of the interactions. The proxy answers the bot's requests for them itself, and forwards all others. It
 * prints `answered COUNT` when the bot has sent all replies.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { pino } from "pino";
import { WebSocket, WebSocketServer, type RawData } from "ws";
import { systemClock } from "@atelier/common/clock";
import { createPlayground } from "@atelier/playground/playground";

const CHANNELS = 40;
const ROLES = 25;
const EMOJIS = 20;
const CONCURRENT_COMMANDS = 64;
const FIRST_CREATED_ID = 1_500_000_000_000_000_000n;
const DISCORD_EPOCH_MS = Date.UTC(2015, 0, 1);

type Json = Record<string, unknown>;

const guildCount = Number(process.argv[2]);
const proxy = createServer();
proxy.listen(0, "127.0.0.1");
await once(proxy, "listening");
const proxyOrigin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const app = fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 * 1024 });
const playground = createPlayground({
	clock: systemClock,
	logger: pino({ level: "silent" }),
	origin: () => proxyOrigin,
	guildCount,
});
await playground.register(app);
const playgroundOrigin = await app.listen({ host: "127.0.0.1", port: 0 });

let botConnection: WebSocket | undefined;
/** The gateway's sequence number of the last event. */
let sequence = 0;
let lastCreatedId = FIRST_CREATED_ID;
/** The number of replies that the bot has sent: of `/help` its edit, of `/image` the upload of its file. */
let answeredCount = 0;
/** The tokens of `/image` commands without their file. */
const awaitingFile = new Set<string>();
const nextId = (): string => String(++lastCreatedId);
/** The guilds of the bot, in which the users send commands. */
let guildIds: readonly string[] = [];
/** The id of the first channel of a guild, relative to that of the guild. */
const FIRST_CHANNEL_OFFSET = 100;

/** Returns a guild with channels, roles and emojis like those of a real one. */
function withContent(guild: Json): Json {
	const base = BigInt(String(guild["id"]));
	const id = (n: number): string => String(base + BigInt(n + FIRST_CHANNEL_OFFSET));
	const [channel] = guild["channels"] as Json[];
	const [role] = guild["roles"] as Json[];
	return {
		...guild,
		channels: Array.from({ length: CHANNELS }, (_, n) => ({
			...channel,
			id: id(n),
			name: `channel-${n}`,
			position: n,
		})),
		roles: [
			role,
			...Array.from({ length: ROLES - 1 }, (_, n) => ({ ...role, id: id(1_000 + n), name: `Role ${n}`, position: n })),
		],
		emojis: Array.from({ length: EMOJIS }, (_, n) => ({
			id: id(2_000 + n),
			name: `emoji_${n}`,
			roles: [],
			require_colons: true,
			managed: false,
			animated: false,
			available: true,
		})),
	};
}

function textOf(message: RawData): string {
	if (Array.isArray(message)) return Buffer.concat(message).toString();
	return (Buffer.isBuffer(message) ? message : Buffer.from(message)).toString();
}

/** The gateway proxy: forwards all events, and adds content to some. */
new WebSocketServer({ server: proxy }).on("connection", (socket, request) => {
	const upstream = new WebSocket(`${playgroundOrigin.replace("http", "ws")}${request.url ?? ""}`, {
		headers: { host: new URL(proxyOrigin).host },
	});
	const unsent: RawData[] = [];
	botConnection = socket;
	socket.on("message", (message) =>
		upstream.readyState === upstream.OPEN ? upstream.send(textOf(message)) : unsent.push(message),
	);
	upstream.on("open", () => unsent.forEach((message) => upstream.send(textOf(message))));
	upstream.on("message", (message) => {
		const payload = JSON.parse(textOf(message)) as { t: string | null; s: number | null; d: Json };
		if (payload.t === "READY") guildIds = (payload.d["guilds"] as Json[]).map(({ id }) => String(id));
		if (payload.t === "GUILD_CREATE") payload.d = withContent(payload.d);
		// Numbers all events again, because the commands that the proxy adds take sequence numbers too.
		if (payload.s !== null) payload.s = ++sequence;
		socket.send(JSON.stringify(payload));
	});
	socket.on("close", () => upstream.close());
	upstream.on("close", () => socket.close());
	sequence = 0;
});

const replyMessage = (token: string): Json => ({
	id: String(BigInt(token.split("-")[1] ?? 0)),
	channel_id: "1400000000000000000",
	author: { id: playground.applicationId, username: "bot", discriminator: "0", avatar: null, global_name: null },
	content: "answered",
	timestamp: new Date().toISOString(),
	edited_timestamp: null,
	tts: false,
	mention_everyone: false,
	mentions: [],
	mention_roles: [],
	attachments: [],
	embeds: [],
	components: [],
	pinned: false,
	type: 0,
	flags: 64,
});

/** Returns true if the request completes the reply to a command that was created here. A callback only defers it. */
function isReply(token: string, { hasFile, isCallback }: { hasFile: boolean; isCallback: boolean }): boolean {
	if (hasFile) return awaitingFile.delete(token);
	return !isCallback && !awaitingFile.has(token);
}

/** The REST proxy: answers requests for commands that were created here. */
proxy.on("request", (request, response) => {
	void (async () => {
		const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
		const url = request.url ?? "";
		const token = /made-\d+/.exec(url)?.[0];
		if (token !== undefined) {
			const hasFile = request.headers["content-type"]?.startsWith("multipart/") === true;
			const isCallback = url.includes("/callback");
			if (isReply(token, { hasFile, isCallback })) answeredCount += 1;
			if (isCallback && !url.includes("with_response=true")) return response.writeHead(204).end();
			response.writeHead(200, { "content-type": "application/json" });
			return response.end(JSON.stringify(replyMessage(token)));
		}
		const headers = Object.entries(request.headers).filter(
			([name]) => !["connection", "content-length"].includes(name),
		);
		const upstreamResponse = await fetch(`${playgroundOrigin}${url}`, {
			method: request.method ?? "GET",
			headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
			...(body.byteLength > 0 && { body }),
		});
		response.writeHead(upstreamResponse.status, {
			"content-type": upstreamResponse.headers.get("content-type") ?? "application/json",
		});
		return response.end(Buffer.from(await upstreamResponse.arrayBuffer()));
	})().catch((error: unknown) => response.writeHead(500).end(String(error)));
});

type CommandName = "help" | "image";

function commandInteraction(n: number, name: CommandName): Json {
	const id = nextId();
	const guildId = guildIds[n % guildIds.length] ?? "1";
	const channelId = String(BigInt(guildId) + BigInt(FIRST_CHANNEL_OFFSET));
	const user = {
		id: nextId(),
		username: `member${n}`,
		global_name: `Member ${n}`,
		avatar: null,
		discriminator: "0",
		public_flags: 0,
	};
	return {
		id,
		application_id: playground.applicationId,
		type: 2,
		token: `made-${id}`,
		version: 1,
		guild_id: guildId,
		guild: { id: guildId, locale: "en-US", features: [] },
		channel_id: channelId,
		channel: {
			id: channelId,
			guild_id: guildId,
			type: 0,
			name: "general",
			nsfw: false,
			parent_id: null,
			permissions: "2248473465835073",
		},
		member: {
			user,
			roles: [],
			joined_at: "2024-01-01T00:00:00.000000+00:00",
			premium_since: null,
			deaf: false,
			mute: false,
			nick: null,
			avatar: null,
			flags: 0,
			pending: false,
			permissions: "2248473465835073",
			communication_disabled_until: null,
		},
		locale: "en-US",
		guild_locale: "en-US",
		app_permissions: "2248473465835073",
		entitlements: [],
		authorizing_integration_owners: { "0": guildId },
		attachment_size_limit: 10_485_760,
		context: 0,
		data: {
			id: "1400000000000000001",
			name,
			type: 1,
			...(name === "image" && { options: [{ name: "prompt", type: 3, value: `a boat with the number ${n}` }] }),
		},
	};
}

/** Sends the commands of new users, `CONCURRENT_COMMANDS` at once. */
async function sendCommands(count: number, name: CommandName = "help", atMs?: number): Promise<void> {
	// The bot derives the age of an interaction from its id.
	if (atMs !== undefined) lastCreatedId = BigInt(atMs - DISCORD_EPOCH_MS) << 22n;
	const answeredBefore = answeredCount;
	const pendingCount = (sent: number): number => sent - (answeredCount - answeredBefore);
	for (let sent = 0; sent < count; sent++) {
		const interaction = commandInteraction(sent, name);
		if (name === "image") awaitingFile.add(String(interaction["token"]));
		botConnection?.send(JSON.stringify({ op: 0, t: "INTERACTION_CREATE", s: ++sequence, d: interaction }));
		while (pendingCount(sent) > CONCURRENT_COMMANDS) await sleep(1);
	}
	while (pendingCount(count) > 0) await sleep(5);
	process.stdout.write(`answered ${count}\n`);
}

process.once("SIGTERM", () => void playground.close().then(() => process.exit(0)));
createInterface({ input: process.stdin }).on("line", (line) => {
	const [count, name, atMs] = line.split(" ");
	void sendCommands(Number(count), name === "image" ? "image" : "help", atMs === undefined ? undefined : Number(atMs));
});
process.stdout.write(`Bot token ${playground.botToken}\nAPI ${proxyOrigin}/api\nready\n`);
