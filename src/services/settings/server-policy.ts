/** Decides whether a server's settings allow a request, apart from its limits and its moderation rules. No I/O. */
import { channelMention, nameOf, roleMention, shortList, toTimestampS } from "../../i18n/message-param-values.ts";
import { discordOptionName, type MediaType } from "@atelier/media-protocol/model";
import type { GenerationRequest } from "../generation/request.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import type { MemberWithRoles } from "../access/member.ts";
import type { RequestChannel } from "../access/request-channel.ts";
import { channelDefaultsIn } from "./channel-defaults.ts";
import type { GuildSettings, Block } from "./guild-settings.ts";
import type { Denial } from "../user-error.ts";
import { BLOCK_REASON_CHARS_MAX, PAUSE_CHARS_MAX } from "@atelier/dashboard/limits";
import { findFilterMatch } from "./word-filter.ts";

/** The number of channels or roles that a denial names. */
const MENTIONS_MAX = 10;
/** The longest quotation of the filtered words in a denial. */
const MATCH_CHARS_MAX = 60;

type RequestedGeneration = Pick<
	GenerationRequest,
	"mediaType" | "model" | "modelName" | "needsAgeRestrictedChannel" | "prompt" | "options"
>;

/** Returns the denial, or `undefined` for an allowed request. Checks the server first and the prompt last. */
export function denialReason(
	settings: GuildSettings,
	request: RequestedGeneration,
	member: MemberWithRoles,
	channel: RequestChannel,
	nowMs: number,
): Denial | undefined {
	return (
		generalDenialReason(settings, member, channel, nowMs) ??
		modelDenial(settings, request, channel) ??
		wordDenial(settings, request)
	);
}

/** Returns the denial that applies to every request of this member in this channel; `undefined` without one. */
export function generalDenialReason(
	settings: GuildSettings,
	member: MemberWithRoles,
	channel: RequestChannel,
	nowMs: number,
): Denial | undefined {
	return pauseDenial(settings) ?? memberDenial(settings, member, nowMs) ?? channelDenial(settings, channel);
}

/** Returns the member's block; `undefined` without one, or once it has expired. */
export function activeBlock({ blocks }: GuildSettings, userId: string, nowMs: number): Block | undefined {
	const block = Object.hasOwn(blocks, userId) ? blocks[userId] : undefined;
	return block && (block.untilMs === null || block.untilMs > nowMs) ? block : undefined;
}

/** Returns the blocks that have not expired, newest first. */
export function activeBlocks(settings: GuildSettings, nowMs: number): readonly (Block & { readonly userId: string })[] {
	return Object.entries(settings.blocks)
		.filter(([userId]) => activeBlock(settings, userId, nowMs))
		.map(([userId, block]) => ({ userId, ...block }))
		.toSorted((one, other) => other.atMs - one.atMs);
}

/** Returns where a media type is off: in the whole server, or only in this channel; `undefined` if it is on. */
export function whereMediaTypeIsOff(
	settings: GuildSettings,
	mediaType: MediaType,
	{ channelIds }: Pick<RequestChannel, "channelIds">,
): "server" | "channel" | undefined {
	if (settings.access.mediaOff.includes(mediaType)) return "server";
	return channelDefaultsIn(settings, channelIds).mediaOff.includes(mediaType) ? "channel" : undefined;
}

/** Returns whether the server offers the model in this channel. */
export function isModelEnabled(
	{ access }: GuildSettings,
	model: { readonly id: string; readonly ageRestricted: boolean },
	channel: Pick<RequestChannel, "isAgeRestricted">,
): boolean {
	return !access.modelsOff.includes(model.id) && (channel.isAgeRestricted === true || !model.ageRestricted);
}

function pauseDenial({ access: { paused } }: GuildSettings): Denial | undefined {
	if (!paused) return undefined;
	const note = paused.message === null ? null : quote(paused.message, PAUSE_CHARS_MAX);
	return { key: "access.paused", params: { note } };
}

function memberDenial(
	settings: GuildSettings,
	{ userId, roleIds }: MemberWithRoles,
	nowMs: number,
): Denial | undefined {
	const block = activeBlock(settings, userId, nowMs);
	if (block) {
		const untilS = block.untilMs === null ? null : toTimestampS(block.untilMs);
		return { key: "access.blocked", params: { reason: quote(block.reason, BLOCK_REASON_CHARS_MAX), untilS } };
	}
	const { allowed, denied } = settings.access.roles;
	const deniedId = roleIds.find((id) => denied.includes(id));
	if (deniedId !== undefined) return { key: "access.roleDenied", params: { roleId: deniedId } };
	if (allowed.length === 0 || roleIds.some((id) => allowed.includes(id))) return undefined;
	return { key: "access.roleNeeded", params: { roles: shortList(allowed.map(roleMention), MENTIONS_MAX) } };
}

/** A thread's own rule overrides that of its channel. */
function channelDenial({ access }: GuildSettings, { channelIds }: RequestChannel): Denial | undefined {
	const { allowed, denied } = access.channels;
	for (const id of channelIds) {
		if (denied.includes(id))
			return allowed.length === 0 ? { key: "access.channelDenied", remedy: "help" } : denialWithChannels(allowed);
		if (allowed.includes(id)) return undefined;
	}
	return allowed.length === 0 ? undefined : denialWithChannels(allowed);
}

function denialWithChannels(allowed: readonly string[]): Denial {
	const channels = shortList(allowed.map(channelMention), MENTIONS_MAX);
	return { key: "access.channelElsewhere", params: { channels }, remedy: "help" };
}

function modelDenial(
	settings: GuildSettings,
	{ mediaType, model, modelName, needsAgeRestrictedChannel = false }: RequestedGeneration,
	channel: RequestChannel,
): Denial | undefined {
	const { access } = settings;
	const offIn = whereMediaTypeIsOff(settings, mediaType, channel);
	if (offIn === "server") return { key: "access.mediaTypeOff", params: { mediaType }, remedy: "help" };
	if (offIn === "channel") return { key: "access.mediaTypeOffHere", params: { mediaType }, remedy: "help" };
	const params = { model: quoteName(modelName) };
	if (access.modelsOff.includes(model)) return { key: "access.modelOff", params, remedy: "help" };
	if (!needsAgeRestrictedChannel || channel.isAgeRestricted === true) return undefined;
	return { key: "access.modelAgeRestricted", params, remedy: "help" };
}

/** The options whose text members write themselves. */
export const WRITTEN_OPTIONS = ["negative_prompt", "lyrics"] as const;

function wordDenial({ filter }: GuildSettings, request: RequestedGeneration): Denial | undefined {
	const written = WRITTEN_OPTIONS.map((option) => [option, request.options[option]] as const);
	for (const [option, text] of [["prompt", request.prompt] as const, ...written]) {
		const match = typeof text === "string" ? findFilterMatch(filter.patterns, text) : undefined;
		if (!match) continue;
		const found = quote(match.found, MATCH_CHARS_MAX);
		if (option === "prompt") return { key: "access.wordBlocked", params: { found }, remedy: "editPrompt" };
		const params = { found, option: nameOf(discordOptionName(option)) };
		return { key: "access.wordBlockedIn", params, remedy: "editTexts" };
	}
	return undefined;
}
