/**
 * Discord's own OpenAPI description as zod schemas. The package's `types` entry is a script, so the used exports are
 * declared here.
 */
declare module "discord-api-spec/zod" {
	import type { ZodMiniObject, ZodMiniType } from "zod/mini";

	export const ApplicationCommandAutocompleteCallbackRequestSchema: ZodMiniType;
	export const ApplicationCommandCreateRequestSchema: ZodMiniObject;
	export const ApplicationCommandPatchRequestPartialSchema: ZodMiniObject;
	export const ApplicationCommandResponseSchema: ZodMiniType;
	export const ApplicationCommandUpdateRequestSchema: ZodMiniObject;
	export const BanUserFromGuildRequestSchema: ZodMiniType;
	export const CommandPermissionsResponseSchema: ZodMiniType;
	export const CreateMessageInteractionCallbackRequestSchema: ZodMiniType;
	export const CreatePrivateChannelRequestSchema: ZodMiniType;
	export const CreateTextThreadWithMessageRequestSchema: ZodMiniType;
	export const CreatedThreadResponseSchema: ZodMiniType;
	export const CreateTextThreadWithoutMessageRequestSchema: ZodMiniType;
	export const CreateEntitlementRequestDataSchema: ZodMiniType;
	export const EntitlementResponseSchema: ZodMiniObject;
	export const ErrorResponseSchema: ZodMiniType;
	export const GatewayBotResponseSchema: ZodMiniType;
	export const GatewayResponseSchema: ZodMiniType;
	export const GuildBanResponseSchema: ZodMiniType;
	export const GuildChannelResponseSchema: ZodMiniType;
	export const GuildIncomingWebhookResponseSchema: ZodMiniType;
	export const GuildMemberResponseSchema: ZodMiniType;
	export const GuildRoleResponseSchema: ZodMiniType;
	export const GuildWithCountsResponseSchema: ZodMiniType;
	export const IncomingWebhookRequestPartialSchema: ZodMiniType;
	export const IncomingWebhookUpdateRequestPartialSchema: ZodMiniType;
	export const InteractionCallbackResponseSchema: ZodMiniType;
	export const MessageCreateRequestSchema: ZodMiniType;
	export const MessageEditRequestPartialSchema: ZodMiniType;
	export const MessageResponseSchema: ZodMiniType;
	export const ModalInteractionCallbackRequestSchema: ZodMiniType;
	export const MyGuildResponseSchema: ZodMiniType;
	export const OAuth2GetAuthorizationResponseSchema: ZodMiniType;
	export const PollAnswerDetailsResponseSchema: ZodMiniType;
	export const PrivateApplicationResponseSchema: ZodMiniType;
	export const PrivateChannelResponseSchema: ZodMiniType;
	export const PrivateGuildMemberResponseSchema: ZodMiniType;
	export const SnowflakeTypeSchema: ZodMiniType;
	export const ThreadMemberResponseSchema: ZodMiniType;
	export const ThreadsResponseSchema: ZodMiniType;
	export const UpdateMessageInteractionCallbackRequestSchema: ZodMiniType;
	export const UpdateGuildChannelRequestPartialSchema: ZodMiniType;
	export const UpdateThreadRequestPartialSchema: ZodMiniType;
	export const UserPIIResponseSchema: ZodMiniType;
	export const UserResponseSchema: ZodMiniType;
	export const ThreadResponseSchema: ZodMiniType;
}
