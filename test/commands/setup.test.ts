import { expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { setupCard } from "../../src/commands/setup.ts";
import { textsIn } from "../../src/discord/message-contents.ts";
import { t } from "../../src/i18n/messages.ts";
import { storedSettings } from "../../src/services/settings/settings-schema.ts";
import { createSetupProgress } from "../../src/services/settings/setup-steps.ts";

test("the summary of /setup counts no expired blocks", () => {
	const block = { reason: "spam", byUserId: "1", atMs: 0 };
	const blocks = { "7": { ...block, untilMs: 1_000 }, "8": { ...block, untilMs: null } };
	const { components } = setupCard("summary", storedSettings.parse({ blocks }), 1_000, "en-US");
	const counts = t("en-US", { key: "settings.counts", params: { patterns: 0, blocked: 1, styles: 0 } });
	expect(textsIn(components).join("\n")).toContain(counts);
});

test("/setup begins again after a step that this version does not have", async () => {
	const store = openMemoryStore();
	await store.set("setup:1", { step: "budget" });
	expect(await createSetupProgress(store).read("1")).toStrictEqual({ step: "channels" });
});
