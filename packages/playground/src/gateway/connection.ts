/**
 * The protocol of one socket: hello -> identify or resume -> events, with heartbeats throughout. A client that violates
 * it is closed with Discord's own code.
 */
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { GatewayIntentBits, GatewayOpcodes } from "discord-api-types/v10";
import { constants, createDeflate, type Deflate } from "node:zlib";
import type { Logger } from "pino";
import type { RawData, WebSocket } from "ws";
import { z } from "zod";
import { parseJson } from "../simulator/discord-formats.ts";
import { IGNORED_PAYLOADS, MembersRequest } from "./client-requests.ts";
import { hasDisallowed } from "../simulator/privileged-intents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { RequestLog } from "../rest/request-log.ts";
import type { Gateway } from "./gateway.ts";
import type { Connection, Session } from "./session.ts";

/**
 * Discord's close codes. After some the client may resume, after some it must identify again, after some it must not
 * return.
 */
export const CLOSE = {
	unknownOpcode: [4001, "Unknown opcode."],
	decodeError: [4002, "Error while decoding payload."],
	notAuthenticated: [4003, "Not authenticated."],
	authenticationFailed: [4004, "Authentication failed."],
	alreadyAuthenticated: [4005, "Already authenticated."],
	invalidSequence: [4007, "Invalid seq."],
	rateLimited: [4008, "Rate limited."],
	timedOut: [4009, "Session timed out."],
	invalidShard: [4010, "Invalid shard."],
	shardingRequired: [4011, "Sharding required."],
	invalidVersion: [4012, "Invalid API version."],
	invalidIntents: [4013, "Invalid intent(s)."],
	disallowedIntents: [4014, "Disallowed intent(s)."],
	/** Discord has no code for these. */
	unknownEncoding: [4002, "The playground's encoding is json."],
	unknownCompression: [4002, "The playground's compression is zlib-stream."],
	/** Not a code of Discord: the playground shuts down, and a client tries to resume. */
	resumedElsewhere: [1012, "The session was resumed on another connection."],
	shuttingDown: [1012, "The playground is going down."],
} as const satisfies { readonly [reason: string]: readonly [number, string] };

type CloseReason = keyof typeof CLOSE;

/** The versions that Discord serves and does not call deprecated: the events of the playground are the same in both. */
const VERSIONS: readonly string[] = ["9", "10"];
const NEWEST_VERSION = "10";
const PAYLOAD_BYTES_MAX = 4_096;
const EVENTS_PER_MINUTE_MAX = 120;
/** A client with more unread bytes counts as gone. */
const UNREAD_BYTES_MAX = 16 * 1024 * 1024;
const INTENTS_ALL = Object.values(GatewayIntentBits)
	.filter((bit) => typeof bit === "number")
	.reduce((all: number, bit) => all | bit, 0);
const SHARDS_MAX = 16_384;
/** The time without a heartbeat after which a client is disconnected, in the intervals that it was told. */
const OVERDUE_AFTER_INTERVALS = 1.5;
/** The session cannot be resumed after these codes: the client closed it, or has no heartbeat. */
const FINAL_CLOSE_CODES: ReadonlySet<number> = new Set([1000, 1001, CLOSE.timedOut[0]]);

const HEARTBEAT_OPS: ReadonlySet<number> = new Set([GatewayOpcodes.Heartbeat, GatewayOpcodes.HeartbeatAck]);
/** The names of opcodes in the log: RequestGuildMembers is REQUEST_GUILD_MEMBERS. */
const OPCODE_NAMES: ReadonlyMap<number, string> = new Map(
	Object.entries(GatewayOpcodes)
		.filter((entry): entry is [string, GatewayOpcodes] => typeof entry[1] === "number")
		.map(([name, op]) => [op, name.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()]),
);

