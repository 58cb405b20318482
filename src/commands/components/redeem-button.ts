import { MessageFlags } from "discord.js";
import { purchaseOfClient } from "../../discord/entitlements.ts";
import { redeemIds } from "../../discord/top-up-buttons.ts";
import { say } from "../../i18n/messages.ts";
import { UserError } from "../../services/user-error.ts";
import { defineComponent } from "./component.ts";

/** Adds what whoever presses has bought to this server: Discord tells with each press what that is. */
export const redeem = defineComponent("button", redeemIds, async (interaction, _values, { topUp }, logger) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	const { guildId, user, locale } = interaction;
	const purchases = [...interaction.entitlements.values()].map(purchaseOfClient);
	const redeemed = await topUp.redeem({ guildId, userId: user.id }, purchases, logger);
	if (!redeemed) throw new UserError({ key: "topUpNothing" });
	const params = { addedCredits: redeemed.credits, leftCredits: redeemed.balance.availableCredits };
	await interaction.editReply({ content: say(locale, { key: "topUpAdded", params }) });
});
