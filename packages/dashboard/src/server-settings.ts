/** The schema of a server's settings: the bot stores, imports and exports them, and the page changes them. */
import { z } from "zod";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import {
	LIMIT_CREDITS_MAX,
	LIMIT_EXCEPTIONS_MAX,
	LIST_ENTRIES_MAX,
	PATTERN_CHARS_MAX,
	PATTERNS_MAX,
	PAUSE_CHARS_MAX,
	SHOWCASE_STARS_MAX,
	STYLE_NAME_CHARS_MAX,
	STYLES_MAX,
} from "./limits.ts";

export const PERIODS = ["day", "week", "month"] as const;
/** The categories for which a server sets rules. `other` stands for all further categories of a moderation service. */
export const CATEGORIES = ["sexual", "violence", "selfHarm", "other"] as const;
/** `withhold`: not shown. `spoiler`: shown behind a spoiler. `ageRestricted`: shown in age-restricted channels only. */
export const CATEGORY_RULE_VALUES = ["withhold", "spoiler", "ageRestricted"] as const;
/** The members who are pinged when a long task ends: those who ask for it on their task, all members, or none. */
export const PINGS = ["ask", "always", "never"] as const;
/** The options that a style may have, by the specification's names: no prompt, and no seed. */
export const STYLE_OPTIONS = [
	"aspect_ratio",
	"resolution",
	"duration",
	"negative_prompt",
	"instrumental",
	"n",
] as const;

export const discordId = z.string().regex(/^\d{1,20}$/, { error: "expected an id of Discord" });
export const mediaType = z.enum(MEDIA_TYPES);
export const credits = z.int().min(0).max(LIMIT_CREDITS_MAX);
/** `null` for no limit. */
export const limit = credits.nullable();
export const patterns = listOf(z.string().min(1).max(PATTERN_CHARS_MAX), PATTERNS_MAX);
const ids = listOf(discordId, LIST_ENTRIES_MAX);
const modelId = z.string().min(1).max(100);
const mediaTypes = listOf(mediaType, MEDIA_TYPES.length);

/** Counts the entries of a record or a list before it checks them: a request may contain hundreds of thousands. */
export function atMost<Schema extends z.ZodType>(schema: Schema, max: number) {
	return z.preprocess((entries, context) => {
		if (typeof entries !== "object" || entries === null || Object.keys(entries).length <= max) return entries;
		context.addIssue({ code: "custom", message: `expected at most ${max}` });
		return z.NEVER;
	}, schema);
}

function listOf<Item extends z.ZodType>(item: Item, max: number) {
	return atMost(z.array(item).max(max), max);
}

/** Decides about unknown and missing fields. */
export interface SchemaMode {
	readonly object: typeof z.object;
	/** Returns the schema of a field that stands for `value` if it is missing, or the schema as it is for a required field. */
	readonly field: <Schema extends z.ZodType>(schema: Schema, value: unknown) => Schema;
}

