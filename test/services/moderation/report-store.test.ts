import { expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import {
	createReportStore,
	isActionDone,
	type ReportedResult,
	type ReportStore,
} from "../../../src/services/moderation/report-store.ts";

const REPORTED: ReportedResult = {
	taskId: "1",
	guildId: "2",
	userId: "3",
	channelId: "4",
	messageId: null,
	isMessageDeleted: false,
	mediaType: "image",
	modelName: "Sketch",
	prompt: "a boat",
	chargedCredits: 4,
	reports: {},
	done: {},
};

test("a change keeps the fields of a later version", async () => {
	const store = openMemoryStore();
	await store.set("reported:2:1", { ...REPORTED, later: true });
	const changed = await createReportStore(store).change(
		"2",
		"1",
		() => REPORTED,
		(before) => ({ ...before, prompt: "" }),
	);
	expect(changed).toStrictEqual({ ...REPORTED, prompt: "", later: true });
	expect((await store.get("reported:2:1"))?.value).toStrictEqual(changed);
});

const mark = (atMs: number) => ({ byUserId: "9", atMs });
test.each([
	["delete", true],
	["block", false],
	["refund", true],
	["dismiss", false],
] as const)("the action %s stays performed after a later report: %s", (action, isDone) => {
	const done = { [action]: mark(100) };
	expect(isActionDone({ ...REPORTED, ...report(50), done }, action)).toBe(true);
	expect(isActionDone({ ...REPORTED, ...report(200), done }, action)).toBe(isDone);
});

const posted = { channelId: "90", messageId: "91" };
const report = (atMs: number, isPosted = true) => ({
	reports: { "5": { reason: "no", atMs, ...(isPosted && { posted }) } },
});

async function setupReports() {
	const store = openMemoryStore();
	const reported: readonly Partial<ReportedResult>[] = [
		report(100),
		report(300),
		{ done: { refund: mark(250) }, ...report(200) },
		{ done: { dismiss: mark(400) }, ...report(400) },
		{ done: { dismiss: mark(450) }, ...report(500) },
		{ done: { delete: mark(650) }, ...report(600) },
		// The moderators have never seen it.
		report(700, false),
	];
	for (const [index, changes] of reported.entries()) {
		const taskId = String(index + 1);
		await store.set(`reported:2:${taskId}`, { ...REPORTED, taskId, ...changes });
	}
	return async (query: Parameters<ReportStore["list"]>[1]) => {
		const { reports, nextBeforeMs } = await createReportStore(store).list("2", query);
		return { taskIds: reports.map(({ taskId }) => taskId), nextBeforeMs };
	};
}

test("results without a decision since their last report are open, and the latest report is first", async () => {
	const list = await setupReports();
	const first = await list({ state: "open", reportsMax: 2 });
	expect(first.taskIds).toStrictEqual(["5", "2"]);
	const second = await list({ state: "open", reportsMax: 2, beforeMs: first.nextBeforeMs });
	expect(second).toStrictEqual({ taskIds: ["3", "1"], nextBeforeMs: undefined });
});

test("results that were deleted or dismissed are closed, and a refund closes none", async () => {
	const list = await setupReports();
	expect((await list({ state: "closed", reportsMax: 10 })).taskIds).toStrictEqual(["6", "4"]);
});
