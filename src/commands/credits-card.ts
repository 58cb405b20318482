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
import { cardReply, paragraphs } from "../discord/card.ts";
import { showLimitsCustomId } from "../discord/denial-buttons.ts";
import { topUpRow } from "../discord/top-up-buttons.ts";
import type { RequestChannel } from "../services/access/request-channel.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
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
	const expiring = balance.expiring.slice(0, EXPIRING_SHOWN).map(({ credits, expiresAtMs }): MessageDescriptor => ({
		key: "credits.expire",
		params: { credits, expiresAtS: toTimestampS(expiresAtMs) },
	}));
	const channel = await withAgeRestriction(requestChannelOf(interaction), channels, logger);
	const offer = createTopUpOffer(topUp, locale);
	const packs = topUp.offered().map(({ credits }) => ({ key: "credits.amount", params: { credits } }) as const);
	const groups: readonly (readonly MessageDescriptor[])[] = [
		[...(available ? [available] : []), ...expiring, ...refill],
		[
			...(serverLimit ? [{ key: "credits.serverLimit", params: limitParams(serverLimit) } as const] : []),
			...formatMemberLimits(status),
		],
		priceLines(await settings.read(guildId), channel, catalog),
		offer ? [{ key: "credits.topUpOffer", params: { packs, button: offer.redeemLabel } }] : [],
	];
	const contents = groups.map((lines) => commandMentions.sayLines(locale, lines));
	return cardReply([...paragraphs(contents), ...(offer ? [topUpRow(offer)] : [])]);
}

/** Names the default model of each media type that members can use in the channel, with its price. */
function priceLines(
	settings: GuildSettings,
	channel: RequestChannel,
	catalog: CommandServices["catalog"],
): readonly MessageDescriptor[] {
	return MEDIA_TYPES.filter((mediaType) => !whereMediaTypeIsOff(settings, mediaType, channel)).flatMap((mediaType) => {
		const [model] = offeredModels(catalog.known(mediaType), settings, channel);
		if (!model) return [];
		const costCredits = priceOf(model.price, defaultsOf(model));
		const money = moneyOf(costCredits, catalog.creditPrice);
		const params = { command: nameOf(mediaType), model: quoteName(model.name), costCredits, money };
		return [{ key: "credits.price", params }];
	});
}
