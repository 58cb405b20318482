/** The sessions of the bot, and which of them receive an event. The protocol of a socket is in connection.ts. */
import { GatewayIntentBits, GatewayOpcodes, type APIInteraction } from "discord-api-types/v10";
import type { SeedGuild } from "../simulator/seed.ts";
import { shardOf } from "../simulator/snowflake.ts";
import type { StoredMessage } from "../simulator/stored-message.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { ClientRequest } from "./client-requests.ts";
import { createMemberRequests } from "./member-requests.ts";
import { createInjectedEvents, type InjectedEvents } from "./event-injection.ts";
import type { Connection, Session } from "./session.ts";
import { createSession } from "./session.ts";
import { guildCreate, ready } from "./ready.ts";
import type { Entitlement } from "../simulator/entitlement.ts";

/** The most sessions that wait for a resume. */
const SESSIONS_MAX = 256;
/** Discord's average limit: it rejects a bot with more guilds per shard. */
const GUILDS_PER_SHARD_MAX = 2_500;

export interface Gateway {
	readonly isOnline: boolean;
	readonly heartbeatIntervalMs: number;
	readonly answersResume: boolean;
	/** Open connections, by shard. */
	readonly connections: () => readonly Connection[];
	readonly injected: InjectedEvents;
	/** Returns whether a session received the interaction; one that may be resumed counts. */
	readonly interaction: (interaction: APIInteraction, guildId: string | null) => boolean;
	/** Returns whether so few shards would exceed Discord's limit of guilds per shard. */
	readonly needsMoreShards: (shardCount: number) => boolean;
	readonly identify: (connection: Connection, shard: readonly [number, number], intents: number) => Session;
	/** Returns the resumed session, or the reason why it cannot be resumed. */
	readonly resume: (
		connection: Connection,
		sessionId: string,
		lastSeen: number,
	) => Session | "unknownSession" | "invalidSequence";
	/** Handles a request of an identified client. */
	readonly hear: (session: Session, request: ClientRequest) => void;
	/** The connection has ended. A regular close ends the session; otherwise it may be resumed. */
	readonly left: (session: Session, connection: Connection, isForGood: boolean) => void;
	readonly close: () => void;
}

