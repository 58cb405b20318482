/** The supported part of Discord's REST API, below /api and below each version. Everything else is 404 with code 0. */
import * as channels from "./handlers/channels.ts";
import * as commands from "./handlers/commands.ts";
import * as entitlements from "./handlers/entitlements.ts";
import * as guilds from "./handlers/guilds.ts";
import * as identity from "./handlers/identity.ts";
import * as interactions from "./handlers/interactions.ts";
import * as moderation from "./handlers/moderation.ts";
import * as oauth2 from "./handlers/oauth2.ts";
import * as polls from "./handlers/polls.ts";
import * as reactions from "./handlers/reactions.ts";
import * as threads from "./handlers/threads.ts";
import * as webhookMessages from "./handlers/webhook-messages.ts";
import * as webhooks from "./handlers/webhooks.ts";
import { apiErrors } from "../simulator/api-error.ts";
import type { Route } from "./route.ts";

type Row = (
	method: Route["method"],
	path: string,
	handle: Route["handle"],
	options?: Omit<Route, "method" | "path" | "handle" | "auth">,
) => Route;

/** Routes with the bot's token in the Authorization header. */
const bot: Row = (method, path, handle, options = {}) => ({ method, path, handle, ...options, auth: "bot" });
/** Routes with the access token of a user. */
const user: Row = (method, path, handle, options = {}) => ({ method, path, handle, ...options, auth: "user" });
/** Routes with a token in the path, with a check by the handler, or without authentication. */
const open: Row = (method, path, handle, options = {}) => ({ method, path, handle, ...options, auth: "path" });

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
			requestSchema: "ApplicationCommandUpdateRequest",
			isList: true,
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

function missing(): never {
	throw apiErrors.notFound();
}

