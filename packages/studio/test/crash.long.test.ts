/** The process crashes at every write of a task, with the write done or not done; the next process recovers. */
import { describe, expect, test } from "vitest";
import type { Account } from "@atelier/ledger/account";
import { createAuditor } from "@atelier/ledger/audit-store";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import type { StudioTask } from "../src/studio-task.ts";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { createFakeEngine, HANG, PERMANENT_FAILURE, type Script } from "../testing/fake-engine.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openAnother, REQUEST, setup, until } from "../testing/studio-setup.ts";

const GRANTED = 100;
const PRICE = 4;
/** Above the number of writes of any scenario; a loop ends when a run passes without a crash. */
const WRITES_MAX = 40;
const WITH_ID = { "idempotency-key": "interaction-1" };

describe.each([{ lastIsWritten: false }, { lastIsWritten: true }])("a crash at any write, %o", ({ lastIsWritten }) => {
	test("an acknowledged task succeeds and is charged once; an unacknowledged one either is free or has run", async () => {
		await crashAtEveryWrite(lastIsWritten, { script: [] }, async ({ tasks, acknowledged, chargedCredits }) => {
			expect(tasks.length).toBeLessThanOrEqual(1);
			expect(tasks[0]?.taskId).toBe(acknowledged ?? tasks[0]?.taskId);
			expect(tasks.every(({ state }) => state === "success")).toBe(true);
			expect(chargedCredits).toBe(PRICE * tasks.length);
		});
	});

	test("a task that fails costs nothing", async () => {
		const script = [PERMANENT_FAILURE];
		await crashAtEveryWrite(lastIsWritten, { script, scriptAfter: script }, async ({ tasks, chargedCredits }) => {
			expect(tasks.every(({ state }) => state === "failed")).toBe(true);
			expect(chargedCredits).toBe(0);
		});
	});

	test("an acknowledged cancellation takes effect, and its task is free; an unacknowledged one may have no effect", async () => {
		await crashAtEveryWrite(lastIsWritten, { script: [HANG], cancels: true }, async (outcome) => {
			const { tasks, cancelAcknowledged, chargedCredits } = outcome;
			const successes = tasks.filter(({ state }) => state === "success").length;
			expect(tasks.filter(({ state }) => state === "canceled")).toHaveLength(tasks.length - successes);
			expect(cancelAcknowledged && successes > 0).toBe(false);
			expect(chargedCredits).toBe(PRICE * successes);
		});
	});

	test("a rejected submit leaves nothing behind", async () => {
		await crashAtEveryWrite(lastIsWritten, { script: [], credits: PRICE - 1 }, async (outcome) => {
			expect(outcome).toMatchObject({ acknowledged: undefined, tasks: [], chargedCredits: 0 });
		});
	});

	test.each([
		["after", false],
		["during", true],
	])("a submit that is repeated %s the next start creates one task, charged once", async (_when, retryDuringStart) => {
		const scenario = { script: [], headers: WITH_ID, retryDuringStart };
		await crashAtEveryWrite(lastIsWritten, scenario, async ({ after, acknowledged, submitAgain }) => {
			const again = await submitAgain();
			expect(again).toBe(acknowledged ?? again);
			await after.awaitEnd(again);
			expect(await tasksOf(after.store)).toMatchObject([{ taskId: again, state: "success" }]);
			expect(await after.readBalance()).toMatchObject({ postedCredits: GRANTED - PRICE, heldCredits: 0 });
		});
	});
});

test("recovery reads no task that has ended", async () => {
	const first = await setup();
	await first.completeTask();
	await first.studio.stop();
	const read: string[] = [];
	const store: Store = { ...first.store, get: (key) => (read.push(key), first.store.get(key)) };
	await openAnother(first, { store });
	expect(read.filter((key) => key.startsWith("studio-task:"))).toStrictEqual([]);
});

