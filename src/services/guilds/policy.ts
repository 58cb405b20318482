/** Whether a server lets somebody have something made somewhere: pure. The one place that decides it. */
import type { Order } from "../generation/order.ts";
import type { Saying } from "../messages/messages.ts";
import { quote, quoteName } from "../messages/quote.ts";
import { toTimestampS } from "../messages/timestamp.ts";
import type { GuildSettings } from "./guild-settings.ts";
import { BLOCK_REASON_CHARS_MAX, PAUSE_CHARS_MAX, type Block } from "./settings-schema.ts";
import { findForbidden } from "./word-filter.ts";

/** Places or roles that a refusal names; nobody reads more. */
const NAMED_MAX = 10;
const FOUND_CHARS_MAX = 60;

export interface WhoAsks {
	readonly userId: string;
	readonly roleIds: readonly string[];
}

export interface WhereAsked {
	/** The channel, and of a thread the channel that it belongs to, behind it. */
	readonly channelIds: readonly string[];
	readonly isAgeRestricted: boolean;
}

type WhatAsked = Pick<Order, "mediaType" | "model" | "modelName" | "isAgeRestricted" | "prompt" | "options">;

/** Why not; `undefined` where it is allowed. What concerns everybody is said first, what the person typed last. */
export function refusalOf(
	settings: GuildSettings,
	order: WhatAsked,
	member: WhoAsks,
	where: WhereAsked,
	nowMs: number,
): Saying | undefined {
	return (
		refusalToAsk(settings, member, where, nowMs) ??
		refusalOfModel(settings, order, where) ??
		refusalOfWords(settings, order)
	);
}

/** Why not, whatever is asked for. */
export function refusalToAsk(
	settings: GuildSettings,
	member: WhoAsks,
	where: WhereAsked,
	nowMs: number,
): Saying | undefined {
	return refusalOfPause(settings) ?? refusalOfMember(settings, member, nowMs) ?? refusalOfPlace(settings, where);
}

/** A block that holds; one that is over is as good as none. */
export function blockOf({ blocks }: GuildSettings, userId: string, nowMs: number): Block | undefined {
	const block = Object.hasOwn(blocks, userId) ? blocks[userId] : undefined;
	return block && (block.untilMs === null || block.untilMs > nowMs) ? block : undefined;
}

/** Whether a model can be asked for at all here: what is offered, and what is taken where nobody names one. */
export function isModelOn(
	{ access }: GuildSettings,
	model: { readonly id: string; readonly ageRestricted: boolean },
	isPlaceAgeRestricted: boolean,
): boolean {
	return !access.modelsOff.includes(model.id) && (isPlaceAgeRestricted || !model.ageRestricted);
}

function refusalOfPause({ access: { paused } }: GuildSettings): Saying | undefined {
	if (!paused) return undefined;
	const sentence = paused.sentence === null ? null : quote(paused.sentence, PAUSE_CHARS_MAX);
	return { key: "generationPaused", params: { sentence } };
}

function refusalOfMember(settings: GuildSettings, { userId, roleIds }: WhoAsks, nowMs: number): Saying | undefined {
	const block = blockOf(settings, userId, nowMs);
	if (block) {
		const untilS = block.untilMs === null ? null : toTimestampS(block.untilMs);
		return { key: "blocked", params: { reason: quote(block.reason, BLOCK_REASON_CHARS_MAX), untilS } };
	}
	const { allowed, denied } = settings.access.roles;
	const deniedId = roleIds.find((id) => denied.includes(id));
	if (deniedId !== undefined) return { key: "roleDenied", params: { roleId: deniedId } };
	if (allowed.length === 0 || roleIds.some((id) => allowed.includes(id))) return undefined;
	return { key: "roleNeeded", params: named(allowed) };
}

/** A thread's own rule goes before that of its channel. */
function refusalOfPlace({ access }: GuildSettings, { channelIds }: WhereAsked): Saying | undefined {
	const { allowed, denied } = access.channels;
	for (const id of channelIds) {
		if (denied.includes(id)) return allowed.length === 0 ? { key: "channelDenied" } : elsewhere(allowed);
		if (allowed.includes(id)) return undefined;
	}
	return allowed.length === 0 ? undefined : elsewhere(allowed);
}

function elsewhere(allowed: readonly string[]): Saying {
	return { key: "channelElsewhere", params: named(allowed) };
}

function named(ids: readonly string[]) {
	return { ids: ids.slice(0, NAMED_MAX), more: Math.max(0, ids.length - NAMED_MAX) };
}

function refusalOfModel(
	{ access }: GuildSettings,
	{ mediaType, model, modelName, isAgeRestricted = false }: WhatAsked,
	where: WhereAsked,
): Saying | undefined {
	if (access.mediaOff.includes(mediaType)) return { key: "mediumOff", params: { mediaType } };
	if (access.modelsOff.includes(model)) return { key: "modelOff", params: { model: quoteName(modelName) } };
	if (!isAgeRestricted || where.isAgeRestricted) return undefined;
	return { key: "modelAgeRestricted", params: { model: quoteName(modelName) } };
}

/** Everything that somebody may have typed: the prompt, and every option that is text. */
function textsOf({ prompt, options }: Pick<Order, "prompt" | "options">): readonly string[] {
	return [prompt, ...Object.values(options).filter((value) => typeof value === "string")];
}

function refusalOfWords({ filter }: GuildSettings, order: WhatAsked): Saying | undefined {
	for (const text of textsOf(order)) {
		const forbidden = findForbidden(filter.patterns, text);
		if (forbidden) return { key: "wordsForbidden", params: { found: quote(forbidden.found, FOUND_CHARS_MAX) } };
	}
	return undefined;
}
