/** The moderators' decision about a withheld result. */
import { CARD_FLAG, cardReply, gallery, text } from "../../discord/card.ts";
import { mediaIn } from "../../discord/message-contents.ts";
import { withheldCustomId } from "../../discord/withheld-buttons.ts";
import { altText, fileNumber } from "../../services/delivery/stored-files.ts";
import { formatWithheld } from "../../services/moderation/format-withheld.ts";
import type { WithheldDecision } from "../../services/moderation/withheld-decisions.ts";
import { isWithheld } from "../../services/tasks/task.ts";
import { localeOfReply } from "../framework/guild-locale.ts";
import { isManager, memberOf, requireModerator } from "../framework/invoking-member.ts";
import { defineButton } from "../framework/component.ts";
import { updatePressedMessage } from "../framework/update-pressed-message.ts";

export const decideWithheld = defineButton(withheldCustomId, async (interaction, { action, taskId }, services) => {
	const { message } = interaction;
	await interaction.deferUpdate();
	await requireModerator(interaction, services);
	const moderator = { ...memberOf(interaction), isManager: isManager(interaction) };
	const decision = await services.withheldDecisions.decide(moderator, taskId, action, services.logger);
	const content = formatWithheld(decision.task, await localeOfReply(interaction, services), decision);
	// The first one who decides removes the buttons; discarded files leave the message.
	const files = action === "discard" ? { attachments: [] } : {};
	if (!message.flags.has(CARD_FLAG)) {
		await updatePressedMessage(interaction, { content, components: [], ...files }, services);
		return;
	}
	const media = mediaIn(message.components.map((component) => component.toJSON()));
	const shown = action === "show" && media.length > 0 ? [gallery(filesOf(decision))] : [];
	const card = cardReply([...shown, text(content)], "warning");
	await updatePressedMessage(interaction, { ...card, ...files }, services);
});

function filesOf({ task }: WithheldDecision) {
	const files = isWithheld(task) ? task.outcome.withheld.files : [];
	return files.map(({ name }, index) => {
		return { name, description: altText(task.request.prompt, fileNumber(index, files)), isSpoiler: true };
	});
}