export const routes: readonly Route[] = [
	open("GET", "/gateway", identity.gateway, { responseSchema: "GatewayResponse" }),
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
	open("POST", "/oauth2/token", oauth2.token, { isForm: true }),
	open("POST", "/oauth2/token/revoke", oauth2.revoke, { isForm: true }),

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

	open("POST", CALLBACK, interactions.callback, {
		requestSchema: interactions.callbackSchema,
		responseSchema: "InteractionCallbackResponse",
	}),
	bot("GET", "/channels/:channel/webhooks", webhooks.listInChannel, { responseSchema: webhook }),
	bot("POST", "/channels/:channel/webhooks", webhooks.create, {
		requestSchema: "CreateWebhookRequest",
		responseSchema: webhook,
	}),
	bot("GET", "/guilds/:guild/webhooks", webhooks.listInGuild, { responseSchema: webhook }),
	bot("GET", WEBHOOK, webhooks.read, { responseSchema: webhook }),
	bot("PATCH", WEBHOOK, webhooks.edit, { requestSchema: "UpdateWebhookRequest", responseSchema: webhook }),
	bot("DELETE", WEBHOOK, webhooks.remove),
	open("GET", WEBHOOK_BY_TOKEN, webhooks.readByToken, { responseSchema: webhook }),
	open("PATCH", WEBHOOK_BY_TOKEN, webhooks.editByToken, {
		requestSchema: "UpdateWebhookByTokenRequest",
		responseSchema: webhook,
	}),
	open("DELETE", WEBHOOK_BY_TOKEN, webhooks.removeByToken),
	open("POST", WEBHOOK_BY_TOKEN, webhookMessages.create, {
		requestSchema: "IncomingWebhookRequestPartial",
		responseSchema: message,
	}),
	open("GET", WEBHOOK_MESSAGE, webhookMessages.read, { responseSchema: message }),
	open("PATCH", WEBHOOK_MESSAGE, webhookMessages.edit, {
		requestSchema: "IncomingWebhookUpdateRequestPartial",
		responseSchema: message,
	}),
	open("DELETE", WEBHOOK_MESSAGE, webhookMessages.remove),

	bot("POST", "/users/@me/channels", channels.openDirect, {
		requestSchema: "CreatePrivateChannelRequest",
		responseSchema: "PrivateChannelResponse",
	}),
	bot("GET", "/channels/:channel", channels.read),
	bot("PATCH", "/channels/:channel", threads.edit, { responseSchema: thread }),
	bot("DELETE", "/channels/:channel", threads.remove, { responseSchema: thread }),
	bot("POST", "/channels/:channel/typing", channels.startTyping),
	bot("GET", MESSAGES, channels.listMessages, { responseSchema: message }),
	bot("POST", MESSAGES, channels.createMessage, { requestSchema: "MessageCreateRequest", responseSchema: message }),
	bot("POST", `${MESSAGES}/bulk-delete`, channels.bulkDelete, { requestSchema: "BulkDeleteMessagesRequest" }),
	// Not a message with an invalid id, but a route of Discord that is missing here.
	bot("GET", `${MESSAGES}/pins`, missing),
	bot("GET", MESSAGE, channels.readMessage, { responseSchema: message }),
	bot("PATCH", MESSAGE, channels.editMessage, { requestSchema: "MessageEditRequestPartial", responseSchema: message }),
	bot("DELETE", MESSAGE, channels.deleteMessage),
	bot("DELETE", REACTIONS, reactions.removeAll),
	bot("GET", REACTION, reactions.list, { responseSchema: "UserResponse" }),
	bot("DELETE", REACTION, reactions.removeEmoji),
	bot("PUT", `${REACTION}/@me`, reactions.add),
	bot("DELETE", `${REACTION}/@me`, reactions.removeOwn),
	bot("DELETE", `${REACTION}/:user`, reactions.removeOfUser),
	bot("POST", `${MESSAGE}/threads`, threads.createFromMessage, {
		requestSchema: "CreateTextThreadWithMessageRequest",
		responseSchema: thread,
	}),
	bot("GET", "/channels/:channel/polls/:message/answers/:answer", polls.voters, {
		responseSchema: "PollAnswerDetailsResponse",
	}),
	bot("POST", "/channels/:channel/polls/:message/expire", polls.expire, { responseSchema: message }),

	bot("POST", THREADS, threads.create, {
		requestSchema: "CreateTextThreadWithoutMessageRequest",
		responseSchema: "CreatedThreadResponse",
	}),
	bot("GET", `${THREADS}/archived/public`, threads.listArchivedPublic, { responseSchema: "ThreadsResponse" }),
	bot("GET", `${THREADS}/archived/private`, threads.listArchivedPrivate, { responseSchema: "ThreadsResponse" }),
	bot("GET", "/channels/:channel/users/@me/threads/archived/private", threads.listJoinedPrivate, {
		responseSchema: "ThreadsResponse",
	}),
	bot("GET", "/guilds/:guild/threads/active", threads.listActive, { responseSchema: "ThreadsResponse" }),
	bot("GET", THREAD_MEMBERS, threads.listMembers, { responseSchema: threadMember }),
	bot("GET", `${THREAD_MEMBERS}/@me`, threads.ownMember, { responseSchema: threadMember }),
	bot("PUT", `${THREAD_MEMBERS}/@me`, threads.join),
	bot("DELETE", `${THREAD_MEMBERS}/@me`, threads.leave),
	bot("GET", `${THREAD_MEMBERS}/:user`, threads.member, { responseSchema: threadMember }),
	bot("PUT", `${THREAD_MEMBERS}/:user`, threads.addMember),
	bot("DELETE", `${THREAD_MEMBERS}/:user`, threads.removeMember),

	bot("GET", "/guilds/:guild", guilds.read, { responseSchema: "GuildWithCountsResponse" }),
	bot("GET", "/guilds/:guild/channels", guilds.listChannels, { responseSchema: "GuildChannelResponse" }),
	bot("GET", "/guilds/:guild/roles", guilds.listRoles, { responseSchema: "GuildRoleResponse" }),
	// Not a role with an invalid id, but a route of Discord that is missing here.
	bot("GET", "/guilds/:guild/roles/member-counts", missing),
	bot("GET", "/guilds/:guild/roles/:role", guilds.readRole, { responseSchema: "GuildRoleResponse" }),
	bot("GET", "/guilds/:guild/emojis", guilds.listEmojis),
	bot("GET", MEMBERS, guilds.listMembers, { responseSchema: "GuildMemberResponse" }),
	bot("PATCH", `${MEMBERS}/@me`, moderation.editOwnMember, {
		requestSchema: "UpdateMyGuildMemberRequest",
		responseSchema: "PrivateGuildMemberResponse",
	}),
	bot("PATCH", MEMBER, moderation.editMember, {
		requestSchema: "UpdateGuildMemberRequest",
		responseSchema: "GuildMemberResponse",
	}),
	bot("DELETE", MEMBER, moderation.kick),
	bot("PUT", `${MEMBER}/roles/:role`, moderation.addRole),
	bot("DELETE", `${MEMBER}/roles/:role`, moderation.removeRole),
	bot("GET", BANS, moderation.listBans, { responseSchema: "GuildBanResponse" }),
	bot("GET", `${BANS}/:user`, moderation.readBan, { responseSchema: "GuildBanResponse" }),
	bot("PUT", `${BANS}/:user`, moderation.ban, { requestSchema: "BanUserFromGuildRequest" }),
	bot("DELETE", `${BANS}/:user`, moderation.unban),
	bot("GET", `${MEMBERS}/search`, guilds.searchMembers, { responseSchema: "GuildMemberResponse" }),
	bot("GET", MEMBER, guilds.member, { responseSchema: "GuildMemberResponse" }),
];
