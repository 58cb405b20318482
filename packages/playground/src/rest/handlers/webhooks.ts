/** The webhooks of channels. Their messages are in webhook-messages.ts. */
import { PermissionFlagsBits } from "discord-api-types/v10";
import { type ImageData, readImageData } from "../../media/image-data.ts";
import { apiErrors } from "../../simulator/api-error.ts";
import type { Webhook } from "../../simulator/documents.ts";
import type { RestRequest } from "../route.ts";
import { botPermissionsIn, channelOf, requireChannelPermission } from "./channels.ts";
import { guildOf, requireGuildPermission } from "./guilds.ts";

const IN_CHANNEL_MAX = 15;
const AVATAR_BYTES_MAX = 10 * 1024 * 1024;
const FORBIDDEN_NAMES = ["clyde", "discord"] as const;

interface WebhookBody {
	readonly name?: string;
	readonly avatar?: string | null;
	readonly channel_id?: string | null;
}

/** Checks the name of a webhook, also one of a single message. */
export function requireAllowedName(field: "name" | "username", name: string): void {
	const forbidden = FORBIDDEN_NAMES.find((each) => name.toLowerCase().includes(each));
	if (forbidden !== undefined)
		throw apiErrors.invalidField([field], "USERNAME_INVALID_CONTAINS", `Username cannot contain "${forbidden}"`);
}

function avatarOf({ avatar }: WebhookBody): ImageData | null {
	return avatar == null ? null : readImageData("avatar", avatar, AVATAR_BYTES_MAX);
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

export async function create(request: RestRequest): Promise<object> {
	const { webhooks } = request.simulator;
	const channel = channelOf(request);
	if (channel.kind === "direct" || channel.thread) throw apiErrors.notInThisChannelType();
	requireChannelPermission(request, PermissionFlagsBits.ManageWebhooks);
	const body = request.body as WebhookBody & { readonly name: string };
	requireAllowedName("name", body.name);
	if (webhooks.inChannel(channel.id).length >= IN_CHANNEL_MAX) throw apiErrors.tooManyWebhooks(IN_CHANNEL_MAX);
	const fields = { guildId: channel.guildId, channelId: channel.id, name: body.name };
	return toBody(request, await webhooks.create(fields, avatarOf(body)));
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

/** Moves the webhook to another channel of its guild, or changes its name or avatar. */
export async function edit(request: RestRequest): Promise<object> {
	const { channels } = request.simulator;
	const webhook = manageableOf(request);
	const { channel_id: channelId } = request.body as WebhookBody;
	if (channelId != null) {
		const channel = channels.find(channelId);
		if (channel?.guildId !== webhook.guildId) throw apiErrors.unknownChannel();
	}
	return toBody(request, await applyChanges(request, webhook, channelId ?? undefined));
}

export async function editByToken(request: RestRequest): Promise<object> {
	return toBody(request, await applyChanges(request, byToken(request)), false);
}

function applyChanges(request: RestRequest, webhook: Webhook, channelId?: string): Promise<Webhook> {
	const body = request.body as WebhookBody;
	if (body.name !== undefined) requireAllowedName("name", body.name);
	return request.simulator.webhooks.edit(webhook, {
		...(body.name !== undefined && { name: body.name }),
		...(body.avatar !== undefined && { avatar: avatarOf(body) }),
		...(channelId !== undefined && { channelId }),
	});
}

export function remove(request: RestRequest): void {
	request.simulator.webhooks.remove(manageableOf(request));
}

export function removeByToken(request: RestRequest): void {
	request.simulator.webhooks.remove(byToken(request));
}
