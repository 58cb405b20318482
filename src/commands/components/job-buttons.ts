/** Buttons under the messages of a task that reply to their member alone. */
import { MessageFlags, type ButtonInteraction } from "discord.js";
import { taskCustomIds } from "../../discord/task-buttons.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { InGuild } from "../framework/command.ts";
import { actorOf, memberOf, viewerOf } from "../framework/invoking-member.ts";
import { defineButton } from "../framework/component.ts";

/** Cancels a task for its member or a moderator. The reply says what happens to the credits. */
export const cancelTask = defineButton(taskCustomIds.cancel, (interaction, { taskId }, services) =>
	replyWith(interaction, async () =>
		services.memberTasks.cancel(await actorOf(interaction, services), taskId, services.logger),
	),
);

/** Notes that the member of a task wants a ping at its end. */
export const requestPing = defineButton(taskCustomIds.ping, (interaction, { taskId }, { memberTasks }) =>
	replyWith(interaction, async () => {
		const isNoted = await memberTasks.requestPing(memberOf(interaction), taskId);
		return { key: isNoted ? "progress.pingNoted" : "progress.pingTooLate" };
	}),
);

/** Adds a result to the favorites of the member who presses it, or removes it. */
export const favoriteResult = defineButton(taskCustomIds.favorite, (interaction, { taskId }, { gallery, logger }) =>
	replyWith(interaction, async () => {
		const isFavorite = await gallery.toggleFavorite(viewerOf(interaction), taskId, logger);
		return { key: isFavorite ? "favorite.added" : "favorite.removed" };
	}),
);

async function replyWith(
	interaction: ButtonInteraction<InGuild>,
	act: () => Promise<MessageDescriptor>,
): Promise<void> {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	await interaction.editReply({ content: t(interaction.locale, await act()) });
}
