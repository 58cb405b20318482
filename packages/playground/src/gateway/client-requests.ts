/** Messages of identified clients: presence, voice, and requests that events answer. */
import { GatewayOpcodes, PresenceUpdateStatus } from "discord-api-types/v10";
import { z } from "zod";

const Snowflake = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative().transform(String)]);

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
/**
 * Any text in `user_ids` is accepted; unknown members are returned as not found. A nonce of another type is ignored.
 */
const UserIds = z.union([z.string(), z.int().transform(String)]);
const Members = z
	.object({
		guild_id: Snowflake,
		query: z.string().nullish(),
		limit: z.int().nonnegative().nullish(),
		presences: z.boolean().nullish(),
		user_ids: z.union([UserIds.transform((id) => [id]), z.array(UserIds)]).nullish(),
		nonce: z.unknown().optional(),
	})
	.refine(({ query, limit, user_ids: ids }) => ids != null || (query != null && limit != null));

export const ClientRequest = z.discriminatedUnion("op", [
	z.object({ op: z.literal(GatewayOpcodes.PresenceUpdate), d: Presence }),
	z.object({ op: z.literal(GatewayOpcodes.VoiceStateUpdate), d: VoiceState }),
	z.object({ op: z.literal(GatewayOpcodes.RequestGuildMembers), d: Members }),
	z.object({
		op: z.literal(GatewayOpcodes.RequestSoundboardSounds),
		d: z.object({ guild_ids: z.array(Snowflake) }),
	}),
	z.object({
		op: z.literal(GatewayOpcodes.RequestChannelInfo),
		d: z.object({ guild_id: Snowflake, fields: z.array(z.string()) }),
	}),
]);
export type ClientRequest = z.infer<typeof ClientRequest>;
export type MembersRequest = z.infer<typeof Members>;

export const CLIENT_REQUEST_OPS: ReadonlySet<number> = new Set(
	ClientRequest.options.map(({ shape }) => shape.op.value),
);
