/** The supported part of Discord's REST API, below /api and below each version. Everything else is 404 with code 0. */
import * as channels from "./handlers/channels.ts";
import { type CommandHandlers, commandHandlers, permissions } from "./handlers/commands.ts";
import * as guilds from "./handlers/guilds.ts";
import * as identity from "./handlers/identity.ts";
import * as interactions from "./handlers/interactions.ts";
import * as webhooks from "./handlers/webhooks.ts";
import * as shop from "./handlers/entitlements.ts";
import type { Route } from "./route.ts";

type Row = (
	method: Route["method"],
	path: string,
	handle: Route["handle"],
	schemas?: Pick<Route, "takes" | "takesList" | "answers">,
) => Route;

/** Routes with the bot's token in the Authorization header. */
const bot: Row = (method, path, handle, schemas = {}) => ({ method, path, handle, ...schemas, auth: "bot" });
/** Routes with a token in the path, or without authentication. */
const open: Row = (method, path, handle, schemas = {}) => ({ method, path, handle, ...schemas, auth: "path" });

const COMMANDS = "/applications/:application/commands";
const GUILD_COMMANDS = "/applications/:application/guilds/:guild/commands";
const ENTITLEMENTS = "/applications/:application/entitlements";
const CALLBACK = "/interactions/:interaction/:token/callback";
const WEBHOOK = "/webhooks/:application/:token";
const REPLY = `${WEBHOOK}/messages/:message`;
const MESSAGES = "/channels/:channel/messages";
const MESSAGE = `${MESSAGES}/:message`;

const command = "ApplicationCommandResponse";
const message = "MessageResponse";
const application = "PrivateApplicationResponse";
const entitlement = "EntitlementResponse";

function commandRoutes(path: string, handle: CommandHandlers): Route[] {
	return [
		bot("GET", path, handle.list, { answers: command }),
		bot("POST", path, handle.create, { takes: "ApplicationCommandCreateRequest", answers: command }),
		bot("PUT", path, handle.replaceAll, {
			takes: "ApplicationCommandUpdateRequest",
			takesList: true,
			answers: command,
		}),
		bot("GET", `${path}/:command`, handle.read, { answers: command }),
		bot("PATCH", `${path}/:command`, handle.change, {
			takes: "ApplicationCommandPatchRequestPartial",
			answers: command,
		}),
		bot("DELETE", `${path}/:command`, handle.remove),
	];
}

export const routes: readonly Route[] = [
	open("GET", "/gateway", identity.gateway, { answers: "GatewayResponse" }),
	bot("GET", "/gateway/bot", identity.gatewayBot, { answers: "GatewayBotResponse" }),
	bot("GET", "/users/@me", identity.me, { answers: "UserPIIResponse" }),
	bot("GET", "/users/:user", identity.user, { answers: "UserResponse" }),
	bot("GET", "/applications/@me", identity.application, { answers: application }),
	bot("GET", "/oauth2/applications/@me", identity.application, { answers: application }),

	...commandRoutes(COMMANDS, commandHandlers(false)),
	...commandRoutes(GUILD_COMMANDS, commandHandlers(true)),
	bot("GET", `${GUILD_COMMANDS}/:command/permissions`, permissions, { answers: "CommandPermissionsResponse" }),

	bot("GET", "/applications/:application/skus", shop.items),
	bot("GET", ENTITLEMENTS, shop.list, { answers: entitlement }),
	bot("POST", ENTITLEMENTS, shop.createTest, { takes: "CreateEntitlementRequestData", answers: entitlement }),
	bot("GET", `${ENTITLEMENTS}/:entitlement`, shop.read, { answers: entitlement }),
	bot("POST", `${ENTITLEMENTS}/:entitlement/consume`, shop.consume),
	bot("DELETE", `${ENTITLEMENTS}/:entitlement`, shop.removeTest),

	open("POST", CALLBACK, interactions.callback, {
		takes: interactions.callbackSchema,
		answers: "InteractionCallbackResponse",
	}),
	open("POST", WEBHOOK, webhooks.followUp, { takes: "IncomingWebhookRequestPartial", answers: message }),
	open("GET", REPLY, webhooks.read, { answers: message }),
	open("PATCH", REPLY, webhooks.edit, { takes: "IncomingWebhookUpdateRequestPartial", answers: message }),
	open("DELETE", REPLY, webhooks.remove),

	bot("POST", "/users/@me/channels", channels.openDirect, {
		takes: "CreatePrivateChannelRequest",
		answers: "PrivateChannelResponse",
	}),
	bot("GET", "/channels/:channel", channels.read),
	bot("GET", MESSAGES, channels.listMessages, { answers: message }),
	bot("POST", MESSAGES, channels.createMessage, { takes: "MessageCreateRequest", answers: message }),
	bot("GET", MESSAGE, channels.readMessage, { answers: message }),
	bot("PATCH", MESSAGE, channels.editMessage, { takes: "MessageEditRequestPartial", answers: message }),
	bot("DELETE", MESSAGE, channels.deleteMessage),

	bot("GET", "/guilds/:guild", guilds.read, { answers: "GuildWithCountsResponse" }),
	bot("GET", "/guilds/:guild/channels", guilds.channels, { answers: "GuildChannelResponse" }),
	bot("GET", "/guilds/:guild/members/:user", guilds.member, { answers: "GuildMemberResponse" }),
];
