import { expect, test } from "vitest";
import { createPendingWork } from "../src/pending-work.ts";
import { createManualClock } from "../testing/manual-clock.ts";

test("draining waits for running work", async () => {
	const pendingWork = createPendingWork({ clock: createManualClock() });
	const work = Promise.withResolvers<void>();
	pendingWork.add(work.promise);
	let isDrained = false;
	const drained = pendingWork.drain(1000).then((left) => {
		isDrained = true;
		return left;
	});
	await new Promise(setImmediate);
	expect(isDrained).toBe(false);
	work.resolve();
	expect(await drained).toBe(0);
});

test("draining ends at its timeout, and resolves to the number of unfinished promises", async () => {
	const clock = createManualClock();
	const pendingWork = createPendingWork({ clock });
	pendingWork.add(new Promise(() => {}));
	const drained = pendingWork.drain(1000);
	await clock.advance(1000);
	expect(await drained).toBe(1);
});
