import { expect, test } from "vitest";
import { orAborted } from "../src/or-aborted.ts";

test("a wait ends with its work, or with the reason of an abort before or during it", async () => {
	const never = new Promise<void>(() => {});
	const reason = new Error("stopping");
	expect(await orAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
	await expect(orAborted(never, AbortSignal.abort(reason))).rejects.toBe(reason);
	const stop = new AbortController();
	const waiting = orAborted(never, stop.signal);
	stop.abort(reason);
	await expect(waiting).rejects.toBe(reason);
});
