import { pino } from "pino";
import { describe, expect, test } from "vitest";
import type { ModeratorsChannel } from "../../../src/services/moderation/moderators-channel.ts";
import { createReportActions } from "../../../src/services/moderation/report-actions.ts";
import { createReportService } from "../../../src/services/moderation/report-service.ts";
import { createReportStore } from "../../../src/services/moderation/report-store.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import type { Task } from "../../../src/services/tasks/task.ts";
import type { ReportAction } from "@atelier/dashboard/schemas/reports";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { deliveredTask as delivered, failedTask } from "../../fakes/stored-tasks.ts";

const logger = pino({ level: "silent" });
const { guildId, id: taskId, reply } = delivered;
const ephemeral: Task = { ...delivered, reply: { ...reply, isEphemeral: true } };
const reporter = { guildId, userId: "1000000000000000050" };
const moderator = {
	guildId,
	userId: "1000000000000000060",
	isModerator: true,
	isManager: true,
	via: "dashboard" as const,
};

function setup(task: Task = delivered) {
	const did: string[] = [];
	const harness = {
		task: task as Task | undefined,
		mayPost: true,
		mayDelete: true,
		refundedBeforeAtMs: undefined as number | undefined,
		updateMessage: async (): Promise<boolean> => true,
	};
	const clock = createManualClock();
	const settings = storedSettingsSchema.parse({ reportChannelId: "90" });
	const moderatorsChannel: ModeratorsChannel = {
		async post(channelId, _reported, by) {
			if (!harness.mayPost) return undefined;
			did.push(`post ${channelId} ${by}`);
			return { channelId, messageId: `message of ${by}` };
		},
		async update({ messageId }, { done }) {
			did.push(`show ${Object.keys(done).join()} in ${messageId}`);
			return await harness.updateMessage();
		},
	};
	const reportStore = createReportStore(openMemoryStore());
	const shared = {
		reportStore,
		settings: { read: async () => settings },
		moderatorsChannel,
		languages: { localeOf: async () => "en" },
		clock,
	};
	const taskStore = { load: async () => harness.task && { task: harness.task, raw: "" } };
	const reportService = createReportService({ taskStore, ...shared });
	const actions = createReportActions({
		...shared,
		settingsService: { change: () => Promise.reject(new Error("no member is blocked")) },
		results: { remove: async (id) => void did.push(`forget ${id}`) },
		async refundTask({ reportedCredits }) {
			did.push(`refund ${reportedCredits}`);
			return { amountCredits: 4, refundedBeforeAtMs: harness.refundedBeforeAtMs };
		},
		resultMessages: { delete: async (channelId, id) => harness.mayDelete && did.push(`delete ${channelId} ${id}`) > 0 },
		resultDeletion: { unlist: async (guild, id) => void did.push(`unlist ${guild} ${id}`) },
	});
	const report = async (userId = reporter.userId): Promise<void> => {
		await clock.advance(1);
		await reportService.report({ guildId, userId }, taskId, "no good", logger);
	};
	return {
		harness,
		did,
		reporterIds: async () => Object.keys((await reportStore.read(guildId, taskId))?.reports ?? {}),
		requireReportable: (id = taskId) => reportService.requireReportable(reporter, id),
		report,
		act: (action: ReportAction, who = moderator) => actions.act(who, taskId, action, logger),
	};
}

describe("reporting", () => {
	test("is possible once per member, and again if the report was not posted", async () => {
		const { harness, did, report } = setup();
		harness.mayPost = false;
		await expect(report()).rejects.toThrow("report.channelClosed");
		harness.mayPost = true;
		await report();
		await expect(report()).rejects.toThrow("report.already");
		await report("51");
		expect(did).toStrictEqual([`post 90 ${reporter.userId}`, "post 90 51"]);
	});

	test("ends after 25 reports that were posted", async () => {
		const { harness, report, reporterIds } = setup();
		const userIds = Array.from({ length: 25 }, (_, n) => String(100 + n));
		harness.mayPost = false;
		for (const userId of ["99", ...userIds]) await expect(report(`2${userId}`)).rejects.toThrow("report.channelClosed");
		harness.mayPost = true;
		for (const userId of userIds) await report(userId);
		await expect(report()).rejects.toThrow("report.byMany");
		// Of the others, the latest 25 stay: a message may exist although it was not recorded.
		expect(await reporterIds()).toStrictEqual([...userIds, ...userIds.map((userId) => `2${userId}`)]);
	});

	test.each<[string, Task | undefined, string]>([
		["a removed task", undefined, "job.notFound"],
		["a task of another server", { ...delivered, guildId: "2" }, "job.notFound"],
		["an ephemeral result of another member", ephemeral, "job.notFound"],
		["a failed task", failedTask, "job.nothingMade"],
	])("of %s is denied", async (_what, task, key) => {
		const { harness, report, requireReportable } = setup();
		harness.task = task;
		await expect(report()).rejects.toThrow(key);
		await expect(requireReportable()).rejects.toThrow(key);
		await expect(requireReportable("../settings")).rejects.toThrow("job.notFound");
	});
});

