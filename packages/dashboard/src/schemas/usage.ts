/** The documents of usage reports. */
import { z } from "zod";
import { discordId } from "../server-settings.ts";
import { credits, time } from "./values.ts";

/** The ranges of a usage report, in days. */
export const USAGE_DAYS = [7, 30, 90] as const;

export const UsageQuery = z.object({
	days: z.enum(USAGE_DAYS.map(String) as [`${(typeof USAGE_DAYS)[number]}`]).default("30"),
});

const Use = z.object({ credits, results: z.int() });

export const Usage = z.object({
	/** Of the days. */
	timeZone: z.string(),
	/** Oldest first. */
	days: z.array(z.object({ day: z.string(), image: credits, video: credits, music: credits })),
	total: Use,
	/** The use in the same number of days before the reported ones; `null` if the journal does not reach back so far. */
	before: Use.nullable(),
	/** The most credits first, at most 50. */
	members: z.array(Use.extend({ userId: discordId })),
	/** All members who are not in `members`. */
	otherMembers: Use.extend({ count: z.int() }),
	models: z.array(Use.extend({ model: z.string() })),
	/** The report is complete from this time on, if not from its first day. */
	completeAfterMs: time.nullable(),
});
export type Usage = z.infer<typeof Usage>;
