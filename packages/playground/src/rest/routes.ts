/** The supported part of Discord's REST API, below /api and below each version. Everything else is 404 with code 0. */
import { PermissionFlagsBits as Permission } from "discord-api-types/v10";
import * as channels from "./handlers/channels.ts";
import * as commands from "./handlers/commands.ts";
import * as entitlements from "./handlers/entitlements.ts";
import * as guilds from "./handlers/guilds.ts";
import * as identity from "./handlers/identity.ts";
import * as interactions from "./handlers/interactions.ts";
import * as messages from "./handlers/messages.ts";
import * as moderation from "./handlers/moderation.ts";
import * as oauth2 from "./handlers/oauth2.ts";
import * as polls from "./handlers/polls.ts";
import * as reactions from "./handlers/reactions.ts";
import * as threads from "./handlers/threads.ts";
import * as webhookMessages from "./handlers/webhook-messages.ts";
import * as webhooks from "./handlers/webhooks.ts";
import type { SchemaName } from "../schema/schema-patches.ts";
import { apiErrors } from "../simulator/api-error.ts";
import type { Channel, Guild } from "../simulator/documents.ts";
import type { RestRequest, Route } from "./route.ts";

type Options = Omit<Route, "method" | "path" | "handle" | "auth">;
type Row = (method: Route["method"], path: string, handle: Route["handle"], options?: Options) => Route;
/** A row whose handler gets the channel or the guild of the path. The bot needs `permission` there. */
type RowIn<Place> = (
	method: Route["method"],
	path: string,
	handle: (request: RestRequest, place: Place) => ReturnType<Route["handle"]>,
	options?: Options & { readonly permission?: bigint },
) => Route;

/** Routes with the bot's token in the Authorization header. */
const bot: Row = (method, path, handle, options = {}) => ({ method, path, handle, ...options, auth: "bot" });
const inChannel: RowIn<Channel> = (method, path, handle, { permission, ...options } = {}) =>
	bot(method, path, (request) => handle(request, channels.channelInPath(request, permission)), options);
const inGuild: RowIn<Guild> = (method, path, handle, { permission, ...options } = {}) =>
	bot(method, path, (request) => handle(request, guilds.guildInPath(request, permission)), options);
/** Routes with the access token of a user. */
const user: Row = (method, path, handle, options = {}) => ({ method, path, handle, ...options, auth: "user" });
/** Routes without the Authorization header: they check a token in the path or in the body, or protect nothing. */
const none: Row = (method, path, handle, options = {}) => ({ method, path, handle, ...options, auth: "none" });

const COMMANDS = "/applications/:application/commands";
const GUILD_COMMANDS = "/applications/:application/guilds/:guild/commands";
const ENTITLEMENTS = "/applications/:application/entitlements";
const CALLBACK = "/interactions/:interaction/:token/callback";
const WEBHOOK = "/webhooks/:webhook";
/** Also the webhook of an interaction, whose id is that of the application. */
const WEBHOOK_BY_TOKEN = `${WEBHOOK}/:token`;
const WEBHOOK_MESSAGE = `${WEBHOOK_BY_TOKEN}/messages/:message`;
const MESSAGES = "/channels/:channel/messages";
const MESSAGE = `${MESSAGES}/:message`;
const OVERWRITE = "/channels/:channel/permissions/:overwrite";
const MEMBERS = "/guilds/:guild/members";
const MEMBER = `${MEMBERS}/:user`;
const BANS = "/guilds/:guild/bans";
const THREADS = "/channels/:channel/threads";
const THREAD_MEMBERS = "/channels/:channel/thread-members";
const REACTIONS = `${MESSAGE}/reactions`;
const REACTION = `${REACTIONS}/:emoji`;

const command = "ApplicationCommandResponse";
const message = "MessageResponse";
const application = "PrivateApplicationResponse";
const entitlement = "EntitlementResponse";
const webhook = "GuildIncomingWebhookResponse";
const thread = "ThreadResponse";
const threadMember = "ThreadMemberResponse";

