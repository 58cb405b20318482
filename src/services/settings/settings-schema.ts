/** What the admins of one server can decide, and the bounds of it. Every field has a default: who decided nothing has no document. */
import { z } from "zod";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { isTimeZone } from "../credits/period.ts";
import { PERIODS } from "../../i18n/params.ts";

/** Exceptions for roles and members that one server may have. */
export const EXCEPTIONS_MAX = 250;
/** Channels or roles in one list. */
export const LISTED_MAX = 100;
export const BLOCKS_MAX = 500;
export const BLOCK_REASON_CHARS_MAX = 200;
export const PATTERNS_MAX = 100;
export const PATTERN_CHARS_MAX = 64;
export const STYLES_MAX = 50;
export const STYLE_CHARS_MAX = 500;
export const STYLE_NAME_CHARS_MAX = 32;
export const PAUSE_CHARS_MAX = 200;
export const NEGATIVE_PROMPT_CHARS_MAX = 1000;
/** Of one command: as many as stand side by side in a message. */
export const COUNT_MAX = 4;

/** Of each limit that a server sets itself: far below what the ledger counts to. */
export const LIMIT_CREDITS_MAX = 1_000_000_000;
/** Whole credits, or `null` for no limit. */
const limit = z.int().min(0).max(LIMIT_CREDITS_MAX).nullable();
const id = z.string().regex(/^\d{1,20}$/, { error: "expected an id of Discord" });
const ids = z.array(id).max(LISTED_MAX);
const medium = z.enum(MEDIA_TYPES);
/** A name that can stand in a choice and in a sentence as it is. */
const STYLE_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '-]*$/u;

export function isStyleName(name: string): boolean {
	return name.length <= STYLE_NAME_CHARS_MAX && STYLE_NAME.test(name);
}

/** Whether there is more to a style than words. */
export function hasOptions({ model, options }: { readonly model: string | null; readonly options: object }): boolean {
	return model !== null || Object.keys(options).length > 0;
}

const atMost = <Value>(record: z.ZodType<Record<string, Value>>, max: number) =>
	record.refine((entries) => Object.keys(entries).length <= max, { error: `expected at most ${max}` });

/** `object` decides what becomes of fields that this version does not know; `creditsMax` bounds what once had no bound. */
function schemaWith(object: typeof z.object, creditsMax: number) {
	const credits = z.int().min(0).max(creditsMax);
	const lists = object({ allowed: ids.default([]), denied: ids.default([]) }).prefault({});
	const block = object({
		reason: z.string().min(1).max(BLOCK_REASON_CHARS_MAX),
		/** Who blocked them. */
		byUserId: id,
		atMs: z.int().min(0),
		/** `null`: until somebody unblocks them. */
		untilMs: z.int().min(0).nullable(),
	});
	const style = object({
		/** What is added to the prompt; nothing where it has options alone. */
		text: z.string().max(STYLE_CHARS_MAX).default(""),
		/** Of which media; `null` for all, which one with options never is. */
		medium: medium.nullable().default(null),
		/** The id of the model that makes it, unless whoever asks names one. */
		model: z.string().min(1).max(100).nullable().default(null),
		/** By the names of the specification: what holds where whoever asks says nothing. */
		options: object({
			aspect_ratio: z.string().min(1).max(100).exactOptional(),
			resolution: z.string().min(1).max(100).exactOptional(),
			duration: z.number().positive().max(86_400).exactOptional(),
			negative_prompt: z.string().min(1).max(NEGATIVE_PROMPT_CHARS_MAX).exactOptional(),
			instrumental: z.boolean().exactOptional(),
			n: z.int().min(1).exactOptional(),
		}).prefault({}),
	})
		.refine(({ text, model, options }) => text !== "" || hasOptions({ model, options }), {
			error: "expected words or options",
		})
		.refine((one) => one.medium !== null || !hasOptions(one), { error: "expected a medium beside options" });
	return object({
		/** In which days, weeks and months begin. */
		timeZone: z.string().refine(isTimeZone, { error: "expected a time zone such as Europe/Berlin" }).default("UTC"),
		/** What becomes of monthly credits that nobody used. */
		unusedCredits: z.enum(["expire", "carryOver"]).default("expire"),
		/** What each member may use in a period. */
		allowance: object({
			per: z.enum(PERIODS).default("day"),
			everyone: limit.default(null),
			/** By role; of a member's roles, `everyone` among them, the highest counts. */
			roles: atMost(z.record(id, limit), EXCEPTIONS_MAX).default({}),
			/** By member, instead of all that. */
			members: atMost(z.record(id, limit), EXCEPTIONS_MAX).default({}),
			/** What each member may use of one medium, within the above. */
			media: z.partialRecord(medium, credits).default({}),
		}).prefault({}),
		/** What the whole server may use in a period, whatever it owns. */
		serverLimit: object({ credits, per: z.enum(PERIODS) })
			.nullable()
			.default(null),
		/** Where admins are warned when the month's credits run low. */
		warnChannelId: id.nullable().default(null),
		/** How results are shown. */
		media: object({
			/** Hidden until somebody clicks on them. */
			spoiler: z.boolean().default(false),
			/** For whoever asked alone, unless they say otherwise. */
			private: z.boolean().default(false),
		}).prefault({}),
		/** Who may have what made, and where. */
		access: object({
			/** Nothing is made for anybody while this is there; the sentence says why. */
			paused: object({ sentence: z.string().max(PAUSE_CHARS_MAX).nullable() })
				.nullable()
				.default(null),
			/** A channel that is denied never, one that is allowed always; with none allowed all others are. */
			channels: lists,
			/** A role that is denied goes before one that is allowed; with none allowed everybody else may. */
			roles: lists,
			mediaOff: z.array(medium).max(MEDIA_TYPES.length).default([]),
			/** Ids of models. */
			modelsOff: z.array(z.string().min(1).max(100)).max(LISTED_MAX).default([]),
		}).prefault({}),
		/** Members who may have nothing made, by id. */
		blocks: atMost(z.record(id, block), BLOCKS_MAX).default({}),
		/** What no prompt may contain. */
		filter: object({
			patterns: z.array(z.string().min(1).max(PATTERN_CHARS_MAX)).max(PATTERNS_MAX).default([]),
		}).prefault({}),
		/** By name, what members can have added to a prompt, and the options that hold where they say nothing. */
		styles: atMost(z.record(z.string().refine(isStyleName, { error: "expected a name" }), style), STYLES_MAX).default(
			{},
		),
		/** What costs more is made only after whoever asked has confirmed it. */
		confirmAbove: limit.default(null),
		/** Where every change of these settings is told. */
		logChannelId: id.nullable().default(null),
		/** Where moderators read what members report. */
		reportChannelId: id.nullable().default(null),
		/** Of messages that everybody sees; `null` for the language of the server in Discord. */
		language: z.string().max(10).nullable().default(null),
	});
}

/** Reads what is stored. Fields of a later version are kept as they are: an earlier one that changes something loses none. */
export const storedSettings = schemaWith(z.looseObject as unknown as typeof z.object, Number.MAX_SAFE_INTEGER);
/** Reads what a person hands in: what is not known is a mistake. */
export const importedSettings = schemaWith(z.strictObject as unknown as typeof z.object, LIMIT_CREDITS_MAX);
export type GuildSettings = z.infer<typeof storedSettings>;
export type Block = GuildSettings["blocks"][string];
export type Style = GuildSettings["styles"][string];
