import { expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createSetupProgress } from "../../src/services/settings/setup-steps.ts";

test("/setup begins again after a step that this version does not have", async () => {
	const store = openMemoryStore();
	await store.set("setup:1", { step: "budget" });
	expect(await createSetupProgress(store).read("1")).toStrictEqual({ step: "channels" });
});
