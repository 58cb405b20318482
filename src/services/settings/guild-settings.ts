/** The settings of one server as they are stored and imported. Every field has a default: a server without changes has no document. */
import { z } from "zod";
import { storedObject } from "@atelier/store/stored-object";
import { BLOCK_REASON_CHARS_MAX, STYLE_CHARS_MAX, STYLE_NAME_CHARS_MAX, STYLES_MAX } from "@atelier/dashboard/limits";
import { isTimeZone } from "@atelier/dashboard/parse-typed";
import { atMost, discordId, mediaType, settingsFields, type SchemaMode } from "@atelier/dashboard/server-settings";
import { LANGUAGES } from "../../i18n/languages.ts";

export const BLOCKS_MAX = 500;
/** The longest block that ends by itself, in days; `/block` can add up to 23 hours. */
export const BLOCK_DAYS_MAX = 3650;
export const NEGATIVE_PROMPT_CHARS_MAX = 1000;
/** The last time of a `Date`. */
const TIME_MS_MAX = 8_640_000_000_000_000;

/** A name of this form needs no quoting in a choice or a sentence. */
const STYLE_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '-]*$/u;

export function isStyleName(name: string): boolean {
	return name.length <= STYLE_NAME_CHARS_MAX && STYLE_NAME.test(name);
}

/** Returns whether a style sets a model or an option, and not only text. */
export function hasOptions({ model, options }: { readonly model: string | null; readonly options: object }): boolean {
	return model !== null || Object.keys(options).length > 0;
}

const withDefault: SchemaMode["field"] = <Schema extends z.ZodType>(schema: Schema, value: unknown): Schema =>
	schema.prefault(value as z.input<Schema>) as unknown as Schema;

interface SettingsSchemaParts {
	/** Decides how unknown fields are handled. */
	readonly object: typeof z.object;
	readonly timeZone: z.ZodType<string, string | undefined>;
	readonly time: z.ZodType<number>;
}

/** Creates the schema of all settings. */
function schemaWith({ object, timeZone, time }: SettingsSchemaParts) {
	const block = object({
		reason: z.string().min(1).max(BLOCK_REASON_CHARS_MAX),
		/** The moderator who blocked the member. */
		byUserId: discordId,
		atMs: time,
		/** `null`: until a moderator unblocks the member. */
		untilMs: time.nullable(),
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
		timeZone,
		...settingsFields({ object, field: withDefault }),
		/** Blocked members by id. */
		blocks: atMost(z.record(discordId, block), BLOCKS_MAX).default({}),
		/** Styles by name: text appended to a prompt, and default options. */
		styles: atMost(z.record(z.string().refine(isStyleName, { error: "expected a name" }), style), STYLES_MAX).default(
			{},
		),
	});
}

const storedTime = z.int().min(0);

/**
 * Parses stored settings. A time zone and a time that cannot be shown must not make all settings of a server unreadable: they are
 * read as UTC, and as the last time that can be shown.
 */
export const storedSettingsSchema = schemaWith({
	object: storedObject,
	timeZone: z
		.string()
		.transform((name) => (isTimeZone(name) ? name : "UTC"))
		.default("UTC"),
	time: storedTime.transform((ms) => Math.min(ms, TIME_MS_MAX)),
});
/** Parses imported settings. Unknown fields are errors, and so is a language that a later version may have stored. */
export const importedSettingsSchema = schemaWith({
	object: z.strictObject as unknown as typeof z.object,
	timeZone: z.string().refine(isTimeZone, { error: "expected a time zone such as Europe/Berlin" }).default("UTC"),
	time: storedTime.max(TIME_MS_MAX),
}).extend({
	language: z.enum(Object.keys(LANGUAGES), { error: "expected a supported language" }).nullable().default(null),
});
export type GuildSettings = z.infer<typeof storedSettingsSchema>;
export type Block = GuildSettings["blocks"][string];
export type Style = GuildSettings["styles"][string];
