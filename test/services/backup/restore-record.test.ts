import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { RESTORE_RECORD_KEY, watchRestores, type RestoreRecord } from "../../../src/services/backup/restore-record.ts";
import { restore, resumeNewTasks } from "../../../src/services/backup/restore.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import type { Store } from "@atelier/store/store";
import { StoreUnavailableError } from "@atelier/store/store-errors";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createManualClock } from "@atelier/common/testing/manual-clock";

function setup(record?: RestoreRecord) {
	const storage = createMemoryAdapter();
	const store = createKeyvStore(storage);
	const clock = createManualClock();
	const lost: string[] = [];
	const outage = { isOn: false };
	const get: Store["get"] = (key) => (outage.isOn ? Promise.reject(new StoreUnavailableError("away")) : store.get(key));
	async function watch() {
		if (record) await store.set(RESTORE_RECORD_KEY, record);
		const logger = pino({ level: "silent" });
		const restores = await watchRestores({ store: { get }, clock, logger, onLost: (reason) => lost.push(reason) });
		onTestFinished(() => restores.stop());
		return restores;
	}
	const backup = { madeAtMs: 0, epoch: 0, entries: () => storage.snapshot() };
	const runRestore = () => restore(backup, { storage, store, clock, cancelStudioTasks: async () => 0 });
	return { store, clock, lost, outage, watch, runRestore };
}

test("a store with an interrupted restore cannot be opened by a process", async () => {
	const { watch } = setup({ epoch: 1, state: "restoring" });
	await expect(watch()).rejects.toThrow("npx atelier restore FILE --replace");
});

test("a restore ends the processes that use the store, and an outage of the store does not", async () => {
	const { watch, clock, lost, outage, runRestore } = setup();
	expect((await watch()).isPaused()).toBe(false);
	for (const isOn of [true, false]) {
		outage.isOn = isOn;
		await clock.advance(20_000);
		expect(lost).toStrictEqual([]);
	}
	await runRestore();
	await clock.advance(5_000);
	expect(lost.join()).toContain("restored from a backup while this process used it");
});

test("a restored store is paused until the operator opens it, and running processes notice", async () => {
	const { store, watch, clock, lost, runRestore } = setup();
	await runRestore();
	const restores = await watch();
	expect(restores.isPaused()).toBe(true);
	expect(await resumeNewTasks(store)).toBe(true);
	await clock.advance(5_000);
	expect(restores.isPaused()).toBe(false);
	expect(lost).toStrictEqual([]);
	expect(await resumeNewTasks(store)).toBe(false);
});