/** Returns the fields that the bot and the page check in the same way: all but the time zone, styles and blocks. */
export function settingsFields({ object, field }: SchemaMode) {
	const lists = field(object({ allowed: field(ids, []), denied: field(ids, []) }), {});
	const categoryRule = field(z.enum(CATEGORY_RULE_VALUES), "withhold");
	return {
		/** Decides what happens to unused monthly credits. */
		unusedCredits: field(z.enum(["expire", "carryOver"]), "expire"),
		/** The allowance of each member per period. */
		allowance: field(
			object({
				per: field(z.enum(PERIODS), "day"),
				everyone: field(limit, null),
				/** By role other than @everyone. The highest of a member's roles and of `everyone` counts. */
				roles: field(atMost(z.record(discordId, limit), LIMIT_EXCEPTIONS_MAX), {}),
				/** By member, instead of the role allowances. */
				members: field(atMost(z.record(discordId, limit), LIMIT_EXCEPTIONS_MAX), {}),
				/** By media type: the part of each member's allowance that may be spent on it. */
				media: field(z.partialRecord(mediaType, credits), {}),
			}),
			{},
		),
		/** The server's limit per period, independent of its balance. */
		serverLimit: field(object({ credits, per: z.enum(PERIODS) }).nullable(), null),
		/** The channel that is warned when the monthly credits run low. */
		warnChannelId: field(discordId.nullable(), null),
		/** The presentation of results. */
		media: field(
			object({
				/** Hides results until a member clicks them. */
				spoiler: field(z.boolean(), false),
				/** Makes replies ephemeral unless the member chooses otherwise. */
				private: field(z.boolean(), false),
				/** Writes the prompt into the metadata of files. */
				promptInFiles: field(z.boolean(), false),
				/** Offers to improve prompts with the operator's text model. */
				improvePrompts: field(z.boolean(), false),
			}),
			{},
		),
		/** Restrictions of members, channels, media types and models. */
		access: field(
			object({
				/** Denies every generation while it is set. The message gives the reason. */
				paused: field(object({ message: z.string().max(PAUSE_CHARS_MAX).nullable() }).nullable(), null),
				/** A denied channel is never allowed. If some are allowed, all others are not. A thread's own rule precedes its channel's. */
				channels: lists,
				/** A denied role precedes an allowed one. If some roles are allowed, members need one of them. */
				roles: lists,
				mediaOff: field(mediaTypes, []),
				/** Ids of models. */
				modelsOff: field(listOf(modelId, LIST_ENTRIES_MAX), []),
			}),
			{},
		),
		/** By channel: settings that apply unless a member chooses otherwise. */
		channelDefaults: field(
			atMost(
				z.record(
					discordId,
					object({
						/** The id of a model, by media type. */
						models: field(z.partialRecord(mediaType, modelId), {}),
						/** The name of a style. */
						style: field(z.string().max(STYLE_NAME_CHARS_MAX).nullable(), null),
						/** `null`: the setting of the server. */
						private: field(z.boolean().nullable(), null),
						/** Media types that are off in the channel, in addition to those that are off in the server. */
						mediaOff: field(mediaTypes, []),
						/** Results go to a thread that starts from the reply. */
						threads: field(z.boolean(), false),
					}),
				),
				LIST_ENTRIES_MAX,
			),
			{},
		),
		/** Rules for prompts and results that the operator's moderation service flags, by category. */
		safety: field(
			object({ sexual: categoryRule, violence: categoryRule, selfHarm: categoryRule, other: categoryRule }),
			{},
		),
		/** Patterns that no prompt may contain. */
		filter: field(object({ patterns: field(patterns, []) }), {}),
		/** A request that costs more needs the member's confirmation. */
		confirmAbove: field(limit, null),
		/** Pings of members whose task took more than a minute. */
		pings: field(z.enum(PINGS), "ask"),
		/** Results with enough stars are posted in this channel. */
		showcase: field(
			object({
				channelId: field(discordId.nullable(), null),
				/** The number of members other than the author. */
				stars: field(z.int().min(1).max(SHOWCASE_STARS_MAX), 3),
			}),
			{},
		),
		/** The channel that receives every change of these settings. */
		logChannelId: field(discordId.nullable(), null),
		/** The channel where moderators read reports. */
		reportChannelId: field(discordId.nullable(), null),
		/** The language of public messages; `null` for the server's language in Discord. */
		language: field(z.string().max(10).nullable(), null),
	};
}

export const Style = z.object({
	text: z.string(),
	mediaType: mediaType.nullable(),
	model: z.string().nullable(),
	options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type Style = z.infer<typeof Style>;

/** The settings that the page changes. The bot checks the time zone, and each style against the models. */
export const ServerSettings = z.object({
	timeZone: z.string(),
	...settingsFields({ object: z.object, field: (schema) => schema }),
	/** By name: words that are added to a prompt, and default options. */
	styles: atMost(z.record(z.string(), Style), STYLES_MAX),
});
export type ServerSettings = z.infer<typeof ServerSettings>;

/** A channel without settings of its own. */
export const NO_DEFAULTS: ServerSettings["channelDefaults"][string] = {
	models: {},
	style: null,
	private: null,
	mediaOff: [],
	threads: false,
};
