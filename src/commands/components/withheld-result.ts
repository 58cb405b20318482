/** The moderators' decision about a withheld result. */
import { CARD_FLAG, cardReply, gallery, text } from "../../discord/card.ts";
import { mediaIn } from "../../discord/message-contents.ts";
import { withheldCustomId } from "../../discord/withheld-buttons.ts";
import { altText, fileNumber } from "../../services/delivery/stored-files.ts";
import {
	formatWithheld,
	isWithheld,
	type WithheldDecision,
	type WithheldResults,
} from "../../services/moderation/withheld-results.ts";
import { guildLocaleOf, type LocaleDeps } from "../framework/guild-locale.ts";
import { memberOf, requireModerator, type ModeratorDeps } from "../framework/invoking-member.ts";
import { defineComponent } from "../framework/component.ts";

interface WithheldDeps extends LocaleDeps, ModeratorDeps {
	readonly withheld: WithheldResults;
}

export const decideWithheld = defineComponent(
	"button",
	withheldCustomId,
	async (interaction, { action, taskId }, deps: WithheldDeps, logger) => {
		const { guildId, message } = interaction;
		await interaction.deferUpdate();
		await requireModerator(interaction, deps);
		const decision = await deps.withheld.decide(memberOf(interaction), taskId, action, logger);
		const content = formatWithheld(decision.task, await guildLocaleOf(guildId, deps), decision);
		// The first one who decides removes the buttons; discarded files leave the message.
		const files = action === "discard" ? { attachments: [] } : {};
		if (!message.flags.has(CARD_FLAG)) {
			await interaction.editReply({ content, components: [], ...files });
			return;
		}
		const media = mediaIn(message.components.map((component) => component.toJSON()));
		const shown = action === "show" && media.length > 0 ? [gallery(filesOf(decision))] : [];
		await interaction.editReply({ ...cardReply([...shown, text(content)], "warning"), ...files });
	},
);

function filesOf({ task }: WithheldDecision) {
	const files = isWithheld(task) ? task.outcome.withheld.files : [];
	return files.map(({ name }, index) => {
		return { name, description: altText(task.request.prompt, fileNumber(index, files)), isSpoiler: true };
	});
}
