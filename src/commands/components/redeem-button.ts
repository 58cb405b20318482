import { MessageFlags } from "discord.js";
import { purchaseOfClient } from "../../discord/entitlements.ts";
import { redeemCustomId } from "../../discord/top-up-buttons.ts";
import { UserError } from "../../services/user-error.ts";
import { defineButton } from "../framework/component.ts";

/** Adds the purchases of the member who presses to this server. Discord sends their entitlements with each interaction. */
export const redeem = defineButton(redeemCustomId, async (interaction, _values, { topUp, commandMentions, logger }) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	const { guildId, user, locale } = interaction;
	const purchases = [...interaction.entitlements.values()].map(purchaseOfClient);
	const redeemed = await topUp.redeem({ guildId, userId: user.id }, purchases, logger);
	if (!redeemed) throw new UserError({ key: "credits.topUpNothing" });
	const { credits: addedCredits, balance } = redeemed;
	const leftCredits = balance.availableCredits;
	const message =
		addedCredits === 0
			? ({ key: "credits.topUpAddedBefore", params: { leftCredits } } as const)
			: ({ key: "credits.topUpAdded", params: { addedCredits, leftCredits } } as const);
	await interaction.editReply({ content: commandMentions.say(locale, message) });
});
