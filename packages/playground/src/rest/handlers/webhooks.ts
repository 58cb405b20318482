/** The webhooks of channels. Their messages are in webhook-messages.ts. */
import {
	PermissionFlagsBits,
	type RESTPatchAPIWebhookJSONBody,
	type RESTPostAPIChannelWebhookJSONBody,
} from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Channel, Guild, GuildChannel, Webhook } from "../../simulator/documents.ts";
import type { RestRequest } from "../route.ts";
import { readableChannel, requireChannelPermission } from "../../actions/channel-permissions.ts";

const IN_CHANNEL_MAX = 15;
const FORBIDDEN_NAMES = ["clyde", "discord"] as const;

/** Checks the name of a webhook, also one of a single message. */
export function requireAllowedName(field: "name" | "username", name: string): void {
	const forbidden = FORBIDDEN_NAMES.find((each) => name.toLowerCase().includes(each));
	if (forbidden !== undefined)
		throw apiErrors.invalidField([field], "USERNAME_INVALID_CONTAINS", `Username cannot contain "${forbidden}"`);
}

/** Returns the webhook of the path: by its token, or because the application owns it. */
function webhookOf(request: RestRequest): Webhook {
	const { webhooks, guilds, installs } = request.simulator;
	const token = request.params.get("token");
	if (token !== undefined) return webhooks.authenticate(request.param("webhook"), token);
	const found = webhooks.find(request.param("webhook"));
	const guild = found && guilds.find(found.guildId);
	if (!guild) throw apiErrors.unknownWebhook();
	if (!installs.isMember(guild)) throw apiErrors.unknownGuild();
	return found;
}

/** Returns the webhook of the path for a change of it: by its token, or if the bot may manage it. */
function changeableWebhookOf(request: RestRequest): Webhook {
	const webhook = webhookOf(request);
	if (!request.params.has("token")) requireMayManage(request, webhook.channelId);
	return webhook;
}

function requireMayManage(request: RestRequest, channelId: string): Channel {
	const channel = readableChannel(request, channelId);
	requireChannelPermission(request, channel, PermissionFlagsBits.ManageWebhooks);
	return channel;
}

/** Checks that the channel can have another webhook. */
function requireSpace({ simulator: { webhooks } }: RestRequest, channel: Channel): GuildChannel {
	if (channel.kind === "direct" || channel.thread) throw apiErrors.notInThisChannelType();
	if (webhooks.inChannel(channel.id).length >= IN_CHANNEL_MAX) throw apiErrors.tooManyWebhooks(IN_CHANNEL_MAX);
	return channel;
}

/** Requests with the token of the webhook do not see its creator. */
const toBody = ({ simulator, params }: RestRequest, webhook: Webhook): object =>
	simulator.webhooks.serialize(webhook, { hasUser: !params.has("token") });

export function create(request: RestRequest, channel: Channel): object {
	const { name } = request.body as RESTPostAPIChannelWebhookJSONBody;
	requireAllowedName("name", name);
	const { guildId, id: channelId } = requireSpace(request, channel);
	return toBody(request, request.simulator.webhooks.create({ guildId, channelId, name }));
}

export function listInChannel(request: RestRequest, channel: Channel): object {
	return request.simulator.webhooks.inChannel(channel.id).map((webhook) => toBody(request, webhook));
}

export function listInGuild(request: RestRequest, guild: Guild): object {
	return request.simulator.webhooks.inGuild(guild.id).map((webhook) => toBody(request, webhook));
}

export function read(request: RestRequest): object {
	return toBody(request, webhookOf(request));
}

/** Changes the name, or moves the webhook to another channel of its guild; the schema allows no move by the token. */
export function edit(request: RestRequest): object {
	const { channels, webhooks } = request.simulator;
	const webhook = changeableWebhookOf(request);
	const { name, channel_id: channelId } = request.body as RESTPatchAPIWebhookJSONBody;
	if (channelId != null && channelId !== webhook.channelId) {
		if (channels.find(channelId)?.guildId !== webhook.guildId) throw apiErrors.unknownChannel();
		requireSpace(request, requireMayManage(request, channelId));
	}
	if (name !== undefined) requireAllowedName("name", name);
	const edited = webhooks.edit(webhook, {
		...(name !== undefined && { name }),
		...(channelId != null && { channelId }),
	});
	return toBody(request, edited);
}

export function remove(request: RestRequest): void {
	request.simulator.webhooks.remove(changeableWebhookOf(request));
}
