/** The webhooks of channels. Their messages are in webhook-messages.ts. */
import {
	PermissionFlagsBits,
	type RESTPatchAPIWebhookJSONBody,
	type RESTPostAPIChannelWebhookJSONBody,
} from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Webhook } from "../../simulator/documents.ts";
import type { RestRequest } from "../route.ts";
import { botPermissionsIn, channelOf, requireChannelPermission } from "./channels.ts";
import { guildOf, requireGuildPermission } from "./guilds.ts";

const IN_CHANNEL_MAX = 15;
const FORBIDDEN_NAMES = ["clyde", "discord"] as const;

/** Checks the name of a webhook, also one of a single message. */
export function requireAllowedName(field: "name" | "username", name: string): void {
	const forbidden = FORBIDDEN_NAMES.find((each) => name.toLowerCase().includes(each));
	if (forbidden !== undefined)
		throw apiErrors.invalidField([field], "USERNAME_INVALID_CONTAINS", `Username cannot contain "${forbidden}"`);
}

/** Returns the webhook of the path if the bot may manage it. */
function manageableOf(request: RestRequest): Webhook {
	const { webhooks, channels, installs } = request.simulator;
	const found = webhooks.find(request.param("webhook"));
	const channel = found && channels.find(found.channelId);
	if (!found || channel?.kind !== "guild") throw apiErrors.unknownWebhook();
	if (!installs.isMember(channel.guild)) throw apiErrors.unknownGuild();
	if ((botPermissionsIn(request, channel) & PermissionFlagsBits.ManageWebhooks) === 0n)
		throw apiErrors.missingPermissions();
	return found;
}

const byToken = ({ simulator, param }: RestRequest): Webhook =>
	simulator.webhooks.authenticate(param("webhook"), param("token"));

const toBody = ({ simulator }: RestRequest, webhook: Webhook, hasUser = true): object =>
	simulator.webhooks.serialize(webhook, { hasUser });

export function create(request: RestRequest): object {
	const { webhooks } = request.simulator;
	const channel = channelOf(request);
	if (channel.kind === "direct" || channel.thread) throw apiErrors.notInThisChannelType();
	requireChannelPermission(request, PermissionFlagsBits.ManageWebhooks);
	const body = request.body as RESTPostAPIChannelWebhookJSONBody;
	requireAllowedName("name", body.name);
	if (webhooks.inChannel(channel.id).length >= IN_CHANNEL_MAX) throw apiErrors.tooManyWebhooks(IN_CHANNEL_MAX);
	const fields = { guildId: channel.guildId, channelId: channel.id, name: body.name };
	return toBody(request, webhooks.create(fields));
}

export function listInChannel(request: RestRequest): object {
	const { id } = channelOf(request);
	requireChannelPermission(request, PermissionFlagsBits.ManageWebhooks);
	return request.simulator.webhooks.inChannel(id).map((webhook) => toBody(request, webhook));
}

export function listInGuild(request: RestRequest): object {
	const guild = guildOf(request);
	requireGuildPermission(request, guild, PermissionFlagsBits.ManageWebhooks);
	return request.simulator.webhooks.inGuild(guild.id).map((webhook) => toBody(request, webhook));
}

export function read(request: RestRequest): object {
	return toBody(request, manageableOf(request));
}

export function readByToken(request: RestRequest): object {
	return toBody(request, byToken(request), false);
}

/** Moves the webhook to another channel of its guild, or changes its name. */
export function edit(request: RestRequest): object {
	const { channels } = request.simulator;
	const webhook = manageableOf(request);
	const { channel_id: channelId } = request.body as RESTPatchAPIWebhookJSONBody;
	if (channelId != null) {
		const channel = channels.find(channelId);
		if (channel?.guildId !== webhook.guildId) throw apiErrors.unknownChannel();
	}
	return toBody(request, applyChanges(request, webhook, channelId ?? undefined));
}

export function editByToken(request: RestRequest): object {
	return toBody(request, applyChanges(request, byToken(request)), false);
}

function applyChanges(request: RestRequest, webhook: Webhook, channelId?: string): Webhook {
	const body = request.body as RESTPatchAPIWebhookJSONBody;
	if (body.name !== undefined) requireAllowedName("name", body.name);
	return request.simulator.webhooks.edit(webhook, {
		...(body.name !== undefined && { name: body.name }),
		...(channelId !== undefined && { channelId }),
	});
}

export function remove(request: RestRequest): void {
	request.simulator.webhooks.remove(manageableOf(request));
}

export function removeByToken(request: RestRequest): void {
	request.simulator.webhooks.remove(byToken(request));
}
