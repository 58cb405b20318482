/** Schemas of bodies that Discord's description contains without a name, or with fields or values missing. */
import * as spec from "discord-api-spec/zod";
import * as z from "zod/mini";

const { SnowflakeTypeSchema } = spec;

export const BulkDeleteMessagesRequestSchema = z.object({
	messages: z.array(SnowflakeTypeSchema).check(z.minLength(2), z.maxLength(100)),
});

const nick = z.nullish(z.string().check(z.maxLength(32)));

export const UpdateGuildMemberRequestSchema = z.object({
	nick,
	roles: z.nullish(z.array(z.nullable(SnowflakeTypeSchema))),
	mute: z.nullish(z.boolean()),
	deaf: z.nullish(z.boolean()),
	channel_id: z.nullish(SnowflakeTypeSchema),
	communication_disabled_until: z.nullish(z.iso.datetime()),
	flags: z.nullish(z.int32()),
});

const webhookName = z.string().check(z.minLength(1), z.maxLength(80));
const image = z.nullish(z.string());

export const CreateWebhookRequestSchema = z.object({ name: webhookName, avatar: image });
export const UpdateWebhookByTokenRequestSchema = z.object({ name: z.optional(webhookName), avatar: image });
export const UpdateWebhookRequestSchema = z.extend(UpdateWebhookByTokenRequestSchema, {
	channel_id: z.nullish(SnowflakeTypeSchema),
});

export const UpdateMyGuildMemberRequestSchema = z.object({
	nick,
	avatar: image,
	banner: image,
	bio: z.nullish(z.string().check(z.maxLength(190))),
});

/** Discord also documents the kinds of purchase, 1 to 7. */
export const EntitlementResponseSchema = z.extend(spec.EntitlementResponseSchema, { type: z.int() });

const permissionBits = z.nullish(z.union([z.string().check(z.regex(/^\d{1,20}$/)), z.int().check(z.minimum(0))]));

export const SetOverwriteRequestSchema = z.object({
	type: z.literal([0, 1]),
	allow: permissionBits,
	deny: permissionBits,
});

const nsfw = z.nullish(z.boolean());

export const ApplicationCommandCreateRequestSchema = z.extend(spec.ApplicationCommandCreateRequestSchema, { nsfw });
export const ApplicationCommandListRequestSchema = z.array(
	z.extend(spec.ApplicationCommandUpdateRequestSchema, { nsfw }),
);
export const ApplicationCommandPatchRequestPartialSchema = z.extend(spec.ApplicationCommandPatchRequestPartialSchema, {
	nsfw,
});
