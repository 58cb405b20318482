/** The sessions of the bot, and which of them receive an event. The protocol of a socket is in connection.ts. */
import { type APIInteraction, GatewayIntentBits } from "discord-api-types/v10";
import type { Guild } from "../simulator/documents.ts";
import { shardOf } from "../simulator/discord-formats.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { createMemberRequests, type MembersRequest } from "./client-requests.ts";
import { createGatewayEvents } from "./gateway-events.ts";
import type { FaultList } from "../fault-injection.ts";
import { type Connection, createSession, type Session } from "./session.ts";
import { guildCreate, ready } from "./ready.ts";

/** The most sessions that wait for a resume. */
const SESSIONS_MAX = 256;
/** Discord's average limit: it rejects a bot with more guilds per shard. */
const GUILDS_PER_SHARD_MAX = 2_500;

export type Gateway = ReturnType<typeof createGateway>;

export function createGateway(simulator: Simulator, faults: FaultList, gatewayUrl: () => string) {
	const { clock, events, random } = simulator;
	const sessions = new Map<string, Session>();
	let wasOnline = false;

	/** Sends an event other than READY, RESUMED and the guilds after READY; injected faults drop or repeat some. */
	function dispatch(session: Session, event: string, payload: unknown): void {
		const fault = faults.takeForEvent(event);
		if (fault?.act === "drop") return;
		session.dispatch(event, payload);
		if (fault?.act === "repeat") session.dispatch(event, payload);
	}

	const answerMembersRequest = createMemberRequests({ simulator, dispatch });

	/** Returns a guild of the bot that belongs to the session's shard. */
	function guildOfShard({ shardId, shardCount }: Session, guildId: string): Guild | undefined {
		const guild = simulator.guilds.find(guildId);
		const isOwn = guild && simulator.installs.isMember(guild) && shardOf(guildId, shardCount) === shardId;
		return isOwn ? guild : undefined;
	}

	const isOnline = (): boolean => [...sessions.values()].some(({ connection }) => connection !== undefined);
	function updatePresence(): void {
		const online = isOnline();
		if (online === wasOnline) return;
		wasOnline = online;
		events.emit({ type: "presence", online });
	}

	function removeExpired(): void {
		for (const session of sessions.values()) {
			const isRemovable = session.isExpired(clock.nowMs()) || (sessions.size > SESSIONS_MAX && !session.connection);
			if (isRemovable) sessions.delete(session.id);
		}
	}

	/** A guild belongs to one shard by its id; direct messages belong to the first shard. */
	function sessionsFor(guildId: string | null, intents = 0): Session[] {
		removeExpired();
		return [...sessions.values()].filter((session) => {
			const shard = guildId === null ? 0 : shardOf(guildId, session.shardCount);
			return shard === session.shardId && (session.intents & intents) === intents;
		});
	}

	const eventsFor = createGatewayEvents(simulator);
	const stopListening = events.listen((event) => {
		for (const { name, guildId, intents, payloadFor } of eventsFor(event)) {
			for (const session of sessionsFor(guildId, intents)) {
				const payload = payloadFor(session);
				if (payload) dispatch(session, name, payload);
			}
		}
	});

	return {
		get isOnline() {
			return isOnline();
		},
		/** The open connections of identified clients. */
		connections: (): readonly Connection[] => [...sessions.values()].flatMap(({ connection }) => connection ?? []),
		/** True if a session received the interaction. A disconnected session that can be resumed counts. */
		dispatchInteraction(interaction: APIInteraction, guildId: string | null): boolean {
			const listening = sessionsFor(guildId);
			for (const session of listening) dispatch(session, "INTERACTION_CREATE", interaction);
			return listening.length > 0;
		},
		/** True if this number of shards is too low for Discord's limit of guilds per shard. */
		needsMoreShards: (shardCount: number): boolean =>
			simulator.installs.joined().length > shardCount * GUILDS_PER_SHARD_MAX,
		identify(connection: Connection, [shardId, shardCount]: readonly [number, number], intents: number): Session {
			removeExpired();
			const id = Buffer.from(random(16)).toString("hex");
			const session = createSession({ id, shardId, shardCount, intents, connection });
			sessions.set(session.id, session);
			const guildsOfShard = simulator.installs.joined().filter((guild) => shardOf(guild.id, shardCount) === shardId);
			session.dispatch("READY", ready(simulator, session, guildsOfShard, gatewayUrl()));
			if ((intents & GatewayIntentBits.Guilds) !== 0)
				for (const guild of guildsOfShard) session.dispatch("GUILD_CREATE", guildCreate(simulator, guild, session));
			updatePresence();
			return session;
		},
		/** Returns the resumed session, or the reason why it cannot be resumed. */
		resume(
			connection: Connection,
			sessionId: string,
			lastSeen: number,
		): Session | "unknownSession" | "invalidSequence" {
			removeExpired();
			const session = sessions.get(sessionId);
			if (!session) return "unknownSession";
			if (!session.resume(connection, lastSeen)) {
				sessions.delete(sessionId);
				return "invalidSequence";
			}
			session.dispatch("RESUMED", { _trace: ["playground"] });
			updatePresence();
			return session;
		},
		requestMembers(session: Session, request: MembersRequest): void {
			const guild = guildOfShard(session, request.guild_id);
			if (guild) answerMembersRequest(session, guild, request);
		},
		/** Records that a connection has ended. A final close ends the session; otherwise it may be resumed. */
		disconnected(session: Session, connection: Connection, isFinal: boolean): void {
			session.disconnect(connection, clock.nowMs());
			if (isFinal && !session.connection) sessions.delete(session.id);
			updatePresence();
		},
		close(): void {
			stopListening();
			for (const { connection } of sessions.values()) connection?.close("shuttingDown");
			sessions.clear();
		},
	};
}
