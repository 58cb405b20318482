/** Races while a callback is recorded. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createCallbackLogs } from "../../src/callbacks/callback-log.ts";
import { createCallbacks } from "../../src/callbacks/callbacks.ts";
import { DEFAULT_LIMITS } from "../../src/limits.ts";
import type { EndedTask } from "../../src/task.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { until } from "../../testing/studio-setup.ts";

const SECRET = `whsec_${Buffer.alloc(24).toString("base64")}`;
const TASK = { taskId: "task_1", account: "acme", state: "success", callbackUrl: "https://hooks.example/" };

test("a concurrent sweep does not lose a callback that is just being recorded", async () => {
	const store = await openStore("memory:");
	const scheduled = Promise.withResolvers<void>();
	const watched: Store = {
		...store,
		async compareAndSet(key, expected, next) {
			if (expected === undefined) await callbacks.recover(0);
			return await store.compareAndSet(key, expected, next);
		},
		async delete(key) {
			await scheduled.promise;
			await store.delete(key);
		},
	};
	const task = TASK as EndedTask;
	const calledUrls: string[] = [];
	const callbacks = createCallbacks({
		logs: createCallbackLogs(watched),
		send: async (url) => {
			calledUrls.push(url);
			return { httpStatus: 204 };
		},
		readTask: async () => task,
		bodyOf: async () => ({ taskId: task.taskId }),
		secretOf: async () => SECRET,
		limits: DEFAULT_LIMITS,
		clock: createManualClock(),
		logger: pino({ level: "silent" }),
	});
	await callbacks.schedule(task);
	scheduled.resolve();
	await until(async () => (await Array.fromAsync(store.scan("studio-callback-due:"))).length === 0);
	expect(calledUrls).toStrictEqual([TASK.callbackUrl]);
	expect(await callbacks.logOf(task.taskId)).toMatchObject({ state: "delivered" });
	await callbacks.stop();
});
