/** The buttons below a denial that show the member's limits, or what the member may use. */
import { MessageFlags } from "discord.js";
import { showHelpCustomId, showLimitsCustomId } from "../../discord/denial-buttons.ts";
import { creditsCard, type CreditsCardDeps } from "../credits-show.ts";
import { helpCard, type HelpDeps } from "../help.ts";
import { defineComponent } from "./component.ts";

export const showLimits = defineComponent(
	"button",
	showLimitsCustomId,
	async (interaction, _values, deps: CreditsCardDeps) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await interaction.editReply(await creditsCard(interaction, deps));
	},
);

export const showHelp = defineComponent("button", showHelpCustomId, async (interaction, _values, deps: HelpDeps) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	await interaction.editReply(await helpCard(interaction, deps));
});
