/** The documents of the overview. */
import { z } from "zod";
import { credits, time } from "./values.ts";
import { Job } from "./jobs.ts";
import { Balance, creditPrice, LimitUse } from "./credits.ts";

export const WARNINGS = ["paused", "service_down", "month_80", "month_100", "server_limit_reached"] as const;

export const Overview = z.object({
	balance: Balance,
	/** 0 if the operator grants no monthly credits. */
	monthlyCredits: credits,
	refillsAtMs: time.nullable(),
	month: z.object({
		spentCredits: credits,
		/** Spent by the end of the month at the present rate; `null` on its first day. */
		forecastCredits: credits.nullable(),
		endsAtMs: time,
	}),
	/** The limit of the whole server. */
	serverLimit: LimitUse.nullable(),
	running: z.array(Job),
	/** Older jobs may be running that are not listed. */
	hasMoreRunning: z.boolean(),
	recent: z.array(Job),
	warnings: z.array(z.enum(WARNINGS)),
	/** True if managers may grant credits and refund jobs. */
	mayGrant: z.boolean(),
	creditPrice,
});
export type Overview = z.infer<typeof Overview>;
