/** The settings of one server and their limits. Every field has a default: a server without changes has no document. */
import { z } from "zod";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { CATEGORIES, CATEGORY_RULE_VALUES, type Category } from "../moderation/verdict.ts";
import { isTimeZone, PERIODS } from "../credits/period.ts";

/** The most limits for single roles and members per server. */
export const LIMIT_EXCEPTIONS_MAX = 250;
/** The most channels, roles or models per list. */
export const LIST_ENTRIES_MAX = 100;
export const BLOCKS_MAX = 500;
export const BLOCK_REASON_CHARS_MAX = 200;
/** The longest block that ends by itself, in days; `/block` can add up to 23 hours. */
export const BLOCK_DAYS_MAX = 3650;
export const PATTERNS_MAX = 100;
export const PATTERN_CHARS_MAX = 64;
export const STYLES_MAX = 50;
export const STYLE_CHARS_MAX = 500;
export const STYLE_NAME_CHARS_MAX = 32;
export const PAUSE_CHARS_MAX = 200;
export const NEGATIVE_PROMPT_CHARS_MAX = 1000;
export const SHOWCASE_STARS_MAX = 1_000;
/** The most images of one command: Discord shows up to four side by side. */
export const IMAGES_PER_COMMAND_MAX = 4;
/** The members who are pinged when a long task ends: those who ask for it on their task, all members, or none. */
export const PINGS = ["ask", "always", "never"] as const;

/** The most credits of a limit: far below the ledger's maximum. */
export const LIMIT_CREDITS_MAX = 1_000_000_000;
const credits = z.int().min(0).max(LIMIT_CREDITS_MAX);
/** `null` for no limit. */
const limit = credits.nullable();
const id = z.string().regex(/^\d{1,20}$/, { error: "expected an id of Discord" });
const ids = z.array(id).max(LIST_ENTRIES_MAX);
const mediaType = z.enum(MEDIA_TYPES);
const categoryRule = z.enum(CATEGORY_RULE_VALUES).default("withhold");
/** A name of this form needs no quoting in a choice or a sentence. */
const STYLE_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '-]*$/u;

export function isStyleName(name: string): boolean {
	return name.length <= STYLE_NAME_CHARS_MAX && STYLE_NAME.test(name);
}

/** Returns whether a style sets a model or an option, and not only text. */
export function hasOptions({ model, options }: { readonly model: string | null; readonly options: object }): boolean {
	return model !== null || Object.keys(options).length > 0;
}

const atMost = <Value>(record: z.ZodType<Record<string, Value>>, max: number) =>
	record.refine((entries) => Object.keys(entries).length <= max, { error: `expected at most ${max}` });

