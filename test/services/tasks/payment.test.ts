import { describe, expect, test } from "vitest";
import { createAuditor } from "@atelier/ledger/audit-store";
import { LedgerRejectedError, type Balance } from "@atelier/ledger/ledger";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { memberAuthor } from "../../../src/services/access/change-author.ts";
import { requireCredits } from "../../../src/services/credits/credit-check.ts";
import { denialOfRejectedHold } from "../../../src/services/credits/charge-denial.ts";
import { createHoldTaskLookup } from "../../../src/services/tasks/task-store.ts";
import { finishedRemoteTask, runningRemoteTask } from "../../fakes/fake-media-api.ts";
import {
	CHARGED,
	GUILD,
	SECOND_MS,
	setup,
	type Setup,
	setupSubmitted,
	TASK,
	submission,
	textOf,
} from "./task-setup.ts";

test.each([
	["names the next refill, which covers the cost", 500, Date.UTC(2026, 11, 1) / 1000],
	["names no refill if it does not cover the cost", 501, null],
])("a denial for lack of credits %s", (_rule, costCredits, refillsAtS) => {
	const balance: Balance = { postedCredits: 100, heldCredits: 0, availableCredits: 100, expiring: [] };
	const plan = { limits: [], refillsAtMs: Date.UTC(2026, 11, 1), monthlyCredits: 500 };
	const rejection = new LedgerRejectedError("exceeds_credits", "guild:1", balance);
	const message = denialOfRejectedHold(plan, rejection, { costCredits, mediaType: "image" });
	expect(message).toMatchObject({ params: { refillsAtS } });
});

const limitMembers = ({ settings }: Pick<Setup["process"], "settings">, everyone: number | null) =>
	settings.change(
		GUILD,
		(before) => ({ ...before, allowance: { ...before.allowance, everyone } }),
		memberAuthor("1", "discord"),
	);

async function corrupt({ storage }: Pick<Setup, "storage">, account: string): Promise<void> {
	await storage.set(`account:${account}`, '{"value":{"postedCredits":"x"}}');
}

test("the admins are warned of a reservation that the credits left do not cover", async () => {
	const { process, posted } = setup();
	await process.settings.change(
		GUILD,
		(before) => ({ ...before, warnChannelId: "1000000000000000007" }),
		memberAuthor("1", "discord"),
	);
	await process.run(SECOND_MS);
	const request = { ...submission.request, costCredits: 7 };
	await expect(process.submit({ id: "1000000000000000010", request })).rejects.toThrow("limit.serverCredits");
	await process.lowCredits.stop();
	expect(posted).toStrictEqual([expect.stringContaining("6")]);
});

/** Starts a process in a server that limits each member to 8 credits. */
async function setupLimited() {
	const fixture = setup();
	const { process, storage, media } = fixture;
	await limitMembers(process, 8);
	const { limits } = await process.accounts.planPayment(submission, "image");
	const limit = limits[0]?.account ?? "none";
	/** Lets the service finish the task while an account is corrupt. Resolves to a function that repairs the account. */
	const finishWithCorrupt = async (account: string) => {
		media.answer = runningRemoteTask;
		await process.run(SECOND_MS);
		const before = (await storage.get(`account:${account}`)) ?? "";
		await corrupt(fixture, account);
		media.answer = finishedRemoteTask();
		await fixture.advance(SECOND_MS);
		return async () => await storage.set(`account:${account}`, before);
	};
	return { ...fixture, limit, finishWithCorrupt };
}

test.each<[string, number | null]>([
	["limit.member", 8],
	["limit.serverCredits", null],
])(
	"of two commands at once, the one that exceeds the credits is denied by %s, without a task",
	async (key, everyone) => {
		const { process } = setup();
		await limitMembers(process, everyone);
		const request = { ...submission.request, costCredits: 6 };
		const other = "1000000000000000010";
		const submitted = await Promise.allSettled([process.submit({ request }), process.submit({ id: other, request })]);
		expect(submitted).toMatchObject([{ value: true }, { reason: { messageDescriptor: { key } } }]);
		expect(await process.taskStore.load(other)).toBeUndefined();
		expect(await process.balance()).toMatchObject({ heldCredits: 6 });
	},
);

test("a result is charged once if its hold was posted before, as in a backup of a running bot", async () => {
	const { process, media, advance, replyAndBalance, logged } = await setupSubmitted();
	await process.ledger.post(`guild:${GUILD}`, TASK, 4, { by: "system", reason: "image" });
	media.answer = finishedRemoteTask();
	await advance(SECOND_MS);
	expect(await replyAndBalance()).toStrictEqual(CHARGED);
	expect(logged("error")).toStrictEqual([]);
});

describe("a corrupt account of a limit", () => {
	test("denies a command before it becomes a task, also if its credits were checked before", async () => {
		const fixture = await setupLimited();
		const { process, limit, media, openKeys, logger } = fixture;
		await corrupt(fixture, limit);
		const checked = requireCredits(process, submission, submission.request, logger);
		await expect(checked).rejects.toBeInstanceOf(CorruptDocumentError);
		await expect(process.submit()).rejects.toBeInstanceOf(CorruptDocumentError);
		expect([media.submits, await openKeys(), (await process.balance()).heldCredits]).toStrictEqual([0, [], 0]);
	});

	test("does not delay a result, which the server pays for; after a repair, the audit reports the open hold", async () => {
		const { process, limit, finishWithCorrupt, openKeys, taskNow, replyAndBalance, linesOf } = await setupLimited();
		const repair = await finishWithCorrupt(limit);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
		expect(await taskNow()).toMatchObject({ state: "delivered", chargedCredits: 4 });
		expect(linesOf("hold of an ended task not ended")).toMatchObject([{ holdId: TASK, account: limit }]);
		expect(await openKeys()).toStrictEqual([]);
		await repair();
		expect(await process.ledger.balance(limit)).toMatchObject({ postedCredits: 0, heldCredits: 4 });
		const holdTaskState = createHoldTaskLookup(process.taskStore);
		const { findings } = await createAuditor({ store: process.store, holdTaskState }).account(limit);
		expect(findings).toMatchObject([{ rule: "task", subject: `hold ${TASK}`, found: "a task that has ended" }]);
	});

	test("does not let a crash charge a result that the member never gets", async () => {
		const fixture = await setupLimited();
		const { process, bootCrashing, restart, limit, media, advance, replyAndBalance } = fixture;
		const { store, dying } = bootCrashing();
		media.answer = runningRemoteTask;
		await dying.run(SECOND_MS);
		await corrupt(fixture, limit);
		media.answer = finishedRemoteTask();
		// After the write of the corrupt limit, which changes nothing, and that of the account of the server.
		store.arm(2);
		await advance(SECOND_MS);
		expect(store.hasCrashed).toBe(true);
		await dying.runner.stop();
		media.answer = { state: "failed", code: "engine", reason: "no longer stored" };
		await restart({ running: process });
		await advance(10 * SECOND_MS);
		expect(await replyAndBalance()).toStrictEqual(CHARGED);
	});
});

test("a result is delivered without a charge if the account of the server is corrupt, and its limit is charged", async () => {
	const { process, limit, finishWithCorrupt, replyClient, taskNow } = await setupLimited();
	await finishWithCorrupt(`guild:${GUILD}`);
	expect(textOf(replyClient)).toContain(
		"0 credits charged · this server's credit records are damaged: tell the bot owner",
	);
	expect(await taskNow()).toMatchObject({ state: "delivered", chargedCredits: 0, leftCredits: null });
	expect(await process.ledger.balance(limit)).toMatchObject({ postedCredits: -4, heldCredits: 0 });
});
