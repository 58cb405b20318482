/** The documents of jobs. */
import { z } from "zod";
import { discordId, mediaType } from "../server-settings.ts";
import { credits, pageOf, time, taskId } from "./values.ts";

export const RUNNING_JOB_STATES = ["waiting", "in_progress", "unconfirmed", "canceling"] as const;
const ENDED_JOB_STATES = ["succeeded", "failed", "canceled"] as const;
/** A filter by state: `running` stands for all jobs that have not ended. */
export const JOB_FILTER_STATES = ["running", ...ENDED_JOB_STATES] as const;
export type JobFilterState = (typeof JOB_FILTER_STATES)[number];

export const Job = z.object({
	id: taskId,
	/** `null`, like the prompt, for a private result of another member. */
	userId: discordId.nullable(),
	mediaType,
	model: z.string(),
	prompt: z.string().nullable(),
	isPrivate: z.boolean(),
	state: z.enum([...RUNNING_JOB_STATES, ...ENDED_JOB_STATES]),
	/** The reason of the failure, in the reader's language. */
	reason: z.string().nullable(),
	/** The charged credits; while the job runs, the reserved ones. */
	credits,
	createdAtMs: time,
	/** The message with the result was deleted. */
	isDeleted: z.boolean(),
	/** The charged credits were refunded. */
	isRefunded: z.boolean(),
	/** The message with the result in Discord. */
	url: z.string().nullable(),
	/** The actions that are possible now. */
	actions: z.array(z.enum(["cancel", "delete", "refund", "report"])),
	/** The files in the message of a public result; 0 for all other jobs. */
	files: z.int(),
	/** The result is hidden until the reader asks for it. */
	isSpoiler: z.boolean(),
});
export type Job = z.infer<typeof Job>;

export const JobsQuery = z.object({
	/** Only jobs before this one. */
	before: taskId.optional(),
	userId: discordId.optional(),
	model: z.string().max(100).optional(),
	state: z.enum(JOB_FILTER_STATES).optional(),
	/** Only jobs of this time or later. */
	fromMs: z.coerce.number().int().min(0).optional(),
	/** Only jobs before this time. */
	untilMs: z.coerce.number().int().min(0).optional(),
});

/** Newest first. */
export const Jobs = pageOf(Job, taskId);

export const ActionOutcome = z.object({
	/** The outcome in words, in the reader's language. */
	message: z.string(),
});
