import { expect, test } from "vitest";
import { imageMenuRow, readImageChoice } from "../../src/discord/image-menu.ts";
import { taskButtonIds } from "../../src/discord/task-buttons.ts";
import { imageMenu, resultButtons } from "../../src/services/tasks/result-buttons.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import type { TaskIn } from "../../src/services/tasks/task.ts";

/** The largest possible id. */
const LONGEST_ID = String(2n ** 64n - 1n);

const model = (mediaType: "image" | "video") =>
	modelSchema.parse({
		id: mediaType,
		name: mediaType,
		mediaType,
		scenes: [`text-to-${mediaType}`, `image-to-${mediaType}`, "upscale"],
		inputPixelsMax: 100,
		price: { credits: 1 },
	});
const models = { known: (mediaType: string) => (mediaType === "music" ? [] : [model(mediaType as "image" | "video")]) };

test("a custom id of a button keeps its values for ids of any length", () => {
	for (const ids of Object.values(taskButtonIds)) {
		expect(ids.read(ids.write({ taskId: LONGEST_ID }))).toStrictEqual({ taskId: LONGEST_ID });
	}
});

const album = (pixels: readonly number[]) =>
	({
		id: LONGEST_ID,
		locale: "en-US",
		request: { mediaType: "image", model: "image" },
		outcome: { kind: "succeeded", files: pixels.map((each) => ({ pixels: each })) },
	}) as unknown as TaskIn<"settled">;

test("a single image has all buttons, in the order of likely use", () => {
	const actions = ["again", "vary", "edit", "animate", "favorite", "input", "upscale", "report", "delete"];
	expect(resultButtons(album([100]), models).map(({ action }) => action)).toStrictEqual(actions);
});

test("several images are in a menu with their actions, without upscaling for large ones", () => {
	const menu = imageMenu(album([100, 101]), models);
	expect(menu?.choices.map(({ label }) => label)).toStrictEqual([
		"Image 1: Vary",
		"Image 1: Animate",
		"Image 1: Use as input",
		"Image 1: Upscale (1 credit)",
		"Image 2: Vary",
		"Image 2: Animate",
		"Image 2: Use as input",
	]);
	expect(resultButtons(album([100, 101]), models).map(({ action }) => action)).toStrictEqual([
		"again",
		"edit",
		"favorite",
		"report",
		"delete",
	]);
	expect(imageMenu(album([100]), models)).toBeUndefined();
	expect(imageMenu(album([1, 1]), { known: () => [] })).toBeUndefined();
});

test("a choice in the image menu is parsed, and a forged one is rejected", () => {
	const many = imageMenu(album(Array.from({ length: 10 }, () => 1)), models);
	expect(many?.choices).toHaveLength(25);
	const [row] = imageMenuRow(LONGEST_ID, many ?? { placeholder: "", choices: [] }).components;
	expect(row?.options.map(({ value }) => readImageChoice(value))).toStrictEqual(
		many?.choices.map(({ action, image }) => ({ action, image })),
	);
	for (const forged of [undefined, "", "delete:1", "vary:", "vary:10", "vary:x"]) {
		expect(readImageChoice(forged)).toBeUndefined();
	}
});
