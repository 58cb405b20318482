/** Selects the buttons and the menu under a result. No I/O. */
import { modelOf, type ModelCatalog } from "../generation/model-catalog.ts";
import { defaultsOf, isUpscale, takesPrompt, takesImage, upscalerOf } from "../generation/request.ts";
import type { Model } from "@atelier/media-protocol/model";
import { priceOf } from "@atelier/media-protocol/price";
import { t } from "../../i18n/messages.ts";
import type { TaskWithOutcome } from "./task.ts";
import type { MediaFile } from "../delivery/media-file.ts";
import { IMAGE_ACTIONS, type ImageAction, type TaskAction, type TaskButton } from "../delivery/task-actions.ts";

type Models = Pick<ModelCatalog, "known">;

/**
 * Selects the buttons under a result, by its media type and by the models that can use it. The actions on several images are not
 * among them: a menu lists the images (`imageLabels`), and `imageButtons` selects the actions on the chosen one.
 */
export function resultButtons(task: TaskWithOutcome, catalog: Models): readonly TaskButton[] {
	const { outcome, request, presentation, locale } = task;
	const [image, ...others] = imagesOf(task);
	const { vary, animate, upscale, input } = others.length === 0 ? labelsOf(image, task, catalog) : {};
	const hasResult = outcome.kind === "succeeded";
	const model = modelOf(catalog, request);
	// A model that only upscales takes no prompt.
	const offersPrompt = model === undefined || takesPrompt(model);
	return labeled([
		["regenerate", t(locale, { key: "button.regenerate" })],
		["vary", vary],
		["edit", offersPrompt && t(locale, { key: "button.edit" })],
		["favorite", hasResult && t(locale, { key: "button.favorite" })],
		["animate", animate],
		["upscale", upscale],
		["input", input],
		["improve", offersPrompt && presentation.isImprovable && t(locale, { key: "button.improve" })],
		["report", hasResult && presentation.isReportable && t(locale, { key: "menu.report" })],
		["delete", hasResult && t(locale, { key: "button.delete" })],
	]);
}

/** Returns the labels of the menu of images. Empty for a single image, and if no model can use any of them. */
export function imageLabels(task: TaskWithOutcome, catalog: Models): readonly string[] {
	const images = imagesOf(task);
	if (images.length < 2 || images.every((file) => Object.keys(labelsOf(file, task, catalog)).length === 0)) return [];
	return images.map((_, index) => t(task.locale, { key: "button.image", params: { number: index + 1 } }));
}

/** Selects the buttons for one of several images. */
export function imageButtons(task: TaskWithOutcome, index: number, locale: string, catalog: Models) {
	const labels = labelsOf(imagesOf(task)[index], { ...task, locale }, catalog);
	return labeled(IMAGE_ACTIONS.map((action) => [action, labels[action]]));
}

/** Returns the buttons that have a label. */
function labeled<Action extends TaskAction>(labels: readonly (readonly [Action, string | false | undefined])[]) {
	return labels.flatMap(([action, label]) => (label ? [{ action, label }] : []));
}

function imagesOf({ outcome, request }: TaskWithOutcome): readonly MediaFile[] {
	return outcome.kind === "succeeded" && request.mediaType === "image" ? outcome.files : [];
}

/** Returns the label of each action that is possible on an image. */
function labelsOf(
	image: MediaFile | undefined,
	{ request, locale }: TaskWithOutcome,
	catalog: Models,
): Partial<Record<ImageAction, string>> {
	if (!image) return {};
	const model = modelOf(catalog, request);
	const canVary = model !== undefined && takesImage(model);
	const pixels = image.imageSize && image.imageSize.width * image.imageSize.height;
	const upscaler = isUpscale(request) ? undefined : upscalerOf(catalog.known("image"), pixels);
	const animator = catalog.known("video").find(takesImage);
	return {
		...(canVary && { vary: t(locale, { key: "button.vary" }) }),
		...(animator && { animate: pricedLabel("button.animate", animator, locale) }),
		...(catalog.known("image").some(takesImage) && { input: t(locale, { key: "button.useAsInput" }) }),
		...(upscaler && { upscale: pricedLabel("button.upscale", upscaler, locale) }),
	};
}

/** Returns the label of an action with another model, and thus another price, than that of the result. */
function pricedLabel(key: "button.animate" | "button.upscale", model: Model, locale: string): string {
	return t(locale, { key, params: { costCredits: priceOf(model.price, defaultsOf(model)) } });
}