function commandRoutes(path: string): Route[] {
	return [
		bot("GET", path, commands.list, { responseSchema: command }),
		bot("POST", path, commands.create, { requestSchema: "ApplicationCommandCreateRequest", responseSchema: command }),
		bot("PUT", path, commands.replaceAll, {
			requestSchema: "ApplicationCommandListRequest",
			responseSchema: command,
		}),
		bot("GET", `${path}/:command`, commands.read, { responseSchema: command }),
		bot("PATCH", `${path}/:command`, commands.edit, {
			requestSchema: "ApplicationCommandPatchRequestPartial",
			responseSchema: command,
		}),
		bot("DELETE", `${path}/:command`, commands.remove),
	];
}

function channelSchema(channel: object): SchemaName {
	if ("recipients" in channel) return "PrivateChannelResponse";
	return "thread_metadata" in channel ? thread : "GuildChannelResponse";
}

function missing(): never {
	throw apiErrors.notFound();
}

export const routes: readonly Route[] = [
	none("GET", "/gateway", identity.gateway, { responseSchema: "GatewayResponse" }),
	bot("GET", "/gateway/bot", identity.gatewayBot, { responseSchema: "GatewayBotResponse" }),
	bot("GET", "/users/@me", identity.me, { responseSchema: "UserPIIResponse", scope: "identify" }),
	bot("GET", "/users/@me/guilds", guilds.listOwn, {
		responseSchema: "MyGuildResponse",
		scope: "guilds",
		requestsPerSecond: 1,
	}),
	bot("GET", "/users/:user", identity.user, { responseSchema: "UserResponse" }),
	bot("GET", "/applications/@me", identity.application, { responseSchema: application }),
	bot("GET", "/oauth2/applications/@me", identity.application, { responseSchema: application }),
	user("GET", "/oauth2/@me", oauth2.authorization, { responseSchema: "OAuth2GetAuthorizationResponse" }),
	none("POST", "/oauth2/token", oauth2.token, { isForm: true }),
	none("POST", "/oauth2/token/revoke", oauth2.revoke, { isForm: true }),

	...commandRoutes(COMMANDS),
	...commandRoutes(GUILD_COMMANDS),
	bot("GET", `${GUILD_COMMANDS}/permissions`, commands.allPermissions, {
		responseSchema: "CommandPermissionsResponse",
	}),
	bot("GET", `${GUILD_COMMANDS}/:command/permissions`, commands.permissions, {
		responseSchema: "CommandPermissionsResponse",
	}),

	bot("GET", "/applications/:application/emojis", identity.listEmojis),
	bot("GET", "/applications/:application/skus", entitlements.skus),
	bot("GET", ENTITLEMENTS, entitlements.list, { responseSchema: entitlement }),
	bot("POST", ENTITLEMENTS, entitlements.createTest, {
		requestSchema: "CreateEntitlementRequestData",
		responseSchema: entitlement,
	}),
	bot("GET", `${ENTITLEMENTS}/:entitlement`, entitlements.read, { responseSchema: entitlement }),
	bot("POST", `${ENTITLEMENTS}/:entitlement/consume`, entitlements.consume),
	bot("DELETE", `${ENTITLEMENTS}/:entitlement`, entitlements.removeTest),

	none("POST", CALLBACK, interactions.callback, {
		requestSchema: interactions.callbackSchema,
		responseSchema: "InteractionCallbackResponse",
	}),
	inChannel("GET", "/channels/:channel/webhooks", webhooks.listInChannel, {
		permission: Permission.ManageWebhooks,
		responseSchema: webhook,
	}),
	inChannel("POST", "/channels/:channel/webhooks", webhooks.create, {
		permission: Permission.ManageWebhooks,
		requestSchema: "CreateWebhookRequest",
		responseSchema: webhook,
	}),
	inGuild("GET", "/guilds/:guild/webhooks", webhooks.listInGuild, {
		permission: Permission.ManageWebhooks,
		responseSchema: webhook,
	}),
	bot("GET", WEBHOOK, webhooks.read, { responseSchema: webhook }),
	bot("PATCH", WEBHOOK, webhooks.edit, { requestSchema: "UpdateWebhookRequest", responseSchema: webhook }),
	bot("DELETE", WEBHOOK, webhooks.remove),
	none("GET", WEBHOOK_BY_TOKEN, webhooks.read, { responseSchema: webhook }),
	none("PATCH", WEBHOOK_BY_TOKEN, webhooks.edit, {
		requestSchema: "UpdateWebhookByTokenRequest",
		responseSchema: webhook,
	}),
	none("DELETE", WEBHOOK_BY_TOKEN, webhooks.remove),
	none("POST", WEBHOOK_BY_TOKEN, webhookMessages.create, {
		requestSchema: "IncomingWebhookRequestPartial",
		responseSchema: message,
	}),
	none("GET", WEBHOOK_MESSAGE, webhookMessages.read, { responseSchema: message }),
	none("PATCH", WEBHOOK_MESSAGE, webhookMessages.edit, {
		requestSchema: "IncomingWebhookUpdateRequestPartial",
		responseSchema: message,
	}),
	none("DELETE", WEBHOOK_MESSAGE, webhookMessages.remove),

	bot("POST", "/users/@me/channels", channels.openDirect, {
		requestSchema: "CreatePrivateChannelRequest",
		responseSchema: "PrivateChannelResponse",
	}),
	inChannel("GET", "/channels/:channel", channels.read, { responseSchema: channelSchema }),
	inChannel("PATCH", "/channels/:channel", channels.edit, { responseSchema: channelSchema }),
	inChannel("PUT", OVERWRITE, channels.setOverwrite, {
		permission: Permission.ManageRoles,
		requestSchema: "SetOverwriteRequest",
	}),
	inChannel("DELETE", OVERWRITE, channels.removeOverwrite, { permission: Permission.ManageRoles }),
	inChannel("DELETE", "/channels/:channel", threads.remove, { responseSchema: thread }),
	inChannel("POST", "/channels/:channel/typing", messages.startTyping),
	inChannel("GET", MESSAGES, messages.list, { responseSchema: message }),
	inChannel("POST", MESSAGES, messages.create, {
		requestSchema: "MessageCreateRequest",
		responseSchema: message,
	}),
	inChannel("POST", `${MESSAGES}/bulk-delete`, messages.bulkDelete, {
		permission: Permission.ManageMessages,
		requestSchema: "BulkDeleteMessagesRequest",
	}),
	// Not a message with an invalid id, but a route of Discord that is missing here.
	bot("GET", `${MESSAGES}/pins`, missing),
	inChannel("GET", MESSAGE, messages.read, { responseSchema: message }),
	inChannel("PATCH", MESSAGE, messages.edit, {
		requestSchema: "MessageEditRequestPartial",
		responseSchema: message,
	}),
	inChannel("DELETE", MESSAGE, messages.remove),
	inChannel("DELETE", REACTIONS, reactions.removeAll, { permission: Permission.ManageMessages }),
	inChannel("GET", REACTION, reactions.list, { responseSchema: "UserResponse" }),
	inChannel("DELETE", REACTION, reactions.removeEmoji, { permission: Permission.ManageMessages }),
	inChannel("PUT", `${REACTION}/@me`, reactions.add),
	inChannel("DELETE", `${REACTION}/:userOrMe`, reactions.remove),
	inChannel("POST", `${MESSAGE}/threads`, threads.createFromMessage, {
		requestSchema: "CreateTextThreadWithMessageRequest",
		responseSchema: thread,
	}),
	inChannel("GET", "/channels/:channel/polls/:message/answers/:answer", polls.voters, {
		responseSchema: "PollAnswerDetailsResponse",
	}),
	inChannel("POST", "/channels/:channel/polls/:message/expire", polls.expire, { responseSchema: message }),

	inChannel("POST", THREADS, threads.create, {
		requestSchema: "CreateTextThreadWithoutMessageRequest",
		responseSchema: "CreatedThreadResponse",
	}),
	inChannel("GET", `${THREADS}/archived/public`, threads.listArchivedPublic, { responseSchema: "ThreadsResponse" }),
	inChannel("GET", `${THREADS}/archived/private`, threads.listArchivedPrivate, {
		permission: Permission.ManageThreads,
		responseSchema: "ThreadsResponse",
	}),
	inChannel("GET", "/channels/:channel/users/@me/threads/archived/private", threads.listJoinedPrivate, {
		responseSchema: "ThreadsResponse",
	}),
	inGuild("GET", "/guilds/:guild/threads/active", threads.listActive, { responseSchema: "ThreadsResponse" }),
	inChannel("GET", THREAD_MEMBERS, threads.listMembers, { responseSchema: threadMember }),
	inChannel("GET", `${THREAD_MEMBERS}/:userOrMe`, threads.member, { responseSchema: threadMember }),
	inChannel("PUT", `${THREAD_MEMBERS}/:userOrMe`, threads.addMember),
	inChannel("DELETE", `${THREAD_MEMBERS}/:userOrMe`, threads.removeMember),

	inGuild("GET", "/guilds/:guild", guilds.read, { responseSchema: "GuildWithCountsResponse" }),
	inGuild("GET", "/guilds/:guild/channels", guilds.listChannels, { responseSchema: "GuildChannelResponse" }),
	inGuild("GET", "/guilds/:guild/roles", guilds.listRoles, { responseSchema: "GuildRoleResponse" }),
	// Not a role with an invalid id, but a route of Discord that is missing here.
	bot("GET", "/guilds/:guild/roles/member-counts", missing),
	inGuild("GET", "/guilds/:guild/roles/:role", guilds.readRole, { responseSchema: "GuildRoleResponse" }),
	inGuild("GET", "/guilds/:guild/emojis", guilds.listEmojis),
	inGuild("GET", MEMBERS, guilds.listMembers, { responseSchema: "GuildMemberResponse" }),
	inGuild("PATCH", `${MEMBERS}/@me`, moderation.editOwnMember, {
		requestSchema: "UpdateMyGuildMemberRequest",
		responseSchema: "PrivateGuildMemberResponse",
	}),
	inGuild("PATCH", `${MEMBERS}/@me/nick`, moderation.editOwnNickname, {
		requestSchema: "UpdateMyGuildMemberRequest",
	}),
	inGuild("PATCH", MEMBER, moderation.editMember, {
		requestSchema: "UpdateGuildMemberRequest",
		responseSchema: "GuildMemberResponse",
	}),
	inGuild("DELETE", MEMBER, moderation.kick, { permission: Permission.KickMembers }),
	inGuild("PUT", `${MEMBER}/roles/:role`, moderation.addRole, { permission: Permission.ManageRoles }),
	inGuild("DELETE", `${MEMBER}/roles/:role`, moderation.removeRole, { permission: Permission.ManageRoles }),
	inGuild("GET", BANS, moderation.listBans, { permission: Permission.BanMembers, responseSchema: "GuildBanResponse" }),
	inGuild("GET", `${BANS}/:user`, moderation.readBan, {
		permission: Permission.BanMembers,
		responseSchema: "GuildBanResponse",
	}),
	inGuild("PUT", `${BANS}/:user`, moderation.ban, {
		permission: Permission.BanMembers,
		requestSchema: "BanUserFromGuildRequest",
	}),
	inGuild("DELETE", `${BANS}/:user`, moderation.unban, { permission: Permission.BanMembers }),
	inGuild("GET", `${MEMBERS}/search`, guilds.searchMembers, { responseSchema: "GuildMemberResponse" }),
	inGuild("GET", MEMBER, guilds.member, { responseSchema: "GuildMemberResponse" }),
];
