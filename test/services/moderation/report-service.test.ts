import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import { createCreditService } from "../../../src/services/credits/credit-service.ts";
import { createGuildAccounts, guildAccount } from "../../../src/services/credits/guild-accounts.ts";
import { createGuildLanguages } from "../../../src/services/settings/guild-languages.ts";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";
import { createSettingsService } from "../../../src/services/settings/settings-service.ts";
import { createRefundTask } from "../../../src/services/credits/refunds.ts";
import type { ModeratorsChannel } from "../../../src/services/moderation/moderators-channel.ts";
import { createReportActions } from "../../../src/services/moderation/report-actions.ts";
import { createReportService } from "../../../src/services/moderation/report-service.ts";
import type { ReportAction } from "@atelier/dashboard/schemas/reports";
import { createReportStore } from "../../../src/services/moderation/report-store.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import type { Task } from "../../../src/services/tasks/task.ts";
import type { TaskStore } from "../../../src/services/tasks/task-store.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { deliveredTask as delivered, failedTask } from "../../fakes/stored-tasks.ts";

const logger = pino({ level: "silent" });
const { guildId, id: taskId, userId, reply } = delivered;
const reporter = { guildId, userId: "1000000000000000050" };
const moderator = {
	guildId,
	userId: "1000000000000000060",
	isModerator: true,
	isManager: true,
	via: "dashboard" as const,
};

async function setup(task: Task | undefined = delivered) {
	const store = openMemoryStore();
	const clock = createManualClock();
	const ledger = createLedger({ store, clock });
	const settings = createGuildSettings(store, { clock });
	await settings.change(guildId, (before) => ({ ...before, reportChannelId: "90" }), memberAuthor("1", "discord"));
	const did: string[] = [];
	const harness = {
		task: task as Task | undefined,
		mayPost: true,
		mayDelete: true,
		updateMessage: async (): Promise<boolean> => true,
	};
	const taskStore: Pick<TaskStore, "load" | "move"> = {
		load: async () => (harness.task ? { task: harness.task, raw: "" } : undefined),
		async move(_from, moved) {
			harness.task = moved;
			return { task: moved, raw: "" };
		},
	};
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
	const languages = createGuildLanguages({ readLocale: async () => undefined });
	const shared = { reportStore: createReportStore(store), settings, moderatorsChannel, languages, clock };
	const reportService = createReportService({ taskStore, ...shared });
	const reportActions = createReportActions({
		...shared,
		settingsService: createSettingsService({
			settings,
			languages,
			channels: { isInGuild: async () => true },
			channelPoster: { post: async () => "1", remove: async () => {} },
			provided: { improver: false, moderation: false },
		}),
		results: { remove: async (id) => void did.push(`forget ${id}`) },
		refundTask: createRefundTask({
			accounts: createGuildAccounts({ store, ledger, settings, clock, monthlyCredits: 0 }),
			creditService: createCreditService({ ledger, mayManagersGrant: true }),
			taskStore,
			settings,
			languages,
			clock,
		}),
		resultMessages: { delete: async (channelId, id) => harness.mayDelete && did.push(`delete ${channelId} ${id}`) > 0 },
		resultDeletion: { unlist: async (guild, id) => void did.push(`unlist ${guild} ${id}`) },
	});
	const report = (reason = "no good", who = reporter) => reportService.report(who, taskId, reason, logger);
	const act = async (action: ReportAction, who = moderator) =>
		(await reportActions.act(who, taskId, action, logger)).reported;
	const credits = async () => (await ledger.balance(guildAccount(guildId))).availableCredits;
	return { harness, did, settings, reportService, reportActions, report, act, credits };
}

describe("reporting", () => {
	test("is possible once per member, and again if the report was not posted", async () => {
		const { harness, did, report } = await setup();
		harness.mayPost = false;
		await expect(report()).rejects.toThrow("report.channelClosed");
		harness.mayPost = true;
		await report();
		await expect(report()).rejects.toThrow("report.already");
		await report("me too", { ...reporter, userId: "51" });
		expect(did).toStrictEqual([`post 90 ${reporter.userId}`, "post 90 51"]);
	});

	test("ends after 25 reports", async () => {
		const { report } = await setup();
		for (let n = 0; n < 25; n++) await report("no", { guildId, userId: `${100 + n}` });
		await expect(report()).rejects.toThrow("report.byMany");
	});

	test.each<[string, Task | undefined, string]>([
		["a removed task", undefined, "job.notFound"],
		["a task of another server", { ...delivered, guildId: "2" }, "job.notFound"],
		["an ephemeral result", { ...delivered, reply: { ...reply, isEphemeral: true } }, "job.notFound"],
		["a failed task", failedTask, "job.nothingMade"],
	])("of %s is denied", async (_what, task, key) => {
		const { harness, report, reportService } = await setup();
		harness.task = task;
		await expect(report()).rejects.toThrow(key);
		await expect(reportService.requireReportable(reporter, taskId)).rejects.toThrow(key);
		await expect(reportService.requireReportable(reporter, "../settings")).rejects.toThrow("job.notFound");
	});
});

