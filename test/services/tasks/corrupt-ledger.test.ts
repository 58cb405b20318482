import { describe, expect, test } from "vitest";
import { createAuditor } from "@atelier/ledger/auditor";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import { made, open } from "../../fakes/fake-media-api.ts";
import { GUILD, MINUTE_MS, SECOND_MS, TASK, taskRequest, setup, textOf } from "./task-setup.ts";
import { createHoldTaskLookup } from "../../../src/services/tasks/task-store.ts";

const HELD = "account:";
const MADE = made();

/** A member with a limit of 8 credits, for whom something is being made. */
async function limited() {
	const all = setup();
	const byAdmin = "member:1";
	await all.process.settings.change(
		GUILD,
		(before) => ({ ...before, allowance: { ...before.allowance, everyone: 8 } }),
		byAdmin,
	);
	const { limits } = await all.process.accounts.planPayment(taskRequest, "image");
	const limit = limits[0]?.account ?? "none";
	const setupRunningTask = async (): Promise<void> => {
		all.media.answer = open;
		await all.process.submit();
		await all.pass(SECOND_MS);
	};
	const damage = (account: string): unknown => all.storage.set(HELD + account, '{"value":{"postedCredits":"x"}}');
	const taskNow = async () => (await all.process.tasks.load(TASK))?.task;
	return { ...all, limit, setupRunningTask, damage, taskNow };
}

describe("a damaged limit account", () => {
	test("denies a request before it becomes a task", async () => {
		const { process, damage, limit, media, openKeys, pass } = await limited();
		await damage(limit);
		await expect(process.submit()).rejects.toBeInstanceOf(CorruptDocumentError);
		await pass(MINUTE_MS);
		expect([media.submits, await openKeys()]).toStrictEqual([0, []]);
	});

	test("found at the reservation ends the task within minutes, with a reason and without other holds", async () => {
		const { process, damage, limit, media, replyClient, openKeys, pass } = await limited();
		await process.submit();
		await damage(limit);
		await pass(2 * MINUTE_MS);
		expect(textOf(replyClient)).toMatch(
			/books of this server are damaged.*incident [\da-f]{8}\. Nothing was charged\./,
		);
		expect([media.submits, await openKeys()]).toStrictEqual([0, []]);
		expect(await process.balance()).toMatchObject({ postedCredits: 10, heldCredits: 0 });
	});

	test("does not withhold a result from its member, and the server's account pays", async () => {
		const { process, damage, limit, setupRunningTask, media, replyClient, openKeys, pass, taskNow } = await limited();
		await setupRunningTask();
		await damage(limit);
		media.answer = MADE;
		await pass(2 * MINUTE_MS);
		expect(textOf(replyClient)).toContain("4 credits · 6 left");
		expect(await taskNow()).toMatchObject({ state: "delivered", chargedCredits: 4, unsettled: [limit] });
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
		expect(await openKeys()).toStrictEqual([]);
	});

	test("that is repaired in time is charged once", async () => {
		const { process, storage, damage, limit, setupRunningTask, media, replyClient, pass, taskNow } = await limited();
		await setupRunningTask();
		const before = await storage.get(HELD + limit);
		await damage(limit);
		media.answer = MADE;
		await pass(12 * SECOND_MS);
		expect(replyClient.seen.size).toBe(0);
		await storage.set(HELD + limit, before ?? "");
		await pass(MINUTE_MS);
		expect(await taskNow()).not.toHaveProperty("unsettled");
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
		expect(await process.ledger.balance(limit)).toMatchObject({ postedCredits: -4, heldCredits: 0 });
	});

	test("that is repaired later has an open hold, which the audit reports and nothing charges again", async () => {
		const { process, boot, storage, damage, limit, setupRunningTask, media, pass } = await limited();
		await setupRunningTask();
		const before = await storage.get(HELD + limit);
		await damage(limit);
		media.answer = MADE;
		await pass(2 * MINUTE_MS);
		await storage.set(HELD + limit, before ?? "");
		await boot().runner.recover();
		await pass(2 * MINUTE_MS);
		expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
		expect(await process.ledger.balance(limit)).toMatchObject({ postedCredits: 0, heldCredits: 4 });
		const { findings } = await createAuditor({
			store: process.store,
			holdTaskState: createHoldTaskLookup(process.tasks),
		}).account(limit);
		expect(findings).toMatchObject([{ rule: "task", subject: `hold ${TASK}`, found: "a task that has ended" }]);
	});
});

test("a damaged server account does not charge for the result, and logs it", async () => {
	const { process, damage, limit, setupRunningTask, media, replyClient, pass, taskNow } = await limited();
	await setupRunningTask();
	await damage(`guild:${GUILD}`);
	media.answer = MADE;
	await pass(2 * MINUTE_MS);
	expect(textOf(replyClient)).toContain("0 credits charged · the books of this server are damaged");
	expect(await taskNow()).toMatchObject({ state: "delivered", chargedCredits: 0, leftCredits: null });
	expect(await process.ledger.balance(limit)).toMatchObject({ postedCredits: -4, heldCredits: 0 });
});

test("a damaged account that pays alone does not charge either", async () => {
	const { process, storage, media, replyClient, pass } = setup();
	media.answer = open;
	await process.submit();
	await pass(SECOND_MS);
	await storage.set(`${HELD}guild:${GUILD}`, '{"value":{"postedCredits":"x"}}');
	media.answer = MADE;
	await pass(2 * MINUTE_MS);
	expect(textOf(replyClient)).toContain("0 credits charged · the books of this server are damaged");
	expect((await process.tasks.load(TASK))?.task).toMatchObject({ state: "delivered", unsettled: [`guild:${GUILD}`] });
});

describe("a start", () => {
	test("continues with all other tasks if one is damaged", async () => {
		const { process, storage, boot, media, replyClient, pass } = setup();
		const other = "1000000000000000010";
		media.answer = open;
		await process.submit();
		await process.submit({ id: other });
		await pass(SECOND_MS);
		await process.runner.stop();
		await storage.set(`task:${TASK}`, "garbage");
		await pass(2 * MINUTE_MS);
		media.answer = MADE;
		expect(await boot().runner.recover()).toBe(2);
		await pass(10 * SECOND_MS);
		expect(textOf(replyClient, other)).toContain("4 credits");
	});

	test("finds a task with a damaged index entry", async () => {
		const { process, storage, boot, media, replyClient, openKeys, pass } = setup();
		media.answer = open;
		await process.submit();
		await pass(SECOND_MS);
		await process.runner.stop();
		await storage.set(`open:${TASK}`, "garbage");
		media.answer = MADE;
		expect(await boot().runner.recover()).toBe(1);
		await pass(10 * SECOND_MS);
		expect(textOf(replyClient)).toContain("4 credits");
		expect(await openKeys()).toStrictEqual([]);
	});
});
