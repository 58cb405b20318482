import { MessageFlags, type RepliableInteraction } from "discord.js";
import { moneyOf } from "../i18n/money.ts";
import { nameOf, toTimestampS } from "../i18n/message-param-values.ts";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { defaultsOf } from "../services/generation/request.ts";
import { priceOf } from "@atelier/media-protocol/price";
import { offeredModels } from "../services/settings/select-model.ts";
import { formatBalance, formatMemberLimits, limitParams } from "../services/credits/format-balance.ts";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import { quoteName } from "../i18n/quote.ts";
import { createTopUpOffer } from "../services/entitlements/top-up-service.ts";
import { cardReply, text } from "../discord/card.ts";
import { showLimitsCustomId } from "../discord/denial-buttons.ts";
import { topUpRow } from "../discord/top-up-buttons.ts";
import { whereMediaTypeIsOff } from "../services/settings/server-policy.ts";
import type { InGuild, SlashInteraction } from "./framework/command.ts";
import { defineButton } from "./framework/component.ts";
import { requestChannelOf, withAgeRestriction } from "./framework/interaction-channel.ts";
import { roleIdsOf } from "./framework/invoking-member.ts";
import type { CommandServices } from "./command-services.ts";

/** The reply names the grants that expire first. */
const EXPIRING_SHOWN = 3;

export async function showCredits(interaction: SlashInteraction, services: CommandServices): Promise<void> {
	await interaction.editReply(await creditsCard(interaction, services));
}

/** Below a denial: shows the member's limits. */
export const showLimits = defineButton(showLimitsCustomId, async (interaction, _values, services) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	await interaction.editReply(await creditsCard(interaction, services));
});

/** Shows the credits of the server, and the limits of the member who asks. */
async function creditsCard(
	interaction: RepliableInteraction<InGuild>,
	{ accounts, catalog, settings, channels, commandMentions, topUp, logger }: CommandServices,
) {
	const { guildId, user, locale } = interaction;
	const status = await accounts.readBalance({ guildId, userId: user.id, roleIds: roleIdsOf(interaction) });
	const { balance, serverLimit } = status;

	const [available, ...refill] = formatBalance(status);
	const lines: MessageDescriptor[] = available ? [available] : [];
	for (const { credits, expiresAtMs } of balance.expiring.slice(0, EXPIRING_SHOWN)) {
		lines.push({ key: "credits.expire", params: { credits, expiresAtS: toTimestampS(expiresAtMs) } });
	}
	lines.push(...refill);
	if (serverLimit) lines.push({ key: "credits.serverLimit", params: limitParams(serverLimit) });
	lines.push(...formatMemberLimits(status));
	const stored = await settings.read(guildId);
	const channel = await withAgeRestriction(requestChannelOf(interaction), channels, logger);
	for (const mediaType of MEDIA_TYPES) {
		if (whereMediaTypeIsOff(stored, mediaType, channel)) continue;
		const [model] = offeredModels(catalog.known(mediaType), stored, channel);
		if (!model) continue;
		const costCredits = priceOf(model.price, defaultsOf(model));
		const params = { command: nameOf(mediaType), model: quoteName(model.name), costCredits };
		lines.push({ key: "credits.price", params: { ...params, money: moneyOf(costCredits, catalog.creditPrice) } });
	}
	const offer = createTopUpOffer(topUp, locale);
	if (offer) {
		const packs = topUp
			.offered()
			.map(({ credits }): MessageDescriptor => ({ key: "credits.amount", params: { credits } }));
		lines.push({ key: "credits.topUpOffer", params: { packs, button: offer.redeemLabel } });
	}
	const content = lines.map((line) => commandMentions.say(locale, line)).join("\n");
	return cardReply([text(content), ...(offer ? [topUpRow(offer)] : [])]);
}