describe("acting on a report", () => {
	test("works after the task was removed", async () => {
		const { harness, report, act, did, credits } = await setup();
		await report();
		harness.task = undefined;
		await act("delete");
		await act("refund");
		expect(did.filter((each) => !/^(post|show)/.test(each))).toStrictEqual([
			`delete ${reply.channelId} 77`,
			`forget ${taskId}`,
			`unlist ${guildId} ${taskId}`,
		]);
		expect(await credits()).toBe(4);
	});

	test("deletes the files of a result whose message was deleted before the report", async () => {
		const { harness, report, act, did } = await setup({ ...delivered, messageDeletedAtMs: 3 });
		harness.mayDelete = false;
		await report();
		expect(await act("delete")).toMatchObject({ messageId: null, done: { delete: {} } });
		expect(did).toContain(`forget ${taskId}`);
	});

	test("by a refund records it in the task, which offers no second one", async () => {
		const { harness, report, act } = await setup();
		await report();
		await act("refund");
		expect(harness.task).toMatchObject({ refundedAtMs: expect.any(Number) });
	});

	test("by a refund marks the report of a job that was refunded before, and moves no credits", async () => {
		const { report, act, credits } = await setup({ ...delivered, refundedAtMs: 5 });
		await report();
		expect((await act("refund")).done.refund).toStrictEqual({ byUserId: null, atMs: 5 });
		expect(await credits()).toBe(0);
	});

	test("by several moderators at once moves credits once, and names one of them", async () => {
		const { report, act, credits } = await setup();
		await report();
		const refunds = ["61", "62", "63"].map((id) => act("refund", { ...moderator, userId: id }));
		const done = await Promise.all(refunds);
		expect(await credits()).toBe(4);
		expect(new Set(done.map((reported) => reported.done.refund?.byUserId)).size).toBe(1);
	});

	test.each<[string, Task, ReportAction, string]>([
		[
			"deletes no ephemeral result",
			{ ...delivered, reply: { ...reply, isEphemeral: true } },
			"delete",
			"report.nothingToDelete",
		],
		["refunds nothing for a free task", { ...delivered, chargedCredits: 0 }, "refund", "report.nothingCharged"],
	])("%s", async (_what, task, action, key) => {
		const { report, act } = await setup(task);
		await report("I did not mean to", { guildId, userId });
		await expect(act(action)).rejects.toThrow(key);
	});

	test.each<[string, () => Promise<boolean>]>([
		["the bot may no longer write", async () => false],
		["Discord does not respond", () => Promise.reject(new Error("no answer"))],
	])(
		"succeeds while %s in the moderators' channel, and reports that its messages are not updated",
		async (_what, updateMessage) => {
			const { harness, report, reportActions, did } = await setup();
			await report();
			harness.updateMessage = updateMessage;
			const acted = await reportActions.act(moderator, taskId, "dismiss", logger);
			expect(acted).toMatchObject({ isChannelUpdated: false, reported: { done: { dismiss: {} } } });
			// The next action shows both.
			harness.updateMessage = async () => true;
			expect((await reportActions.act(moderator, taskId, "refund", logger)).isChannelUpdated).toBe(true);
			expect(did.at(-1)).toBe(`show dismiss,refund in message of ${reporter.userId}`);
		},
	);

	test.each<[string, Partial<typeof moderator>, ReportAction, string]>([
		["a member who is no moderator", { isModerator: false }, "dismiss", "permission.moderate"],
		["a refund by a moderator who is no manager", { isManager: false }, "refund", "permission.manage"],
	])("is denied for %s", async (_who, rights, action, key) => {
		const { report, act } = await setup();
		await report();
		await expect(act(action, { ...moderator, ...rights })).rejects.toThrow(key);
	});

	test("is denied for an unreported result, and can be repeated if Discord forbids it", async () => {
		const { harness, report, act } = await setup();
		await expect(act("delete")).rejects.toThrow("job.notFound");
		await report();
		harness.mayDelete = false;
		await expect(act("delete")).rejects.toThrow("report.deleteForbidden");
		harness.mayDelete = true;
		expect((await act("delete")).done.delete?.byUserId).toBe(moderator.userId);
	});
});
