/** Messages of identified clients: presence, voice, and requests for members, which events answer. */
import { type APIGuildMember, GatewayIntentBits, GatewayOpcodes, PresenceUpdateStatus } from "discord-api-types/v10";
import { z } from "zod";
import type { Guild } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Session } from "./session.ts";

const Snowflake = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)]);

/**
 * Any text in `user_ids` is accepted; unknown members are returned as not found. A nonce of another type is ignored.
 */
const UserIds = z.union([z.string(), z.int().transform(String)]);
export const MembersRequest = z
	.object({
		guild_id: Snowflake,
		query: z.string().nullish(),
		limit: z.int().nonnegative().nullish(),
		presences: z.boolean().nullish(),
		user_ids: z.union([UserIds.transform((id) => [id]), z.array(UserIds)]).nullish(),
		nonce: z.unknown().optional(),
	})
	.refine(({ query, limit, user_ids: ids }) => ids != null || (query != null && limit != null));
export type MembersRequest = z.infer<typeof MembersRequest>;

const Presence = z.object({
	since: z.number().nullable(),
	activities: z.array(z.object({ name: z.string(), type: z.int() })),
	status: z.enum(PresenceUpdateStatus),
	afk: z.boolean().optional(),
});
const VoiceState = z.object({
	guild_id: Snowflake,
	channel_id: Snowflake.nullable(),
	self_mute: z.boolean().optional(),
	self_deaf: z.boolean().optional(),
});
/** Valid payloads are accepted without an effect: there are no presences, no voice and no sounds. */
export const IGNORED_PAYLOADS: ReadonlyMap<number, z.ZodType> = new Map<number, z.ZodType>([
	[GatewayOpcodes.PresenceUpdate, Presence],
	[GatewayOpcodes.VoiceStateUpdate, VoiceState],
	[GatewayOpcodes.RequestSoundboardSounds, z.unknown()],
	[GatewayOpcodes.RequestChannelInfo, z.unknown()],
]);

const CHUNK_MEMBERS_MAX = 1_000;
/** The maximum for requests by prefix or by ids. */
const FOUND_MEMBERS_MAX = 100;
const NONCE_BYTES_MAX = 32;
/** Discord allows one request for all members of a guild in this time, per session. */
const ALL_MEMBERS_EVERY_MS = 30_000;

export function createMemberRequests(deps: {
	simulator: Simulator;
	dispatch: (session: Session, event: string, payload: unknown) => void;
}): (session: Session, guild: Guild, request: MembersRequest) => void {
	const { simulator, dispatch } = deps;
	/** The time of the last request for all members, by session and guild. */
	const lastRequestMs = new WeakMap<Session, Map<string, number>>();

	/** Returns 0, or how long the session has to wait before it may request all members again. */
	function waitMs(session: Session, guildId: string): number {
		const nowMs = simulator.clock.nowMs();
		const lastMsByGuild = lastRequestMs.get(session) ?? new Map<string, number>();
		lastRequestMs.set(session, lastMsByGuild);
		for (const [id, atMs] of lastMsByGuild) if (nowMs - atMs >= ALL_MEMBERS_EVERY_MS) lastMsByGuild.delete(id);
		const lastMs = lastMsByGuild.get(guildId);
		if (lastMs !== undefined) return lastMs + ALL_MEMBERS_EVERY_MS - nowMs;
		lastMsByGuild.set(guildId, nowMs);
		return 0;
	}

	return (session, guild, request) => {
		const meta = { guild_id: guild.id, ...nonceOf(request) };
		const wantsAll = request.user_ids == null && request.query === "";
		if (wantsAll) {
			// Discord does not respond: libraries wait until they time out.
			if ((session.intents & GatewayIntentBits.GuildMembers) === 0) return;
			const remainingMs = waitMs(session, guild.id);
			if (remainingMs > 0) {
				const limited = { opcode: GatewayOpcodes.RequestGuildMembers, retry_after: remainingMs / 1_000, meta };
				return dispatch(session, "RATE_LIMITED", limited);
			}
		}
		const { members, notFound } = findMembers(simulator, guild, request);
		const hasPresences = request.presences === true && (session.intents & GatewayIntentBits.GuildPresences) !== 0;
		const count = Math.max(1, Math.ceil(members.length / CHUNK_MEMBERS_MAX));
		for (let index = 0; index < count; index++) {
			dispatch(session, "GUILD_MEMBERS_CHUNK", {
				...meta,
				members: members.slice(index * CHUNK_MEMBERS_MAX, (index + 1) * CHUNK_MEMBERS_MAX),
				chunk_index: index,
				chunk_count: count,
				...(notFound.length > 0 && { not_found: notFound }),
				...(hasPresences && { presences: [] }),
			});
		}
	};
}

function findMembers(
	{ members }: Simulator,
	guild: Guild,
	{ user_ids: ids, query, limit }: MembersRequest,
): { members: readonly APIGuildMember[]; notFound: readonly string[] } {
	const all = members.allMembers(guild);
	if (ids == null) {
		const prefix = (query ?? "").toLowerCase();
		const matching = all.filter(({ user }) => user.username.toLowerCase().startsWith(prefix));
		const membersMax = prefix === "" ? all.length : FOUND_MEMBERS_MAX;
		return { members: matching.slice(0, Math.min(limit || membersMax, membersMax)), notFound: [] };
	}
	const byId = new Map(all.map((member) => [member.user.id, member]));
	const requestedIds = [...new Set(ids)].slice(0, FOUND_MEMBERS_MAX);
	return {
		members: requestedIds.flatMap((id) => byId.get(id) ?? []),
		notFound: requestedIds.filter((id) => !byId.has(id)),
	};
}

/** A nonce that is not text, or too long, is ignored. */
function nonceOf({ nonce }: MembersRequest): { nonce?: string } {
	return typeof nonce === "string" && Buffer.byteLength(nonce) <= NONCE_BYTES_MAX ? { nonce } : {};
}