const Payload = z.object({ op: z.number(), d: z.unknown() });
/** The last sequence number that the client has seen; `null` before the first. */
const Heartbeat = z.int().nonnegative().nullish();
const Identify = z.object({
	token: z.string(),
	properties: z.record(z.string(), z.unknown()),
	intents: z.number(),
	shard: z.tuple([z.number(), z.number()]).optional(),
});
const Resume = z.object({ token: z.string(), session_id: z.string(), seq: z.number() });

export function openConnection(deps: {
	socket: WebSocket;
	query: URLSearchParams;
	gateway: Gateway;
	simulator: Simulator;
	requestLog: RequestLog;
	logger: Logger;
}): void {
	const { socket, query, gateway, simulator, requestLog, logger } = deps;
	const { clock, adminSettings } = simulator;
	const { botToken, application } = simulator.seed;
	const intervalMs = adminSettings.heartbeatIntervalMs;
	let session: Session | undefined;
	let isSilent = false;
	let rateWindow = { startedMs: clock.nowMs(), events: 0 };
	const deflate = query.get("compress") === "zlib-stream" ? openDeflate(socket) : undefined;

	const version = query.get("v") ?? NEWEST_VERSION;
	const connection: Connection = {
		version: Number(version),
		send(payload) {
			if (socket.readyState !== socket.OPEN || isSilent) return;
			if (socket.bufferedAmount > UNREAD_BYTES_MAX) return socket.terminate();
			const text = JSON.stringify(payload);
			logPacket("dispatch", payload);
			if (!deflate) return socket.send(text);
			deflate.write(text);
			deflate.flush(constants.Z_SYNC_FLUSH);
		},
		close,
		perform(action) {
			switch (action.act) {
				case "close":
					return socket.close(action.code, "Closed by the admin API.");
				case "reconnect":
					return connection.send({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null });
				case "invalidate":
					connection.send({ op: GatewayOpcodes.InvalidSession, d: action.isResumable, s: null, t: null });
					if (session) gateway.disconnected(session, connection, !action.isResumable);
					session = undefined;
					return;
				case "silence":
					isSilent = true;
					// Stays open: it is dead without a close.
					return clearTimeout(overdue);
				case "send":
					return connection.send(action.payload);
			}
		},
	};

	function logPacket(kind: "dispatch" | "received", payload: unknown): void {
		const { op, t, d } = payload as { op: number; t?: string | null; d?: unknown };
		if (HEARTBEAT_OPS.has(op)) return;
		const event = t ?? OPCODE_NAMES.get(op) ?? `OPCODE_${op}`;
		requestLog.addPacket({ kind, atMs: clock.nowMs(), event }, JSON.stringify(d ?? null));
	}

	function close(reason: CloseReason): void {
		const [code, reasonText] = CLOSE[reason];
		socket.close(code, reasonText);
	}

	function handleMessage(message: RawData): void {
		if (isSilent) return;
		if (clock.nowMs() - rateWindow.startedMs >= 60_000) rateWindow = { startedMs: clock.nowMs(), events: 0 };
		rateWindow.events += 1;
		if (rateWindow.events > EVENTS_PER_MINUTE_MAX) return close("rateLimited");
		const text = bytesOf(message);
		if (text.byteLength > PAYLOAD_BYTES_MAX) return close("decodeError");
		const payload = Payload.safeParse(readJson(text));
		if (!payload.success) return close("decodeError");
		const { d } = payload.data;
		const op = payload.data.op as GatewayOpcodes;
		logPacket("received", payload.data);

		if (op === GatewayOpcodes.Heartbeat) {
			if (!Heartbeat.safeParse(d).success) return close("decodeError");
			overdue.refresh();
			return connection.send({ op: GatewayOpcodes.HeartbeatAck, d: null, s: null, t: null });
		}
		if (op === GatewayOpcodes.Identify) return session ? close("alreadyAuthenticated") : identify(d);
		if (op === GatewayOpcodes.Resume) return session ? close("alreadyAuthenticated") : resume(d);
		const ignored = IGNORED_PAYLOADS.get(op);
		if (op !== GatewayOpcodes.RequestGuildMembers && !ignored) return close("unknownOpcode");
		if (!session) return close("notAuthenticated");
		if (ignored) return ignored.safeParse(d).success ? undefined : close("decodeError");
		const request = MembersRequest.safeParse(d);
		if (!request.success) return close("decodeError");
		gateway.requestMembers(session, request.data);
	}

	function identify(d: unknown): void {
		const parsed = Identify.safeParse(d);
		if (!parsed.success) return close("decodeError");
		const { token, intents, shard = [0, 1] } = parsed.data;
		if (!isSameSecret(withoutPrefix(token), botToken)) return close("authenticationFailed");
		const [shardId, shardCount] = shard;
		const isShard = Number.isInteger(shardId) && Number.isInteger(shardCount) && shardId >= 0 && shardId < shardCount;
		if (!isShard || shardCount > SHARDS_MAX) return close("invalidShard");
		if (!Number.isInteger(intents) || intents < 0 || (intents & ~INTENTS_ALL) !== 0) return close("invalidIntents");
		if (hasDisallowed(intents, application.privilegedIntents)) return close("disallowedIntents");
		if (gateway.needsMoreShards(shardCount)) return close("shardingRequired");
		session = gateway.identify(connection, [shardId, shardCount], intents);
		logger.info({ shardId, shardCount, intents }, "bot identified");
	}

	function resume(d: unknown): void {
		const parsed = Resume.safeParse(d);
		if (!parsed.success) return close("decodeError");
		if (!isSameSecret(withoutPrefix(parsed.data.token), botToken)) return close("authenticationFailed");
		if (!adminSettings.answersResume) return;
		const resumed = gateway.resume(connection, parsed.data.session_id, parsed.data.seq);
		if (resumed === "invalidSequence") return close("invalidSequence");
		if (resumed === "unknownSession")
			return connection.send({ op: GatewayOpcodes.InvalidSession, d: false, s: null, t: null });
		session = resumed;
		logger.info({ shardId: session.shardId }, "bot resumed");
	}

	// By the time of the machine: a test moves the playground's clock by minutes at once, which no client can follow.
	const overdue = setTimeout(() => close("timedOut"), intervalMs * OVERDUE_AFTER_INTERVALS);
	socket.on("message", handleMessage);
	socket.on("error", (error) => logger.debug({ err: error }, "gateway socket failed"));
	socket.on("close", (code) => {
		clearTimeout(overdue);
		deflate?.destroy();
		if (session) gateway.disconnected(session, connection, FINAL_CLOSE_CODES.has(code));
	});
	if (!VERSIONS.includes(version)) return close("invalidVersion");
	if ((query.get("encoding") ?? "json") !== "json") return close("unknownEncoding");
	if ((query.get("compress") ?? "zlib-stream") !== "zlib-stream") return close("unknownCompression");
	connection.send({
		op: GatewayOpcodes.Hello,
		d: { heartbeat_interval: intervalMs, _trace: ["playground"] },
		s: null,
		t: null,
	});
}

/** One compressed stream per connection, flushed after each message, like Discord's zlib-stream. */
function openDeflate(socket: WebSocket): Deflate {
	const deflate = createDeflate({ chunkSize: 64 * 1024 });
	let chunks: Buffer[] = [];
	deflate.on("data", (chunk: Buffer) => {
		chunks.push(chunk);
		const isWhole = chunk.subarray(-4).equals(Buffer.from([0, 0, 0xff, 0xff]));
		if (!isWhole) return;
		if (socket.readyState === socket.OPEN) socket.send(Buffer.concat(chunks));
		chunks = [];
	});
	return deflate;
}

function withoutPrefix(token: string): string {
	return token.replace(/^Bot\s*/, "");
}

function bytesOf(message: RawData): Buffer {
	if (Array.isArray(message)) return Buffer.concat(message);
	return Buffer.isBuffer(message) ? message : Buffer.from(message);
}

function readJson(text: Buffer): unknown {
	try {
		return parseJson(text.toString("utf8"));
	} catch {
		return undefined;
	}
}
