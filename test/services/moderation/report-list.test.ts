import { expect, test } from "vitest";
import { listReports } from "../../../src/services/moderation/report-list.ts";
import type { ReportedResult } from "../../../src/services/moderation/report-store.ts";

const mark = (atMs: number) => ({ byUserId: "9", atMs });

function reportedAt(taskId: string, atMs: number, changed: Partial<ReportedResult> = {}): ReportedResult {
	return {
		taskId,
		guildId: "1",
		userId: "2",
		channelId: "3",
		messageId: "4",
		isMessageDeleted: false,
		mediaType: "image",
		modelName: "Model",
		prompt: "a boat",
		chargedCredits: 4,
		reports: { "5": { reason: "no", atMs, isPosted: true } },
		done: {},
		...changed,
	};
}

async function* stored(): AsyncGenerator<ReportedResult> {
	yield reportedAt("1", 100);
	yield reportedAt("2", 300);
	yield reportedAt("3", 200, { done: { refund: mark(250) } });
	yield reportedAt("4", 400, { done: { dismiss: mark(400) } });
	yield reportedAt("5", 500, { done: { dismiss: mark(450) } });
	yield reportedAt("6", 600, { done: { delete: mark(650) } });
	// The moderators have never seen it.
	yield reportedAt("7", 700, { reports: { "5": { reason: "no", atMs: 700, isPosted: false } } });
}

const idsOf = (reports: readonly ReportedResult[]): readonly string[] => reports.map(({ taskId }) => taskId);

test("results without a decision since their last report are open, and the latest report is first", async () => {
	const first = await listReports(stored(), { state: "open", reportsMax: 2 });
	expect(idsOf(first.reports)).toStrictEqual(["5", "2"]);
	const second = await listReports(stored(), { state: "open", reportsMax: 2, beforeMs: first.nextBeforeMs });
	expect(idsOf(second.reports)).toStrictEqual(["3", "1"]);
	expect(second.nextBeforeMs).toBeUndefined();
});

test("results that were deleted or dismissed are closed, and a refund closes none", async () => {
	const { reports } = await listReports(stored(), { state: "closed", reportsMax: 10 });
	expect(idsOf(reports)).toStrictEqual(["6", "4"]);
});
