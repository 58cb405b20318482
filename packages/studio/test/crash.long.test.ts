/** The process crashes at every write of a task, with the write done or not done; the next process recovers. */
import { describe, expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import type { StudioTask } from "../src/studio-task.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { createFakeEngine, type Script } from "../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { REQUEST, setup, until } from "../testing/studio-setup.ts";

const GRANTED = 100;
const PRICE = 4;
/** Above the number of writes of any scenario; a loop ends when a run passes without a crash. */
const WRITES_MAX = 40;

describe.each([{ lastIsWritten: false }, { lastIsWritten: true }])("a crash at any write, %o", ({ lastIsWritten }) => {
	test("an acknowledged task succeeds and is charged once; an unacknowledged one either is free or has run", async () => {
		await crashAtEveryWrite(lastIsWritten, { script: [] }, async ({ after, acknowledged }) => {
			const tasks = await tasksOf(after.store);
			expect(tasks.length).toBeLessThanOrEqual(1);
			expect(tasks.map(({ taskId }) => taskId)).toStrictEqual(acknowledged ? [acknowledged] : tasks.map(idOf));
			expect(tasks.every(({ state }) => state === "success")).toBe(true);
			expect(await after.readBalance()).toMatchObject(balanceOf(GRANTED - PRICE * tasks.length));
		});
	});

	test("a task that fails costs nothing", async () => {
		const script: Script[] = [{ kind: "fail", retryable: false }];
		await crashAtEveryWrite(lastIsWritten, { script, scriptAfter: script }, async ({ after }) => {
			const tasks = await tasksOf(after.store);
			expect(tasks.every(({ state }) => state === "failed")).toBe(true);
			expect(await after.readBalance()).toMatchObject(balanceOf(GRANTED));
		});
	});

	test("an acknowledged cancellation takes effect, and its task is free; an unacknowledged one may have no effect", async () => {
		await crashAtEveryWrite(lastIsWritten, { script: [{ kind: "hang" }], cancels: true }, async (outcome) => {
			const { after, cancelAcknowledged } = outcome;
			const tasks = await tasksOf(after.store);
			const successes = tasks.filter(({ state }) => state === "success");
			expect(tasks.every(({ state }) => state === "canceled" || (state === "success" && !cancelAcknowledged))).toBe(
				true,
			);
			expect(await after.readBalance()).toMatchObject(balanceOf(GRANTED - PRICE * successes.length));
		});
	});

	test("a rejected submit leaves nothing behind", async () => {
		await crashAtEveryWrite(lastIsWritten, { script: [], credits: PRICE - 1 }, async ({ after, acknowledged }) => {
			expect(acknowledged).toBeUndefined();
			expect(await tasksOf(after.store)).toStrictEqual([]);
			expect(await after.readBalance()).toMatchObject(balanceOf(PRICE - 1));
		});
	});

	test("a repeated submit with an idempotency key creates one task, charged once", async () => {
		const headers = { "idempotency-key": "interaction-1" };
		await crashAtEveryWrite(lastIsWritten, { script: [], headers }, async ({ after, acknowledged }) => {
			const again = await after.submitTask(REQUEST, headers);
			expect(again).toBe(acknowledged ?? again);
			await after.awaitEnd(again);
			expect(await tasksOf(after.store)).toMatchObject([{ taskId: again, state: "success" }]);
			expect(await after.readBalance()).toMatchObject(balanceOf(GRANTED - PRICE));
		});
	});

	test("a submit that is repeated during the next start creates one task, charged once", async () => {
		const headers = { "idempotency-key": "interaction-1" };
		await crashAtEveryWrite(lastIsWritten, { script: [], headers, retryDuringStart: true }, async ({ after }) => {
			expect(await tasksOf(after.store)).toMatchObject([{ state: "success" }]);
			expect(await after.readBalance()).toMatchObject(balanceOf(GRANTED - PRICE));
		});
	});
});

test("a submit is written completely or not at all", async () => {
	for (const lastIsWritten of [false, true]) {
		const memory = await openStore("memory:");
		const store = createCrashingStore(memory);
		const { submit, ledger } = await setup({ store, engine: createFakeEngine({ script: [{ kind: "hang" }] }) });
		store.arm(0, { lastIsWritten });
		expect((await submit()).status).toBe(500);
		const found = await Array.fromAsync(memory.scan("studio-"));
		const kinds = found
			.map(({ key }) => /^studio-(list|open|task):/.exec(key)?.[1])
			.filter((kind) => kind !== undefined);
		expect(kinds).toStrictEqual(lastIsWritten ? ["list", "open", "task"] : []);
		store.arm(Number.POSITIVE_INFINITY);
		await expect(ledger.balance("studio:acme")).rejects.toThrow("the process has crashed");
		const { heldCredits } = await createLedger({ store: memory, clock: createManualClock() }).balance("studio:acme");
		expect(heldCredits).toBe(lastIsWritten ? PRICE : 0);
	}
});

test("recovery reads no task that has ended", async () => {
	const store = await openStore("memory:");
	const first = await setup({ store });
	await first.completeTask();
	await first.studio.stop();
	const read: string[] = [];
	const watched: Store = { ...store, get: (key) => (read.push(key), store.get(key)) };
	await setup({ store: watched, clock: first.clock, credits: 0 });
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
	readonly after: Awaited<ReturnType<typeof setup>>;
	readonly acknowledged: string | undefined;
	readonly cancelAcknowledged: boolean;
}

/** Runs the scenario once for each of its writes, crashes the process at that write, and checks the state after the restart. */
async function crashAtEveryWrite(
	lastIsWritten: boolean,
	scenario: Scenario,
	check: (outcome: Outcome) => Promise<void>,
): Promise<void> {
	const mediaDir = await createTempFolder();
	const { credits = GRANTED, headers = {} } = scenario;
	for (let writes = 0; writes < WRITES_MAX; writes++) {
		const memory = await openStore("memory:");
		const store = createCrashingStore(memory);
		const clock = createManualClock();
		const engine = createFakeEngine({ script: scenario.script });
		const before = await setup({ store, engine, clock, mediaDir, credits });
		store.arm(writes, { lastIsWritten });
		const reply = await before.submit(REQUEST, headers);
		const acknowledged = reply.status === 200 ? String(reply.body.data["taskId"]) : undefined;
		let cancelAcknowledged = false;
		if (scenario.cancels && acknowledged !== undefined) {
			await until(() => store.hasCrashed || engine.runs.length > 0);
			cancelAcknowledged = (await before.cancelTask(acknowledged)).status === 200;
		}
		await until(
			async () => store.hasCrashed || (await countOpenMarkers(memory)) === 0,
			(over) => over,
		);
		const crashed = store.hasCrashed;

		const engineAfter = createFakeEngine({ script: scenario.scriptAfter ?? [] });
		const options = { store: memory, engine: engineAfter, clock, mediaDir, credits: 0 };
		const after = await setup({ ...options, started: !scenario.retryDuringStart });
		if (scenario.retryDuringStart) {
			const starting = after.studio.start();
			await until(
				() => after.submit(REQUEST, headers),
				({ status }) => status === 200,
			);
			await starting;
		}
		await until(async () => (await countOpenMarkers(memory)) === 0);
		await check({ after, acknowledged, cancelAcknowledged });
		if (!crashed) return;
	}
	throw new Error("every run of the scenario ended in a crash");
}

async function countOpenMarkers(store: Store): Promise<number> {
	return (await Array.fromAsync(store.scan("studio-open:"))).length;
}

async function tasksOf(store: Store): Promise<StudioTask[]> {
	const found = await Array.fromAsync(store.scan<StudioTask>("studio-task:"));
	return found.map(({ value }) => value);
}

const idOf = ({ taskId }: StudioTask): string => taskId;

function balanceOf(credits: number) {
	return { postedCredits: credits, heldCredits: 0, availableCredits: credits, expiring: [] };
}
