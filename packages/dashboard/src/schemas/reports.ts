/** The documents of reported results. */
import { z } from "zod";
import { pageOf, taskId } from "./values.ts";
import { discordId } from "../server-settings.ts";
import { REPORT_REASON_CHARS_MIN, REPORT_REASON_CHARS_MAX } from "../limits.ts";

export const REPORT_STATES = ["open", "closed"] as const;
/**
 * The moderators' actions on a reported result, the most drastic ones last. Each works once; `dismiss` works again after a later
 * report.
 */
export const REPORT_ACTIONS = ["dismiss", "refund", "delete", "block"] as const;
export type ReportAction = (typeof REPORT_ACTIONS)[number];

const action = z.enum(REPORT_ACTIONS);

/** A reported result with all of its reports. */
export const Report = z.object({
	taskId,
	/** The author of the result. */
	userId: discordId,
	mediaType: z.string(),
	model: z.string(),
	prompt: z.string(),
	credits: z.int(),
	/** The message with the result in Discord; `null` for a private result, or after its deletion. */
	url: z.string().nullable(),
	isOpen: z.boolean(),
	/** The last one first. */
	reports: z.array(z.object({ userId: discordId, reason: z.string(), atMs: z.int() })),
	/** The actions of moderators, the last one first. `byUserId`: `null` if the job was refunded before the action was recorded. */
	done: z.array(z.object({ action, byUserId: discordId.nullable(), atMs: z.int() })),
	/** The actions that the reader may take now. */
	actions: z.array(action),
});
export type Report = z.infer<typeof Report>;

export const ReportsQuery = z.object({
	state: z.enum(REPORT_STATES).default("open"),
	/** Only results whose last report is older than this time. */
	before: z.coerce.number().int().min(1).optional(),
});
/** The last report first. */
export const Reports = pageOf(Report, z.int());
export const ActedReport = Report.extend({
	/** False: the action was performed, but a message in the moderators' channel does not show it. */
	isChannelUpdated: z.boolean(),
});
export const ReportActionBody = z.object({ action });
export const ReportJobBody = z.object({
	reason: z.string().trim().min(REPORT_REASON_CHARS_MIN).max(REPORT_REASON_CHARS_MAX),
});
