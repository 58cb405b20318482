import { expect, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createMediaStore } from "../src/media-store.ts";
import { fakePng } from "../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

test("a file that one process releases and another one saves is kept", async () => {
	const [store, mediaDir, clock] = [await openStore("memory:"), await createTempFolder(), createManualClock()];
	const other = createMediaStore({ mediaDir, store, clock });
	let meanwhile: (() => Promise<unknown>) | undefined;
	const watched: Store = {
		...store,
		async *scan<T>(prefix: string) {
			const found = await Array.fromAsync(store.scan<T>(prefix));
			const happens = meanwhile;
			meanwhile = undefined;
			await happens?.();
			yield* found;
		},
	};
	const one = createMediaStore({ mediaDir, store: watched, clock });
	const bytes = fakePng("shared");
	const { file = "" } = (await one.save(bytes, "a")) ?? {};
	meanwhile = () => other.save(bytes, "b");
	await one.release(file, "a");
	expect(await other.read(file)).toStrictEqual(Buffer.from(bytes));
	await other.release(file, "b");
	expect(await other.read(file)).toBeUndefined();
});