/** Creates the schema of all settings. `object` decides how unknown fields are handled. */
function schemaWith(object: typeof z.object) {
	const lists = object({ allowed: ids.default([]), denied: ids.default([]) }).prefault({});
	const block = object({
		reason: z.string().min(1).max(BLOCK_REASON_CHARS_MAX),
		/** The moderator who blocked the member. */
		byUserId: id,
		atMs: z.int().min(0),
		/** `null`: until a moderator unblocks the member. */
		untilMs: z.int().min(0).nullable(),
	});
	const style = object({
		/** Appended to the prompt; empty for a style with options only. */
		text: z.string().max(STYLE_CHARS_MAX).default(""),
		/** The media type of the style; `null` for all, only for styles without options. */
		mediaType: mediaType.nullable().default(null),
		/** The id of the model, unless the member chooses one. */
		model: z.string().min(1).max(100).nullable().default(null),
		/** Default options by the specification's names. */
		options: object({
			aspect_ratio: z.string().min(1).max(100).exactOptional(),
			resolution: z.string().min(1).max(100).exactOptional(),
			duration: z.number().positive().max(86_400).exactOptional(),
			negative_prompt: z.string().min(1).max(NEGATIVE_PROMPT_CHARS_MAX).exactOptional(),
			instrumental: z.boolean().exactOptional(),
			/** The number of images. */
			n: z.int().min(1).exactOptional(),
		}).prefault({}),
	})
		.refine(({ text, model, options }) => text !== "" || hasOptions({ model, options }), {
			error: "expected text or options",
		})
		.refine((each) => each.mediaType !== null || !hasOptions(each), { error: "expected a media type for options" });
	return object({
		/** The time zone of days, weeks and months. */
		timeZone: z.string().refine(isTimeZone, { error: "expected a time zone such as Europe/Berlin" }).default("UTC"),
		/** Decides what happens to unused monthly credits. */
		unusedCredits: z.enum(["expire", "carryOver"]).default("expire"),
		/** The allowance of each member per period. */
		allowance: object({
			per: z.enum(PERIODS).default("day"),
			everyone: limit.default(null),
			/** By role. The highest of a member's roles counts, @everyone included. */
			roles: atMost(z.record(id, limit), LIMIT_EXCEPTIONS_MAX).default({}),
			/** By member, instead of the role allowances. */
			members: atMost(z.record(id, limit), LIMIT_EXCEPTIONS_MAX).default({}),
			/** By media type: the part of each member's allowance that may be spent on it. */
			media: z.partialRecord(mediaType, credits).default({}),
		}).prefault({}),
		/** The server's limit per period, independent of its balance. */
		serverLimit: object({ credits, per: z.enum(PERIODS) })
			.nullable()
			.default(null),
		/** The channel that is warned when the monthly credits run low. */
		warnChannelId: id.nullable().default(null),
		/** The presentation of results. */
		media: object({
			/** Hides results until a member clicks them. */
			spoiler: z.boolean().default(false),
			/** Makes replies ephemeral unless the member chooses otherwise. */
			private: z.boolean().default(false),
			/** Writes the prompt into the metadata of files. */
			promptInFiles: z.boolean().default(false),
			/** Offers to improve prompts with the operator's text model. */
			improvePrompts: z.boolean().default(false),
		}).prefault({}),
		/** Restrictions of members, channels, media types and models. */
		access: object({
			/** Denies every generation while it is set. The message gives the reason. */
			paused: object({ message: z.string().max(PAUSE_CHARS_MAX).nullable() })
				.nullable()
				.default(null),
			/** A denied channel is never allowed. If some are allowed, all others are not. A thread's own rule precedes its channel's. */
			channels: lists,
			/** A denied role precedes an allowed one. If some roles are allowed, members need one of them. */
			roles: lists,
			mediaOff: z.array(mediaType).max(MEDIA_TYPES.length).default([]),
			/** Ids of models. */
			modelsOff: z.array(z.string().min(1).max(100)).max(LIST_ENTRIES_MAX).default([]),
		}).prefault({}),
		/** Settings of single channels, used unless a member chooses otherwise. */
		channelDefaults: atMost(
			z.record(
				id,
				object({
					/** The id of a model, by media type. */
					models: z.partialRecord(mediaType, z.string().min(1).max(100)).default({}),
					/** The name of a style. */
					style: z.string().max(STYLE_NAME_CHARS_MAX).nullable().default(null),
					/** `null`: the setting of the server. */
					private: z.boolean().nullable().default(null),
					/** Media types that are off in the channel, in addition to those that are off in the server. */
					mediaOff: z.array(mediaType).max(MEDIA_TYPES.length).default([]),
					/** Results go to a thread that starts from the reply. */
					threads: z.boolean().default(false),
				}),
			),
			LIST_ENTRIES_MAX,
		).default({}),
		/** Rules for prompts and results that the operator's moderation service flags, by category. */
		safety: object(
			Object.fromEntries(CATEGORIES.map((category) => [category, categoryRule])) as Record<
				Category,
				typeof categoryRule
			>,
		).prefault({}),
		/** Blocked members by id. */
		blocks: atMost(z.record(id, block), BLOCKS_MAX).default({}),
		/** Patterns that no prompt may contain. */
		filter: object({
			patterns: z.array(z.string().min(1).max(PATTERN_CHARS_MAX)).max(PATTERNS_MAX).default([]),
		}).prefault({}),
		/** Styles by name: text appended to a prompt, and default options. */
		styles: atMost(z.record(z.string().refine(isStyleName, { error: "expected a name" }), style), STYLES_MAX).default(
			{},
		),
		/** A request that costs more needs the member's confirmation. */
		confirmAbove: limit.default(null),
		/** Pings of members whose task took more than a minute. */
		pings: z.enum(PINGS).default("ask"),
		/** Results with enough stars are posted in this channel. */
		showcase: object({
			channelId: id.nullable().default(null),
			/** The number of members other than the author. */
			stars: z.int().min(1).max(SHOWCASE_STARS_MAX).default(3),
		}).prefault({}),
		/** The channel that receives every change of these settings. */
		logChannelId: id.nullable().default(null),
		/** The channel where moderators read reports. */
		reportChannelId: id.nullable().default(null),
		/** The language of public messages; `null` for the server's language in Discord. */
		language: z.string().max(10).nullable().default(null),
	});
}

/** Parses stored settings. Keeps fields of a later version, so that an earlier one loses none when it writes. */
export const storedSettings = schemaWith(z.looseObject as unknown as typeof z.object);
/** Parses imported settings. Unknown fields are errors. */
export const importedSettings = schemaWith(z.strictObject as unknown as typeof z.object);
export type GuildSettings = z.infer<typeof storedSettings>;
export type Block = GuildSettings["blocks"][string];
export type Style = GuildSettings["styles"][string];
