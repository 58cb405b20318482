/** Changes of blocked members and of the word filter. Pure: each returns new settings or throws a denial. */
import { quote } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import { type GuildSettings, BLOCKS_MAX, type Block } from "./guild-settings.ts";
import { activeBlock } from "./server-policy.ts";
import { PATTERN_CHARS_MAX, PATTERNS_MAX } from "@atelier/dashboard/limits";
import { losesPart, normalizePattern } from "./word-filter.ts";

export function blockMember(settings: GuildSettings, userId: string, block: Block): GuildSettings {
	if (userId === block.byUserId) throw new UserError({ key: "block.self" });
	if (block.reason === "") throw new UserError({ key: "block.reasonEmpty" });
	const { [userId]: before, ...others } = settings.blocks;
	// At the limit, expired blocks make room for the new one.
	const isFull = Object.keys(others).length >= BLOCKS_MAX;
	const active = Object.entries(others).filter(([id]) => activeBlock(settings, id, block.atMs));
	const kept = isFull ? Object.fromEntries(active) : others;
	if (before === undefined && Object.keys(kept).length >= BLOCKS_MAX) {
		throw new UserError({ key: "block.tooMany", params: { blocksMax: BLOCKS_MAX } });
	}
	return { ...settings, blocks: { ...kept, [userId]: block } };
}

/** Only managers lift their own blocks. */
export function unblockMember(
	settings: GuildSettings,
	userId: string,
	moderator: { readonly userId: string; readonly isManager: boolean },
	nowMs: number,
): GuildSettings {
	if (userId === moderator.userId && !moderator.isManager) throw new UserError({ key: "block.own" });
	if (!activeBlock(settings, userId, nowMs)) throw new UserError({ key: "block.notBlocked", params: { userId } });
	const { [userId]: _lifted, ...blocks } = settings.blocks;
	return { ...settings, blocks };
}

/** Twice the stored maximum: normalizing a pattern can shorten it. */
export const TYPED_PATTERN_CHARS_MAX = 2 * PATTERN_CHARS_MAX;

export function addPattern(settings: GuildSettings, typed: string): GuildSettings {
	if (typed.length > TYPED_PATTERN_CHARS_MAX) throw patternTooLong();
	const pattern = normalizePattern(typed);
	if (pattern === "") throw new UserError({ key: "filter.patternEmpty" });
	if (losesPart(typed)) {
		throw new UserError({ key: "filter.patternSimplified", params: { pattern: quote(pattern, PATTERN_CHARS_MAX) } });
	}
	if (pattern.length > PATTERN_CHARS_MAX) throw patternTooLong();
	const { patterns } = settings.filter;
	if (patterns.includes(pattern)) return settings;
	if (patterns.length >= PATTERNS_MAX) {
		throw new UserError({ key: "filter.tooManyPatterns", params: { patternsMax: PATTERNS_MAX } });
	}
	return { ...settings, filter: { ...settings.filter, patterns: [...patterns, pattern] } };
}

function patternTooLong(): UserError {
	return new UserError({ key: "filter.patternTooLong", params: { charsMax: PATTERN_CHARS_MAX } });
}

export function removePattern(settings: GuildSettings, typed: string): GuildSettings {
	const { patterns } = settings.filter;
	// Imported patterns may not be normalized.
	const kept = patterns.filter((pattern) => normalizePattern(pattern) !== normalizePattern(typed));
	if (kept.length === patterns.length) throw new UserError({ key: "filter.patternUnknown" });
	return { ...settings, filter: { ...settings.filter, patterns: kept } };
}
