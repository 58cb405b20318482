/** `/gallery`: pages of results with their images, each with buttons to open, regenerate, favorite and delete it. */
import { ButtonStyle, MessageFlags, type APIButtonComponent } from "discord.js";
import { taskCustomIds } from "../discord/task-buttons.ts";
import { button, linkButton, type MediaItem } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import { quote, quoteName } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/message-param-values.ts";
import { GALLERY_KINDS, type GalleryItem, type GalleryKind } from "../services/gallery/gallery-service.ts";
import { altText } from "../services/delivery/stored-files.ts";
import type { GalleryViewer } from "../services/access/member.ts";
import { messageLinkOf } from "../services/tasks/delivered-result.ts";
import type { Task } from "../services/tasks/task.ts";
import { defineCommandGroup, subcommand } from "./framework/command.ts";
import { defineButton, defineModal } from "./framework/component.ts";
import { deleteForm } from "./components/result-delete.ts";
import { resendTargetOf } from "./framework/reply-targets.ts";
import { actorOf, memberOf, viewerOf } from "./framework/invoking-member.ts";
import { definePagedList, type ListInteraction } from "./framework/paged-list.ts";
import type { CommandServices } from "./command-services.ts";

const PROMPT_CHARS_MAX = 150;

const pageParts = { kind: idField.oneOf(...GALLERY_KINDS), page: idField.number };
const favoriteCustomId = defineCustomId("gallery-favorite", { ...pageParts, taskId: idField.snowflake });
/** Identifies the button and the modal that it opens. */
const deleteCustomId = defineCustomId("gallery-delete", { ...pageParts, taskId: idField.snowflake });
export const showFilesCustomId = defineCustomId("gallery-show", { taskId: idField.snowflake });

const lists = {
	mine: galleryList("mine"),
	server: galleryList("server"),
	favorites: galleryList("favorites"),
} as const;

export const gallery = defineCommandGroup("gallery", [
	subcommand("mine", [], (interaction, services) => lists.mine.show(interaction, {}, services)),
	subcommand("server", [], (interaction, services) => lists.server.show(interaction, {}, services)),
	subcommand("favorites", [], (interaction, services) => lists.favorites.show(interaction, {}, services)),
]);

const toggleFavorite = defineButton(favoriteCustomId, async (interaction, { taskId, kind, page }, services) => {
	await interaction.deferUpdate();
	await services.gallery.toggleFavorite(viewerOf(interaction), taskId, services.logger);
	await lists[kind].show(interaction, { page }, services);
});

const openGalleryDeleteForm = defineButton(deleteCustomId, async (interaction, values, { resultAccess }) => {
	// The handler of the form checks the permissions: they may take a request to Discord, and a form must be the first response.
	const removesFiles = !(await resultAccess.isOwn(memberOf(interaction), values.taskId));
	await interaction.showModal(deleteForm(deleteCustomId.encode(values), removesFiles, interaction.locale));
});

const deleteFromGallery = defineModal(deleteCustomId, async (interaction, { taskId, kind, page }, services) => {
	await interaction.deferUpdate();
	await services.resultDeletion.deleteResult(await galleryViewerOf(interaction, services), taskId, services.logger);
	await lists[kind].show(interaction, { page }, services);
});

/** Sends the files of a result whose message the viewer cannot open. */
export const showFiles = defineButton(showFilesCustomId, async (interaction, { taskId }, { memberTasks, logger }) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	await memberTasks.resend(memberOf(interaction), taskId, resendTargetOf(interaction), logger);
});

export const galleryComponents = [
	...Object.values(lists).map(({ turnPage }) => turnPage),
	toggleFavorite,
	openGalleryDeleteForm,
	deleteFromGallery,
];

async function galleryViewerOf(interaction: ListInteraction, services: CommandServices): Promise<GalleryViewer> {
	return { ...viewerOf(interaction), ...(await actorOf(interaction, services)) };
}

function galleryList(kind: GalleryKind) {
	return definePagedList(`gallery-${kind}`, async (interaction, { page }, services) => {
		const { locale } = interaction;
		const { items, hasMore } = await services.gallery.page(await galleryViewerOf(interaction, services), kind, page);
		if (items.length === 0) return t(locale, { key: `galleryEmpty.${kind}` });
		const rows = items.map((item) => rowOf(item, kind, page, locale));
		return { head: t(locale, { key: `galleryHead.${kind}` }), rows, hasMore };
	});
}

function rowOf(item: GalleryItem, kind: GalleryKind, page: number, locale: string) {
	const { task, isFavorite, isInChannel, imageUrl, isDeletable } = item;
	const { id: taskId, request, userId, createdAtMs } = task;
	const values = { kind, page, taskId };
	const author = kind === "mine" ? [] : [t(locale, { key: "result.detailAuthor", params: { userId } })];
	const line = t(locale, {
		key: "gallery.line",
		params: {
			prompt: quote(request.prompt, PROMPT_CHARS_MAX),
			details: [...author, quoteName(request.modelName)].join(" · "),
			createdAtS: toTimestampS(createdAtMs),
		},
	});
	const favoriteLabel = t(locale, { key: isFavorite ? "button.unfavorite" : "button.favorite" });
	const buttons: readonly APIButtonComponent[] = [
		isInChannel
			? linkButton(messageLinkOf(task), t(locale, { key: "button.open" }))
			: button(showFilesCustomId.encode({ taskId }), t(locale, { key: "button.show" })),
		button(taskCustomIds.regenerate.encode({ taskId }), t(locale, { key: "button.regenerate" })),
		button(favoriteCustomId.encode(values), favoriteLabel),
		...(isDeletable
			? [button(deleteCustomId.encode(values), t(locale, { key: "button.delete" }), { style: ButtonStyle.Danger })]
			: []),
	];
	return { text: line, buttons, image: resultImage(task, imageUrl) };
}

/** Builds the image of a result, to show it beside a text; `undefined` without its URL. */
export function resultImage({ request, presentation }: Task, url: string | undefined): MediaItem | undefined {
	if (url === undefined) return undefined;
	return { url, description: altText(request.prompt, undefined), isSpoiler: presentation.isSpoiler };
}
