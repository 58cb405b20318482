import { z } from "zod";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import type { Store } from "@atelier/store/store";

/** What moderators can do about a reported result; each of it once. */
export const REPORT_ACTIONS = ["delete", "block", "refund"] as const;
export type ReportAction = (typeof REPORT_ACTIONS)[number];

/** People who can report the same result; what that many object to is known well enough. */
export const REPORTERS_MAX = 25;

const done = z.object({ byUserId: z.string(), atMs: z.number() });

/** A result that somebody reported, with all that is needed to act on it after its task is no longer kept. */
const reportedSchema = z.object({
	taskId: z.string(),
	guildId: z.string(),
	/** Who had it made. */
	userId: z.string(),
	channelId: z.string(),
	/** `null` where it cannot be deleted: it was sent directly, or only its person sees it. */
	messageId: z.string().nullable(),
	mediaType: z.string(),
	modelName: z.string(),
	prompt: z.string(),
	chargedCredits: z.number(),
	/** By who reported it. `isPosted`: it is in the moderators' channel. */
	reports: z.record(z.string(), z.object({ reason: z.string(), atMs: z.number(), isPosted: z.boolean() })),
	done: z.partialRecord(z.enum(REPORT_ACTIONS), done).default({}),
});
export type ReportedResult = z.infer<typeof reportedSchema>;

const ATTEMPTS_MAX = 20;

/** One document a result, however many report it. Never removed: a button may be pressed a year later. */
export interface ReportedResults {
	read(guildId: string, taskId: string): Promise<ReportedResult | undefined>;
	/** Changes what is there, or what `first` would be; `change` may run again when somebody else was first. */
	change(
		guildId: string,
		taskId: string,
		first: () => ReportedResult,
		change: (before: ReportedResult) => ReportedResult,
	): Promise<ReportedResult>;
}

export function createReportedResults(store: Store): ReportedResults {
	async function load(key: string): Promise<{ value: ReportedResult | undefined; raw: string | undefined }> {
		const stored = await store.get(key);
		if (!stored) return { value: undefined, raw: undefined };
		const parsed = reportedSchema.safeParse(stored.value);
		if (!parsed.success) throw new CorruptDocumentError(key, parsed.error);
		return { value: parsed.data, raw: stored.raw };
	}

	return {
		read: async (guildId, taskId) => (await load(keyOf(guildId, taskId))).value,
		async change(guildId, taskId, first, change) {
			const key = keyOf(guildId, taskId);
			for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
				const { value, raw } = await load(key);
				const next = change(value ?? first());
				if ((await store.compareAndSet(key, raw, next)) !== undefined) return next;
			}
			throw new Error("a report that is changed too often at once");
		},
	};
}

function keyOf(guildId: string, taskId: string): string {
	return `reported:${guildId}:${taskId}`;
}
