/** The documents of blocked members and of the word filter. */
import { z } from "zod";
import { BLOCK_REASON_CHARS_MAX, FILTER_TEST_CHARS_MAX } from "../limits.ts";
import { discordId, patterns } from "../server-settings.ts";
import { time } from "./values.ts";

export const Blocks = z.object({
	blocks: z.array(
		z.object({
			userId: discordId,
			reason: z.string(),
			byUserId: discordId,
			atMs: time,
			/** `null`: until a moderator unblocks the member. */
			untilMs: time.nullable(),
		}),
	),
});
export type Blocks = z.infer<typeof Blocks>;

export const BlockBody = z.object({
	reason: z.string().trim().min(1).max(BLOCK_REASON_CHARS_MAX),
	untilMs: time.nullable(),
});

export const FilterTestBody = z.object({ text: z.string().max(FILTER_TEST_CHARS_MAX), patterns });

export const FilterVerdict = z.object({
	/** The pattern that matches, or `null`. */
	pattern: z.string().nullable(),
});