interface Scenario {
	readonly script: readonly Script[];
	readonly scriptAfter?: readonly Script[];
	readonly credits?: number;
	readonly headers?: Record<string, string>;
	readonly retryDuringStart?: boolean;
	/** The client cancels the task as soon as it runs. */
	readonly cancels?: boolean;
}

interface Outcome {
	/** The next process, once no task is open. */
	readonly after: Awaited<ReturnType<typeof setup>>;
	readonly tasks: readonly StudioTask[];
	readonly chargedCredits: number;
	/** The task whose submit was answered before the crash. */
	readonly acknowledged: string | undefined;
	readonly cancelAcknowledged: boolean;
	/** Repeats the submit. Resolves to the id of its task. */
	readonly submitAgain: () => Promise<string>;
}

/**
 * Runs the scenario once for each of its writes, crashes the process at that write, and checks the state after the restart. The
 * key has a spend cap: at any time it counts what the account pays.
 */
async function crashAtEveryWrite(
	lastIsWritten: boolean,
	scenario: Scenario,
	check: (outcome: Outcome) => Promise<void>,
): Promise<void> {
	const mediaDir = await createTempFolder();
	const { credits = GRANTED, headers = {}, retryDuringStart = false } = scenario;
	for (let writes = 0; writes < WRITES_MAX; writes++) {
		const memory = await openStore("memory:");
		const isSettled = async () => (await Array.fromAsync(memory.scan("studio-open:"))).length === 0;
		const store = createCrashingStore(memory);
		const engine = createFakeEngine({ script: scenario.script });
		const before = await setup({ store, engine, mediaDir, credits });
		const cap = { credits: GRANTED, per: "ever" } as const;
		const { key } = await before.studio.keys.create({ account: "acme", name: "capped", cap });
		const submitTo = (studio: typeof before) =>
			studio.call("POST", "/api/v1/generate", { body: REQUEST, headers, key });
		store.arm(writes, { lastIsWritten });
		const reply = await submitTo(before);
		const acknowledged = reply.status === 200 ? String(reply.body.data["taskId"]) : undefined;
		let cancelAcknowledged = false;
		if (scenario.cancels && acknowledged !== undefined) {
			await until(() => store.hasCrashed || engine.runs.length > 0);
			cancelAcknowledged = (await before.cancelTask(acknowledged)).status === 200;
		}
		await until(async () => store.hasCrashed || (await isSettled()));
		const crashed = store.hasCrashed;
		await checkCap(memory, credits);

		const engineAfter = createFakeEngine({ script: scenario.scriptAfter ?? [] });
		const after = await openAnother(before, { store: memory, engine: engineAfter, started: !retryDuringStart });
		const submitAgain = async () => String((await submitTo(after)).body.data["taskId"]);
		if (retryDuringStart) {
			const starting = after.studio.start();
			await until(
				() => submitTo(after),
				({ status }) => status === 200,
			);
			await starting;
		}
		await until(isSettled);
		const { postedCredits, heldCredits } = await after.readBalance();
		expect(heldCredits).toBe(0);
		const chargedCredits = credits - postedCredits;
		const tasks = await tasksOf(memory);
		await check({ after, tasks, chargedCredits, acknowledged, cancelAcknowledged, submitAgain });
		await checkCap(memory, credits);
		const audits = await Array.fromAsync(createAuditor({ store: memory }).all());
		expect(audits.flatMap(({ findings }) => findings)).toStrictEqual([]);
		if (!crashed) return;
	}
	throw new Error("every run of the scenario ended in a crash");
}

async function checkCap(store: Store, credits: number): Promise<void> {
	const account = await store.get<Account>("account:studio:acme");
	const [capAccount] = await Array.fromAsync(store.scan<Account>("account:studio-cap:"));
	expect(capAccount?.value.postedCredits ?? 0).toBe((account?.value.postedCredits ?? credits) - credits);
}

async function tasksOf(store: Store): Promise<StudioTask[]> {
	return (await Array.fromAsync(store.scan<StudioTask>("studio-task:"))).map(({ value }) => value);
}
