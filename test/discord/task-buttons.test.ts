import { expect, test } from "vitest";
import { imageChoiceCustomId, imageRows } from "../../src/discord/image-buttons.ts";
import { taskButtonCustomIds } from "../../src/discord/task-buttons.ts";
import { imageButtons, imageLabels, resultButtons } from "../../src/services/tasks/result-buttons.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import type { TaskIn } from "../../src/services/tasks/task.ts";

/** The largest possible id. */
const LONGEST_ID = String(2n ** 64n - 1n);

const modelOf = (mediaType: "image" | "video") =>
	modelSchema.parse({
		id: mediaType,
		name: mediaType,
		mediaType,
		scenes: [`text-to-${mediaType}`, `image-to-${mediaType}`, "upscale"],
		inputPixelsMax: 100,
		price: { credits: 1 },
	});
const models = {
	known: (mediaType: string) => (mediaType === "music" ? [] : [modelOf(mediaType as "image" | "video")]),
};

test("the custom id of each button keeps the longest task id", () => {
	for (const ids of Object.values(taskButtonCustomIds)) {
		expect(ids.decode(ids.encode({ taskId: LONGEST_ID }))).toStrictEqual({ taskId: LONGEST_ID });
	}
});

const albumOf = (pixels: readonly number[]) =>
	({
		id: LONGEST_ID,
		locale: "en-US",
		request: { mediaType: "image", model: "image" },
		outcome: { kind: "succeeded", files: pixels.map((each) => ({ pixels: each })) },
	}) as unknown as TaskIn<"settled">;

test("a single image has all buttons, in the order of likely use", () => {
	const actions = ["regenerate", "vary", "edit", "animate", "favorite", "input", "upscale", "report", "delete"];
	expect(resultButtons(albumOf([100]), models).map(({ action }) => action)).toStrictEqual(actions);
});

test("several images have a button each, and each image its actions, without upscaling for large ones", () => {
	const two = albumOf([100, 101]);
	expect(imageLabels(two, models)).toStrictEqual(["Image 1", "Image 2"]);
	const labels = (at: number) => imageButtons(two, at, "en-US", models).map(({ label }) => label);
	expect(labels(0)).toStrictEqual(["Vary", "Animate", "Use as input", "Upscale (1 credit)"]);
	expect(labels(1)).toStrictEqual(["Vary", "Animate", "Use as input"]);
	expect(labels(2)).toStrictEqual([]);
	expect(resultButtons(two, models).map(({ action }) => action)).toStrictEqual([
		"regenerate",
		"edit",
		"favorite",
		"report",
		"delete",
	]);
	expect(imageLabels(albumOf([100]), models)).toStrictEqual([]);
	expect(imageLabels(albumOf([1, 1]), { known: () => [] })).toStrictEqual([]);
});

test("the buttons of ten images are in two rows, and their custom ids name the image", () => {
	const labels = imageLabels(albumOf(Array.from({ length: 10 }, () => 1)), models);
	const rows = imageRows(LONGEST_ID, labels);
	expect(rows.map(({ components }) => components.length)).toStrictEqual([5, 5]);
	const ids = rows.flatMap(({ components }) => components.map((each) => ("custom_id" in each ? each.custom_id : "")));
	expect(ids.map((id) => imageChoiceCustomId.decode(id)?.imageIndex)).toStrictEqual(
		Array.from({ length: 10 }, (_, index) => String(index)),
	);
});
