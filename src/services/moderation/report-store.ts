import { z } from "zod";
import { REPORT_ACTIONS, type ReportAction } from "@atelier/dashboard/schemas/reports";
import { retryChange } from "@atelier/store/retry-change";
import { storedObject } from "@atelier/store/stored-object";
import type { Store } from "@atelier/store/store";
import { readDocument, scanDocuments } from "../read-document.ts";

/** The most reports per result; further ones are denied. */
export const REPORTERS_MAX = 25;
export const REPORTED_PREFIX = "reported:";

/** `byUserId` is `null` if the task was refunded before the action was recorded. */
const actionMark = storedObject({ byUserId: z.string().nullable(), atMs: z.number() });
export type ActionMark = z.infer<typeof actionMark>;

/** The message of a report in the moderators' channel. */
const postedSchema = storedObject({ channelId: z.string(), messageId: z.string() });
export type PostedReport = z.infer<typeof postedSchema>;

/** A reported result, with everything needed to act on it after its task was removed. */
const reportedSchema = storedObject({
	taskId: z.string(),
	guildId: z.string(),
	/** The member who generated the result. */
	userId: z.string(),
	channelId: z.string(),
	/** `null` for a direct message or an ephemeral reply, and for a message that was deleted. */
	messageId: z.string().nullable(),
	/** True if the message was deleted before the report. Its files may be left. */
	isMessageDeleted: z.boolean(),
	mediaType: z.string(),
	modelName: z.string(),
	prompt: z.string(),
	chargedCredits: z.number(),
	/** The reports by their reporter's id. `posted`: the message in the moderators' channel; absent until it is there. */
	reports: z.record(
		z.string(),
		storedObject({ reason: z.string(), atMs: z.number(), posted: postedSchema.exactOptional() }),
	),
	/** The performed actions. */
	done: z.partialRecord(z.enum(REPORT_ACTIONS), actionMark).default({}),
});
export type ReportedResult = z.infer<typeof reportedSchema>;

/** A result that only its author has cannot be deleted. */
export function isDeletable({ messageId, isMessageDeleted }: ReportedResult): boolean {
	return messageId !== null || isMessageDeleted;
}

interface ReportQuery {
	readonly state: "open" | "closed";
	/** Only results whose last report is before this time. */
	readonly beforeMs?: number | undefined;
	readonly reportsMax: number;
}

export type ReportStore = ReturnType<typeof createReportStore>;

/** Stores one document per result with all of its reports. Never removed: a button may be pressed a year later. */
export function createReportStore(store: Store) {
	/** Yields all reported results of a server, without corrupt documents: one of them must not hide the others. */
	async function* ofGuild(guildId: string): AsyncGenerator<ReportedResult> {
		for await (const { value } of scanDocuments(store, prefixOf(guildId), reportedSchema)) yield value;
	}

	return {
		read: async (guildId: string, taskId: string) =>
			(await readDocument(store, keyOf(guildId, taskId), reportedSchema)).value,
		ofGuild,
		/** Lists results with a report in the moderators' channel, the latest report first, and returns `beforeMs` of the next page. */
		async list(guildId: string, { state, beforeMs = Number.POSITIVE_INFINITY, reportsMax }: ReportQuery) {
			// Reads all: they are few, and the time of their last report is not in their keys.
			const found: ReportedResult[] = [];
			for await (const reported of ofGuild(guildId)) {
				const lastAtMs = lastReportAtMs(reported);
				const isPosted = lastAtMs > 0;
				const hasState = isReportOpen(reported) === (state === "open");
				if (isPosted && hasState && lastAtMs < beforeMs) found.push(reported);
			}
			found.sort((one, other) => lastReportAtMs(other) - lastReportAtMs(one));
			const reports = found.slice(0, reportsMax);
			const last = reports.at(-1);
			return { reports, nextBeforeMs: last && found.length > reportsMax ? lastReportAtMs(last) : undefined };
		},
		/** Changes the document, starting from `first()` if there is none. `change` runs again after a concurrent write. */
		change: (
			guildId: string,
			taskId: string,
			first: () => ReportedResult,
			change: (before: ReportedResult) => ReportedResult,
		): Promise<ReportedResult> =>
			retryChange(`the reports of task ${taskId}`, async () => {
				const key = keyOf(guildId, taskId);
				const { value, raw } = await readDocument(store, key, reportedSchema);
				const next = change(value ?? first());
				return (await store.compareAndSet(key, raw, next)) === undefined ? "conflict" : next;
			}),
	};
}

function prefixOf(guildId: string): string {
	return `${REPORTED_PREFIX}${guildId}:`;
}

function keyOf(guildId: string, taskId: string): string {
	return prefixOf(guildId) + taskId;
}

/** The time of the last report that is in the moderators' channel; 0 for none. */
function lastReportAtMs({ reports }: ReportedResult): number {
	return Math.max(0, ...Object.values(reports).map(({ atMs, posted }) => (posted ? atMs : 0)));
}

/** Returns whether an action has been performed. After a later report, its member can be blocked and it can be dismissed again. */
export function isActionDone(reported: ReportedResult, action: ReportAction): boolean {
	const mark = reported.done[action];
	const isRepeatable = action === "block" || action === "dismiss";
	return mark !== undefined && (!isRepeatable || mark.atMs >= lastReportAtMs(reported));
}

/** Returns whether the last report came after the last decision. A refund alone decides nothing about the result. */
export function isReportOpen(reported: ReportedResult): boolean {
	const { delete: deleted, block, dismiss } = reported.done;
	const decidedAtMs = Math.max(0, ...[deleted, block, dismiss].map((mark) => mark?.atMs ?? 0));
	return lastReportAtMs(reported) > decidedAtMs;
}
