import { MessageFlags } from "discord.js";
import { taskButtonCustomIds } from "../../discord/task-buttons.ts";
import { t } from "../../i18n/messages.ts";
import type { GalleryDeps } from "../gallery.ts";
import { viewerOf } from "../invoking-member.ts";
import { defineComponent } from "./component.ts";

/** Adds a result to the favorites of the member who presses it, or removes it. */
export const favoriteResult = defineComponent(
	"button",
	taskButtonCustomIds.favorite,
	async (interaction, { taskId }, { gallery }: GalleryDeps, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		const isFavorite = await gallery.toggleFavorite(viewerOf(interaction), taskId, logger);
		const key = isFavorite ? "favorite.added" : "favorite.removed";
		await interaction.editReply({ content: t(interaction.locale, { key }) });
	},
);
