import { expect, test } from "vitest";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import { createReportStore, type ReportedResult } from "../../../src/services/moderation/report-store.ts";

const REPORTED: ReportedResult = {
	taskId: "1",
	guildId: "2",
	userId: "3",
	channelId: "4",
	messageId: null,
	isMessageDeleted: false,
	mediaType: "image",
	modelName: "Sketch",
	prompt: "a boat",
	chargedCredits: 4,
	reports: {},
	done: {},
};

test("a change keeps the fields of a later version", async () => {
	const store = openMemoryStore();
	await store.set("reported:2:1", { ...REPORTED, later: true });
	const changed = await createReportStore(store).change(
		"2",
		"1",
		() => REPORTED,
		(before) => ({ ...before, prompt: "" }),
	);
	expect(changed).toStrictEqual({ ...REPORTED, prompt: "", later: true });
	expect((await store.get("reported:2:1"))?.value).toStrictEqual(changed);
});
