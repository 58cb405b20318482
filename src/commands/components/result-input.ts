/** Generates from an image of a result; a modal asks for the prompt. */
import { ComponentType } from "discord.js";
import { taskCustomIds } from "../../discord/task-buttons.ts";
import { privacyOfDerivative } from "../../services/settings/result-privacy.ts";
import { imageInputOf } from "../../services/generation/derive-request.ts";
import { t } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import { defineButton, defineModal } from "../framework/component.ts";
import { labelFor, promptField } from "../framework/form-fields.ts";
import { viewerOf } from "../framework/invoking-member.ts";
import { deferGeneration, sourceOf, startGeneration } from "../generation/start-generation.ts";
import { inputUrlOf, ownImageUrlOf } from "../generation/image-attachment.ts";

/** Discord's maximum for an upload, minus the image of the result. */
const UPLOADS_MAX = 9;
const IMAGES_FIELD = "images";

export const openInputForm = defineButton(taskCustomIds.input, async (interaction, { taskId }, { resultAccess }) => {
	// Throws before the modal opens, rather than after the member has filled it in.
	await resultAccess.requireVisible(viewerOf(interaction), taskId);
	ownImageUrlOf(interaction.message);
	const { locale } = interaction;
	const images = {
		type: ComponentType.FileUpload as const,
		custom_id: IMAGES_FIELD,
		required: false,
		min_values: 0,
		max_values: UPLOADS_MAX,
	};
	await interaction.showModal({
		custom_id: taskCustomIds.input.encode({ taskId }),
		title: t(locale, { key: "form.inputTitle" }),
		components: [
			promptField(locale),
			labelFor(locale, { key: "form.moreImages" }, images, { key: "form.moreImagesHint" }),
		],
	});
});

/** Uses the first enabled model that accepts the images, and the aspect ratio of the image if the model supports it. */
export const generateFromInput = defineModal(taskCustomIds.input, async (interaction, { taskId }, services) => {
	const task = await services.resultAccess.requireVisible(viewerOf(interaction), taskId);
	const { message } = interaction;
	if (!message) throw new UserError({ key: "request.noImageInMessage" });
	const imageUrl = ownImageUrlOf(message);
	const prompt = interaction.fields.getTextInputValue("prompt");
	const uploads = interaction.fields.getUploadedFiles(IMAGES_FIELD);
	const reply = await deferGeneration(interaction, { privacy: privacyOfDerivative(task.reply.isEphemeral) }, services);
	const imageUrls = [imageUrl, ...(await Promise.all([...(uploads?.values() ?? [])].map(inputUrlOf)))];
	const input = imageInputOf(prompt, task.request, imageUrls);
	const source = sourceOf(task, interaction, "input");
	await startGeneration(interaction, reply, { mediaType: "image", model: null, input, style: null, source }, services);
});