describe("acting on a report", () => {
	test("works after the task was removed", async () => {
		const { harness, report, act, did } = setup();
		await report();
		harness.task = undefined;
		await act("delete");
		await act("refund");
		expect(did.filter((each) => !/^(post|show)/.test(each))).toStrictEqual([
			`delete ${reply.channelId} 77`,
			`forget ${taskId}`,
			`unlist ${guildId} ${taskId}`,
			"refund 4",
		]);
	});

	test("deletes the files of a result whose message was deleted before the report", async () => {
		const { harness, report, act, did } = setup({ ...delivered, messageDeletedAtMs: 3 });
		harness.mayDelete = false;
		await report();
		expect(await act("delete")).toMatchObject({ reported: { messageId: null, done: { delete: {} } } });
		expect(did).toContain(`forget ${taskId}`);
	});

	test("deletes no ephemeral result", async () => {
		const { report, act } = setup(ephemeral);
		await report(delivered.userId);
		await expect(act("delete")).rejects.toThrow("report.nothingToDelete");
	});

	test("by a refund marks the report of a job that was refunded before", async () => {
		const { harness, report, act } = setup();
		await report();
		harness.refundedBeforeAtMs = 5;
		expect((await act("refund")).reported.done.refund).toStrictEqual({ byUserId: null, atMs: 5 });
	});

	test("by several moderators at once names one of them", async () => {
		const { report, act, did } = setup();
		await report();
		const userIds = ["61", "62", "63"];
		const done = await Promise.all(userIds.map((userId) => act("refund", { ...moderator, userId })));
		const named = done.map(({ reported }) => reported.done.refund?.byUserId);
		expect(userIds).toContain(named[0]);
		expect(new Set(named).size).toBe(1);
		// Each of them refunds: only the first refund of a task moves credits.
		expect(did.filter((each) => each === "refund 4")).toHaveLength(3);
	});

	test.each<[string, () => Promise<boolean>]>([
		["the bot may no longer write", async () => false],
		["Discord does not respond", () => Promise.reject(new Error("no answer"))],
	])(
		"succeeds while %s in the moderators' channel, and reports that its messages are not updated",
		async (_what, updateMessage) => {
			const { harness, report, act, did } = setup();
			await report();
			harness.updateMessage = updateMessage;
			expect(await act("dismiss")).toMatchObject({ isChannelUpdated: false, reported: { done: { dismiss: {} } } });
			// The next action shows both.
			harness.updateMessage = async () => true;
			expect((await act("refund")).isChannelUpdated).toBe(true);
			expect(did.at(-1)).toBe(`show dismiss,refund in message of ${reporter.userId}`);
		},
	);

	test.each<[string, Partial<typeof moderator>, ReportAction, string]>([
		["a member who is no moderator", { isModerator: false }, "dismiss", "permission.moderate"],
		["a refund by a moderator who is no manager", { isManager: false }, "refund", "permission.manage"],
	])("is denied for %s", async (_who, rights, action, key) => {
		const { report, act } = setup();
		await report();
		await expect(act(action, { ...moderator, ...rights })).rejects.toThrow(key);
	});

	test("is denied for an unreported result, and can be repeated if Discord forbids it", async () => {
		const { harness, report, act } = setup();
		await expect(act("delete")).rejects.toThrow("job.notFound");
		await report();
		harness.mayDelete = false;
		await expect(act("delete")).rejects.toThrow("report.deleteForbidden");
		harness.mayDelete = true;
		expect((await act("delete")).reported.done.delete?.byUserId).toBe(moderator.userId);
	});
});
