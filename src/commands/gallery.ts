/** `/gallery`: pages of results with their images, each with buttons to open, regenerate, favorite and delete it. */
import {
	ButtonStyle,
	MessageFlags,
	type APIButtonComponent,
	type ButtonInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import {
	button,
	cardReply,
	linkButton,
	row,
	section,
	separator,
	text,
	thumbnail,
	type CardPart,
} from "../discord/card.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import { plainLine, quote, quoteName } from "../i18n/quote.ts";
import { toTimestampS } from "../i18n/timestamp.ts";
import {
	GALLERY_KINDS,
	type GalleryItem,
	type GalleryKind,
	type GalleryService,
} from "../services/gallery/gallery-service.ts";
import type { GalleryViewer } from "../services/access/member.ts";
import { messageLinkOf } from "../services/tasks/format-job.ts";
import { defineCommandGroup, subcommand, type InGuild, type SlashInteraction } from "./framework/command.ts";
import { defineComponent } from "./framework/component.ts";
import { deleteForm } from "./components/result-delete.ts";
import { tokenExpiresAtMsOf } from "./framework/reply-target.ts";
import { actorOf, isChannelModerator, memberOf, viewerOf, type ModeratorDeps } from "./framework/invoking-member.ts";
import { pageButtons } from "./framework/paged-list.ts";
import { regenerationSpec } from "./components/result-actions.ts";
import type { ResultDeps } from "./generation/generation-deps.ts";
import { sourceOf, startGeneration, type Generation } from "./generation/start-generation.ts";

const PROMPT_CHARS_MAX = 150;
const DESCRIPTION_CHARS_MAX = 200;

const pageParts = { kind: idField.oneOf(...GALLERY_KINDS), page: idField.number };
const pageCustomId = defineCustomId("gallery", pageParts);
const favoriteCustomId = defineCustomId("gallery-favorite", { ...pageParts, taskId: idField.snowflake });
/** Identifies the button and the modal that it opens. */
const deleteCustomId = defineCustomId("gallery-delete", { ...pageParts, taskId: idField.snowflake });
const regenerateCustomId = defineCustomId("gallery-again", { taskId: idField.snowflake });
const showFilesCustomId = defineCustomId("gallery-show", { taskId: idField.snowflake });

export interface GalleryDeps extends ModeratorDeps {
	readonly gallery: GalleryService;
}

type GalleryInteraction = SlashInteraction | ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>;

export const gallery = defineCommandGroup<GalleryDeps>("gallery", "command.gallery", [
	subcommand("mine", "command.galleryMine", [], showing("mine")),
	subcommand("server", "command.galleryServer", [], showing("server")),
	subcommand("favorites", "command.galleryFavorites", [], showing("favorites")),
]);

function showing(kind: GalleryKind) {
	return (interaction: SlashInteraction, deps: GalleryDeps) => showPage(interaction, { kind, page: 0 }, deps);
}

const turnPage = defineComponent("button", pageCustomId, async (interaction, values, deps: GalleryDeps) => {
	await interaction.deferUpdate();
	await showPage(interaction, values, deps);
});

const toggleFavorite = defineComponent(
	"button",
	favoriteCustomId,
	async (interaction, { taskId, ...values }, deps: GalleryDeps, logger) => {
		await interaction.deferUpdate();
		await deps.gallery.toggleFavorite(viewerOf(interaction), taskId, logger);
		await showPage(interaction, values, deps);
	},
);

const askToDelete = defineComponent(
	"button",
	deleteCustomId,
	async (interaction, values, { gallery: service }: GalleryDeps) => {
		// A modal must be the first response. Its handler checks the permission in the server, which may take a request to Discord.
		const viewer = { ...viewerOf(interaction), isModerator: isChannelModerator(interaction) };
		await service.requireDeletable(viewer, values.taskId);
		await interaction.showModal(deleteForm(deleteCustomId.encode(values), interaction.locale));
	},
);

const deleteResult = defineComponent(
	"modal",
	deleteCustomId,
	async (interaction, { taskId, ...values }, deps: GalleryDeps, logger) => {
		await interaction.deferUpdate();
		await deps.gallery.deleteResult(await galleryViewerOf(interaction, deps), taskId, logger);
		await showPage(interaction, values, deps);
	},
);

const regenerate = defineComponent(
	"button",
	regenerateCustomId,
	async (interaction, { taskId }, deps: GalleryDeps & ResultDeps, logger) => {
		// Awaited below: the read of a member's permissions from Discord must not delay the first response.
		const source = deps.gallery.requireSource(viewerOf(interaction), taskId);
		const generation: Generation = {
			// Derivatives of private results stay private.
			privacyChoice: async () => (await source).reply.isEphemeral || null,
			async readSpec() {
				const task = await source;
				return { ...regenerationSpec(task, deps), source: sourceOf(task, interaction, "regenerate") };
			},
		};
		await startGeneration(interaction, generation, deps, logger);
	},
);

/** Sends the files of a result whose message the viewer cannot open. */
const showFiles = defineComponent(
	"button",
	showFilesCustomId,
	async (interaction, { taskId }, deps: ResultDeps, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const { applicationId, token, attachmentSizeLimit: bytesMax, locale } = interaction;
		const reply = { applicationId, token, tokenExpiresAtMs: tokenExpiresAtMsOf(interaction) };
		await deps.jobs.resend(memberOf(interaction), taskId, { reply, bytesMax, locale }, logger);
	},
);

export const galleryComponents = [turnPage, toggleFavorite, askToDelete, deleteResult, regenerate, showFiles];

async function galleryViewerOf(interaction: GalleryInteraction, deps: GalleryDeps): Promise<GalleryViewer> {
	return { ...viewerOf(interaction), ...(await actorOf(interaction, deps)) };
}

interface GalleryPage {
	readonly kind: GalleryKind;
	/** From 0. */
	readonly page: number;
}

async function showPage(interaction: GalleryInteraction, galleryPage: GalleryPage, deps: GalleryDeps): Promise<void> {
	const { locale } = interaction;
	const viewer = await galleryViewerOf(interaction, deps);
	const { items, hasMore } = await deps.gallery.page(viewer, galleryPage.kind, galleryPage.page);
	// The last result of the page was deleted.
	if (items.length === 0 && galleryPage.page > 0)
		return await showPage(interaction, { ...galleryPage, page: galleryPage.page - 1 }, deps);
	if (items.length === 0) {
		await interaction.editReply(cardReply([text(t(locale, { key: EMPTY_KEYS[galleryPage.kind] }))]));
		return;
	}
	const customIdOf = (page: number): string => pageCustomId.encode({ kind: galleryPage.kind, page });
	await interaction.editReply(
		cardReply([
			text(t(locale, { key: HEAD_KEYS[galleryPage.kind] })),
			...items.flatMap((item, index) => [...(index > 0 ? [separator()] : []), ...itemParts(item, galleryPage, locale)]),
			...pageButtons({ page: galleryPage.page, hasMore, idOf: customIdOf }, locale),
		]),
	);
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

function itemParts(item: GalleryItem, { kind, page }: GalleryPage, locale: string): readonly CardPart[] {
	const { task, isFavorite, isInChannel, imageUrl, isDeletable } = item;
	const { id: taskId, request, userId, createdAtMs, reply } = task;
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
		button(regenerateCustomId.encode({ taskId }), t(locale, { key: "button.regenerate" })),
		button(favoriteCustomId.encode(values), favoriteLabel),
		...(isDeletable
			? [button(deleteCustomId.encode(values), t(locale, { key: "button.delete" }), { style: ButtonStyle.Danger })]
			: []),
	];
	const preview =
		imageUrl === undefined
			? undefined
			: thumbnail(imageUrl, plainLine(request.prompt, DESCRIPTION_CHARS_MAX), reply.isSpoiler ?? false);
	return [preview ? section(line, preview) : text(line), row(...buttons)];
}
