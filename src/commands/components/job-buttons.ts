/** Buttons under the messages of a task that reply to their member alone. */
import { MessageFlags, type ButtonInteraction } from "discord.js";
import { taskCustomIds } from "../../discord/task-buttons.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import type { CommandServices } from "../command-services.ts";
import type { InGuild } from "../framework/command.ts";
import { actorOf, memberOf, viewerOf } from "../framework/invoking-member.ts";
import { defineButton } from "../framework/component.ts";

/** Cancels a task for its member or a moderator. The reply says what happens to the credits. */
export const cancelTask = defineButton(taskCustomIds.cancel, (interaction, { taskId }, services) =>
	replyWith(interaction, services, async () =>
		services.memberTasks.cancel(await actorOf(interaction, services), taskId, services.logger),
	),
);

/** Notes that the member of a task wants a ping at its end. */
export const requestPing = defineButton(taskCustomIds.ping, (interaction, { taskId }, services) =>
	replyWith(interaction, services, async () => {
		const isNoted = await services.memberTasks.requestPing(memberOf(interaction), taskId);
		return { key: isNoted ? "progress.pingNoted" : "progress.pingTooLate" };
	}),
);

/** Adds a result to the favorites of the member who presses it, or removes it. */
export const favoriteResult = defineButton(taskCustomIds.favorite, (interaction, { taskId }, services) =>
	replyWith(interaction, services, async () => {
		const isFavorite = await services.gallery.toggleFavorite(viewerOf(interaction), taskId, services.logger);
		return { key: isFavorite ? "favorite.added" : "favorite.removed" };
	}),
);

async function replyWith(
	interaction: ButtonInteraction<InGuild>,
	{ commandMentions }: CommandServices,
	act: () => Promise<MessageDescriptor>,
): Promise<void> {
	const { locale } = interaction;
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	await interaction.editReply({ content: commandMentions.say(locale, await act()) });
}
