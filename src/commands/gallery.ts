/** `/gallery`: pages of results with their images, each with buttons to open, regenerate, favorite and delete it. */
import { ButtonStyle, MessageFlags, type APIButtonComponent } from "discord.js";
import { taskButtonCustomIds } from "../discord/task-buttons.ts";
import { button, linkButton } from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { PlainKey } from "../i18n/message-descriptor.ts";
import { quote, quoteName } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/timestamp.ts";
import {
	GALLERY_KINDS,
	type GalleryItem,
	type GalleryKind,
	type GalleryService,
} from "../services/gallery/gallery-service.ts";
import type { ResultDeletion } from "../services/gallery/result-deletion.ts";
import type { JobService } from "../services/tasks/job-service.ts";
import type { GalleryViewer } from "../services/access/member.ts";
import { messageLinkOf } from "../services/tasks/delivered-result.ts";
import { defineCommandGroup, subcommand } from "./framework/command.ts";
import { defineComponent } from "./framework/component.ts";
import { deleteForm } from "./components/result-delete.ts";
import { resendTargetOf } from "./framework/interaction-reply.ts";
import { actorOf, memberOf, viewerOf, type ModeratorDeps } from "./framework/invoking-member.ts";
import { definePagedList, imageOfRow, type ListInteraction } from "./framework/paged-list.ts";

const PROMPT_CHARS_MAX = 150;

const pageParts = { kind: idField.oneOf(...GALLERY_KINDS), page: idField.number };
const favoriteCustomId = defineCustomId("gallery-favorite", { ...pageParts, taskId: idField.snowflake });
/** Identifies the button and the modal that it opens. */
const deleteCustomId = defineCustomId("gallery-delete", { ...pageParts, taskId: idField.snowflake });
const showFilesCustomId = defineCustomId("gallery-show", { taskId: idField.snowflake });

export interface GalleryDeps extends ModeratorDeps {
	readonly gallery: GalleryService;
	readonly resultDeletion: Pick<ResultDeletion, "deleteResult">;
}

const lists = {
	mine: galleryList("mine"),
	server: galleryList("server"),
	favorites: galleryList("favorites"),
} as const;

export const gallery = defineCommandGroup<GalleryDeps>("gallery", "command.gallery", [
	subcommand("mine", "command.galleryMine", [], (interaction, deps) => lists.mine.show(interaction, {}, deps)),
	subcommand("server", "command.galleryServer", [], (interaction, deps) => lists.server.show(interaction, {}, deps)),
	subcommand("favorites", "command.galleryFavorites", [], (interaction, deps) =>
		lists.favorites.show(interaction, {}, deps),
	),
]);

const toggleFavorite = defineComponent(
	"button",
	favoriteCustomId,
	async (interaction, { taskId, kind, page }, deps: GalleryDeps, logger) => {
		await interaction.deferUpdate();
		await deps.gallery.toggleFavorite(viewerOf(interaction), taskId, logger);
		await lists[kind].show(interaction, { page }, deps);
	},
);

const askToDelete = defineComponent("button", deleteCustomId, async (interaction, values) => {
	// The handler of the form checks the permissions: they may take a request to Discord, and a form must be the first response.
	await interaction.showModal(deleteForm(deleteCustomId.encode(values), interaction.locale));
});

const deleteResult = defineComponent(
	"modal",
	deleteCustomId,
	async (interaction, { taskId, kind, page }, deps: GalleryDeps, logger) => {
		await interaction.deferUpdate();
		await deps.resultDeletion.deleteResult(await galleryViewerOf(interaction, deps), taskId, logger);
		await lists[kind].show(interaction, { page }, deps);
	},
);

/** Sends the files of a result whose message the viewer cannot open. */
export const showFiles = defineComponent(
	"button",
	showFilesCustomId,
	async (interaction, { taskId }, { jobs }: { readonly jobs: Pick<JobService, "resend"> }, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await jobs.resend(memberOf(interaction), taskId, resendTargetOf(interaction), logger);
	},
);

export const galleryComponents = [
	...Object.values(lists).map(({ turnPage }) => turnPage),
	toggleFavorite,
	askToDelete,
	deleteResult,
];

async function galleryViewerOf(interaction: ListInteraction, deps: GalleryDeps): Promise<GalleryViewer> {
	return { ...viewerOf(interaction), ...(await actorOf(interaction, deps)) };
}

function galleryList(kind: GalleryKind) {
	return definePagedList<GalleryDeps>(`gallery-${kind}`, async (interaction, { page }, deps) => {
		const { locale } = interaction;
		const { items, hasMore } = await deps.gallery.page(await galleryViewerOf(interaction, deps), kind, page);
		if (items.length === 0) return t(locale, { key: EMPTY_KEYS[kind] });
		const rows = items.map((item) => rowOf(item, kind, page, locale));
		return { head: t(locale, { key: HEAD_KEYS[kind] }), rows, hasMore };
	});
}

const HEAD_KEYS = {
	mine: "gallery.headMine",
	server: "gallery.headServer",
	favorites: "gallery.headFavorites",
} as const satisfies Record<GalleryKind, PlainKey>;

const EMPTY_KEYS = {
	mine: "gallery.emptyMine",
	server: "gallery.emptyServer",
	favorites: "gallery.emptyFavorites",
} as const satisfies Record<GalleryKind, PlainKey>;

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
		button(taskButtonCustomIds.regenerate.encode({ taskId }), t(locale, { key: "button.regenerate" })),
		button(favoriteCustomId.encode(values), favoriteLabel),
		...(isDeletable
			? [button(deleteCustomId.encode(values), t(locale, { key: "button.delete" }), { style: ButtonStyle.Danger })]
			: []),
	];
	return { text: line, buttons, ...imageOfRow(task, imageUrl) };
}
