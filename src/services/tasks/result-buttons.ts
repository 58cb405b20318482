/** Selects the buttons and the menu under a result. Pure. */
import type { ModelCatalog } from "../generation/model-catalog.ts";
import { costOf, defaultsOf, isUpscale, makesNew, takesImage, upscalerOf } from "../generation/request.ts";
import { t } from "../../i18n/messages.ts";
import type { TaskIn } from "./task.ts";
import type { MediaFile } from "../delivery/media-file.ts";
import {
	IMAGE_ACTIONS,
	type ImageAction,
	type ImageMenu,
	type TaskAction,
	type TaskButton,
} from "../delivery/reply-client.ts";

type Ended = TaskIn<"settled" | "delivered">;
type Models = Pick<ModelCatalog, "known">;

const LABELS = {
	again: "button.regenerate",
	vary: "button.vary",
	edit: "button.edit",
	improve: "button.improve",
	animate: "button.animate",
	input: "button.useAsInput",
	favorite: "button.favorite",
	report: "button.report",
	delete: "button.delete",
} as const satisfies Partial<Record<TaskAction, string>>;
const ORDER = [
	"again",
	"vary",
	"edit",
	"animate",
	"favorite",
	"improve",
	"input",
	"upscale",
	"report",
	"delete",
] as const;

/** Discord's maximum for a menu. */
const CHOICES_MAX = 25;

/**
 * Selects buttons by the media type and by the models that can use the result. For one of several images there is the
 * menu.
 */
export function resultButtons(task: Ended, models: Models): readonly TaskButton[] {
	const { outcome, request, locale } = task;
	const [image, ...others] = imagesOf(task);
	const isImage = others.length === 0 ? labelsOf(image, task, models) : {};
	const hasResult = outcome.kind === "succeeded";
	const model = models.known(request.mediaType).find(({ id }) => id === request.model);
	const labels: Partial<Record<TaskAction, string>> = {
		...isImage,
		again: t(locale, { key: LABELS.again }),
		// An upscaled image has no prompt to edit.
		...((model === undefined || makesNew(model)) && {
			edit: t(locale, { key: LABELS.edit }),
			...(request.isImprovable && { improve: t(locale, { key: LABELS.improve }) }),
		}),
		...(hasResult && {
			favorite: t(locale, { key: LABELS.favorite }),
			report: t(locale, { key: LABELS.report }),
			delete: t(locale, { key: LABELS.delete }),
		}),
	};
	return ORDER.flatMap((action) => {
		const label = labels[action];
		return label === undefined ? [] : [{ action, label }];
	});
}

/** `undefined` for a single image, or if no model can use one. */
export function imageMenu(task: Ended, models: Models): ImageMenu | undefined {
	const images = imagesOf(task);
	if (images.length < 2) return undefined;
	const { locale } = task;
	const choices = images.flatMap((file, image) => {
		const labels = labelsOf(file, task, models);
		return IMAGE_ACTIONS.flatMap((action) => {
			const does = labels[action];
			if (does === undefined) return [];
			const label = t(locale, { key: "choice.imageAction", params: { number: image + 1, action: does } });
			return [{ action, image, label }];
		});
	});
	if (choices.length === 0) return undefined;
	return { placeholder: t(locale, { key: "form.imagePlaceholder" }), choices: choices.slice(0, CHOICES_MAX) };
}

function imagesOf({ outcome, request }: Ended): readonly MediaFile[] {
	return outcome.kind === "succeeded" && request.mediaType === "image" ? outcome.files : [];
}

/** Returns the label of each possible action on an image. */
function labelsOf(
	image: MediaFile | undefined,
	{ request, locale }: Ended,
	models: Models,
): Partial<Record<ImageAction, string>> {
	if (!image) return {};
	const model = models.known(request.mediaType).find(({ id }) => id === request.model);
	const canVary = model !== undefined && takesImage(model);
	const upscaler = isUpscale(request) ? undefined : upscalerOf(models.known("image"), image.pixels);
	const costCredits = upscaler && costOf(upscaler, defaultsOf(upscaler));
	return {
		...(canVary && { vary: t(locale, { key: LABELS.vary }) }),
		...(models.known("video").some(takesImage) && { animate: t(locale, { key: LABELS.animate }) }),
		...(models.known("image").some(takesImage) && { input: t(locale, { key: LABELS.input }) }),
		...(costCredits !== undefined && { upscale: t(locale, { key: "button.upscale", params: { costCredits } }) }),
	};
}
