import { expect, test } from "vitest";
import { listReports } from "../../../src/services/moderation/report-list.ts";
import type { ReportedResult } from "../../../src/services/moderation/report-store.ts";

const mark = (atMs: number) => ({ byUserId: "9", atMs });
const report = (atMs: number, isPosted = true) => ({ reports: { "5": { reason: "no", atMs, isPosted } } });

/** The parts of reported results that decide about their state. */
const STORED = [
	{ taskId: "1", done: {}, ...report(100) },
	{ taskId: "2", done: {}, ...report(300) },
	{ taskId: "3", done: { refund: mark(250) }, ...report(200) },
	{ taskId: "4", done: { dismiss: mark(400) }, ...report(400) },
	{ taskId: "5", done: { dismiss: mark(450) }, ...report(500) },
	{ taskId: "6", done: { delete: mark(650) }, ...report(600) },
	// The moderators have never seen it.
	{ taskId: "7", done: {}, ...report(700, false) },
] as unknown as readonly ReportedResult[];

async function* stored() {
	yield* STORED;
}

async function list(query: Parameters<typeof listReports>[1]) {
	const { reports, nextBeforeMs } = await listReports(stored(), query);
	return { taskIds: reports.map(({ taskId }) => taskId), nextBeforeMs };
}

test("results without a decision since their last report are open, and the latest report is first", async () => {
	const first = await list({ state: "open", reportsMax: 2 });
	expect(first.taskIds).toStrictEqual(["5", "2"]);
	const second = await list({ state: "open", reportsMax: 2, beforeMs: first.nextBeforeMs });
	expect(second).toStrictEqual({ taskIds: ["3", "1"], nextBeforeMs: undefined });
});

test("results that were deleted or dismissed are closed, and a refund closes none", async () => {
	expect((await list({ state: "closed", reportsMax: 10 })).taskIds).toStrictEqual(["6", "4"]);
});