export function createGateway(deps: {
	simulator: Simulator;
	newSessionId: () => string;
	gatewayUrl: () => string;
}): Gateway {
	const { simulator, newSessionId, gatewayUrl } = deps;
	const { clock, events } = simulator;
	const sessions = new Map<string, Session>();
	const injected = createInjectedEvents();
	let wasOnline = false;

	/** Sends every event except for the first ones of a session; injected faults drop or repeat some. */
	function tell(session: Session, event: string, payload: unknown): void {
		for (let times = injected.take(event); times > 0; times--) session.dispatch(event, payload);
	}

	const requestMembers = createMemberRequests({ simulator, tell });

	/** Returns a guild of the bot that belongs to the session's shard. */
	function guildOf({ shardId, shardCount }: Session, guildId: string): SeedGuild | undefined {
		const server = simulator.servers.find(guildId);
		const isOwn = server && simulator.installs.isMember(server) && shardOf(guildId, shardCount) === shardId;
		return isOwn ? server : undefined;
	}

	const isOnline = (): boolean => [...sessions.values()].some(({ connection }) => connection !== undefined);
	function tellPresence(): void {
		const online = isOnline();
		if (online === wasOnline) return;
		wasOnline = online;
		events.emit({ type: "presence", online });
	}

	function forgetExpired(): void {
		for (const session of sessions.values()) {
			const isOver = session.isExpired(clock.nowMs()) || (sessions.size > SESSIONS_MAX && !session.connection);
			if (isOver) sessions.delete(session.id);
		}
	}

	/** A guild belongs to one shard by its id; direct messages belong to the first shard. */
	function sessionsFor(guildId: string | null): Session[] {
		forgetExpired();
		return [...sessions.values()].filter(({ shardId, shardCount }) => {
			const shard = guildId === null ? 0 : shardOf(guildId, shardCount);
			return shard === shardId;
		});
	}

	function tellOfMessage(event: "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "MESSAGE_DELETE", message: StoredMessage): void {
		if (message.visibleTo !== null) return;
		const { guildId, channelId, id } = message;
		const intent = guildId === null ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
		const guild = guildId === null ? {} : { guild_id: guildId };
		const payload =
			event === "MESSAGE_DELETE"
				? { id, channel_id: channelId, ...guild }
				: { ...simulator.show.message(message), ...guild };
		for (const session of sessionsFor(guildId)) {
			if ((session.intents & intent) !== 0) tell(session, event, payload);
		}
	}

	/** Sends to sessions with the Guilds intent. */
	function tellOfGuild(
		server: SeedGuild,
		event: `GUILD_${"CREATE" | "UPDATE" | "DELETE"}`,
		payloadFor: (session: Session) => object,
	): void {
		for (const session of sessionsFor(server.id)) {
			if ((session.intents & GatewayIntentBits.Guilds) !== 0) tell(session, event, payloadFor(session));
		}
	}

	/** A guild that the bot has left has no `unavailable`, which distinguishes it from an outage. */
	function tellOfBot(server: SeedGuild, was: boolean, is: boolean): void {
		if (is && !was) tellOfGuild(server, "GUILD_CREATE", (session) => guildCreate(simulator, server, session));
		if (was && !is) tellOfGuild(server, "GUILD_DELETE", () => ({ id: server.id }));
	}

	/** Entitlements belong to no guild and need no intent. */
	function tellOfPurchase(event: `ENTITLEMENT_${"CREATE" | "UPDATE" | "DELETE"}`, entitlement: Entitlement): void {
		for (const session of sessionsFor(null)) tell(session, event, simulator.shop.show(entitlement));
	}

	const stopListening = events.listen((event) => {
		if (event.type === "messageCreate") tellOfMessage("MESSAGE_CREATE", event.message);
		if (event.type === "messageUpdate") tellOfMessage("MESSAGE_UPDATE", event.message);
		if (event.type === "messageDelete") tellOfMessage("MESSAGE_DELETE", event.message);
		if (event.type === "guild" && simulator.installs.isMember(event.server))
			tellOfGuild(event.server, "GUILD_UPDATE", () => simulator.places.guild(event.server));
		if (event.type === "servers") {
			for (const server of event.added) tellOfBot(server, false, simulator.installs.isMember(server));
			for (const server of event.gone) tellOfBot(server, simulator.installs.isMember(server), false);
		}
		if (event.type === "bot") tellOfBot(event.server, event.was, event.is);
		if (event.type === "entitlementCreate") tellOfPurchase("ENTITLEMENT_CREATE", event.entitlement);
		if (event.type === "entitlementUpdate") tellOfPurchase("ENTITLEMENT_UPDATE", event.entitlement);
		if (event.type === "entitlementDelete") tellOfPurchase("ENTITLEMENT_DELETE", event.entitlement);
	});

	return {
		get isOnline() {
			return isOnline();
		},
		get heartbeatIntervalMs() {
			return simulator.switches.heartbeatIntervalMs;
		},
		get answersResume() {
			return simulator.switches.answersResume;
		},
		injected,
		connections: () => [...sessions.values()].flatMap(({ connection }) => connection ?? []),
		interaction(interaction, guildId) {
			const listening = sessionsFor(guildId);
			for (const session of listening) tell(session, "INTERACTION_CREATE", interaction);
			return listening.length > 0;
		},
		needsMoreShards: (shardCount) => simulator.servers.count > shardCount * GUILDS_PER_SHARD_MAX,
		identify(connection, [shardId, shardCount], intents) {
			forgetExpired();
			const session = createSession({ id: newSessionId(), shardId, shardCount, intents, connection });
			sessions.set(session.id, session);
			const own = [...simulator.servers.all()].filter(
				(server) => shardOf(server.id, shardCount) === shardId && simulator.installs.isMember(server),
			);
			session.dispatch("READY", ready(simulator, session, own, gatewayUrl()));
			if ((intents & GatewayIntentBits.Guilds) !== 0)
				for (const server of own) session.dispatch("GUILD_CREATE", guildCreate(simulator, server, session));
			tellPresence();
			return session;
		},
		resume(connection, sessionId, lastSeen) {
			forgetExpired();
			const session = sessions.get(sessionId);
			if (!session) return "unknownSession";
			if (!session.resume(connection, lastSeen)) {
				sessions.delete(sessionId);
				return "invalidSequence";
			}
			session.dispatch("RESUMED", { _trace: ["playground"] });
			tellPresence();
			return session;
		},
		hear(session, request) {
			switch (request.op) {
				case GatewayOpcodes.RequestGuildMembers: {
					const server = guildOf(session, request.d.guild_id);
					if (server) requestMembers(session, server, request.d);
					return;
				}
				case GatewayOpcodes.RequestSoundboardSounds:
					for (const id of new Set(request.d.guild_ids)) {
						if (guildOf(session, id)) tell(session, "SOUNDBOARD_SOUNDS", { guild_id: id, soundboard_sounds: [] });
					}
					return;
				case GatewayOpcodes.RequestChannelInfo: {
					// Only voice channels have soundboards and effects, and there are none.
					const { guild_id: id } = request.d;
					if (guildOf(session, id)) tell(session, "CHANNEL_INFO", { guild_id: id, channels: [] });
					return;
				}
				case GatewayOpcodes.PresenceUpdate:
				case GatewayOpcodes.VoiceStateUpdate:
			}
		},
		left(session, connection, isForGood) {
			session.disconnect(connection, clock.nowMs());
			if (isForGood && !session.connection) sessions.delete(session.id);
			tellPresence();
		},
		close() {
			stopListening();
			for (const { connection } of sessions.values()) connection?.close("goingDown");
			sessions.clear();
		},
	};
}
