import { expect, test } from "vitest";
import { imageButtons, imageLabels, resultButtons } from "../../../src/services/tasks/result-buttons.ts";
import { modelSchema } from "@atelier/media-protocol/model";
import type { TaskIn } from "../../../src/services/tasks/task.ts";

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

const albumOf = (pixels: readonly number[]) =>
	({
		id: "1",
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
