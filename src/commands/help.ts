import { MessageFlags, type RepliableInteraction } from "discord.js";
import { cardReply, paragraphs, text } from "../discord/card.ts";
import { showHelpCustomId } from "../discord/denial-buttons.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import { nameOf, shortList } from "../i18n/message-param-values.ts";
import { quoteName } from "../i18n/quote.ts";
import type { RequestChannel } from "../services/access/request-channel.ts";
import { generalDenialReason, whereMediaTypeIsOff } from "../services/settings/server-policy.ts";
import { MEDIA_TYPES, type MediaType } from "@atelier/media-protocol/model";
import { moneyOf } from "../i18n/money.ts";
import { formatBalance, formatMemberLimits } from "../services/credits/format-balance.ts";
import { defaultsOf } from "../services/generation/request.ts";
import { priceOf } from "@atelier/media-protocol/price";
import { offeredModels } from "../services/settings/select-model.ts";
import type { GuildSettings } from "../services/settings/guild-settings.ts";
import { definePrivateCommand, type InGuild } from "./framework/command.ts";
import { isManager, roleIdsOf } from "./framework/invoking-member.ts";
import { requestChannelOf, withAgeRestriction } from "./framework/interaction-channel.ts";
import { defineButton } from "./framework/component.ts";
import { pageTabs } from "./framework/page-tabs.ts";
import type { CommandServices } from "./command-services.ts";

/** The number of models that are named per media type. Autocomplete shows all of them. */
const MODELS_NAMED = 6;

export const help = definePrivateCommand("help", {
	async execute(interaction, services) {
		await interaction.editReply(await helpCard(interaction, services));
	},
});

/** Below a denial: shows what the member may use. */
export const showHelp = defineButton(showHelpCustomId, async (interaction, _values, services) => {
	await interaction.deferReply({ flags: MessageFlags.Ephemeral });
	await interaction.editReply(await helpCard(interaction, services));
});

/** Shows where this member can generate, with which models, and at which prices. */
async function helpCard(interaction: RepliableInteraction<InGuild>, services: CommandServices) {
	const { guildId, user, locale } = interaction;
	const { accounts, settings, channels, mayManagersGrant, commandMentions, clock, logger } = services;
	const channel = await withAgeRestriction(requestChannelOf(interaction), channels, logger);
	const member = { guildId, userId: user.id, roleIds: roleIdsOf(interaction) };
	const stored = await settings.read(guildId);
	const balance = await accounts.readBalance(member);
	const denial = generalDenialReason(stored, member, channel, clock.nowMs());
	const styles = Object.keys(stored.styles).length;
	const groups: readonly (readonly MessageDescriptor[])[] = [
		denial ? [{ key: "help.notHere", params: { reason: denial } }] : [],
		[
			...MEDIA_TYPES.map((mediaType) => mediaTypeLine(mediaType, stored, channel, services)),
			{ key: "help.prices" },
			...(styles > 0 ? [{ key: "help.styles", params: { styles } } as const] : []),
		],
		[...formatBalance(balance), ...formatMemberLimits(balance)],
		[{ key: "help.results" }, { key: "help.cancel" }],
		isManager(interaction) ? [{ key: "help.managers", params: { mayManagersGrant } }] : [],
	];
	const contents = groups.map((lines) => commandMentions.sayLines(locale, lines));
	return cardReply([...paragraphs(contents), tabsOf("overview", isManager(interaction), locale)]);
}

function mediaTypeLine(
	mediaType: MediaType,
	settings: GuildSettings,
	channel: RequestChannel,
	{ catalog }: CommandServices,
): MessageDescriptor {
	const command = nameOf(mediaType);
	const offIn = whereMediaTypeIsOff(settings, mediaType, channel);
	if (offIn === "server") return { key: "help.mediaTypeOff", params: { command } };
	if (offIn === "channel") return { key: "help.mediaTypeOffHere", params: { command } };
	const offered = offeredModels(catalog.known(mediaType), settings, channel);
	if (offered.length === 0) return { key: "help.mediaTypeNone", params: { command } };
	const named = offered.map((model): MessageDescriptor => {
		const costCredits = priceOf(model.price, defaultsOf(model));
		const params = { model: quoteName(model.name), costCredits, money: moneyOf(costCredits, catalog.creditPrice) };
		return { key: "help.model", params };
	});
	return { key: "help.mediaType", params: { command, mediaType, models: shortList(named, MODELS_NAMED) } };
}

const GUIDES = ["prompts", "results", "admins"] as const;
type HelpPage = "overview" | (typeof GUIDES)[number];

const helpPageCustomId = defineCustomId("help", { page: idField.oneOf("overview", ...GUIDES) });

/** Shows a guide, or the overview again, in place. */
export const turnHelpPage = defineButton(helpPageCustomId, async (interaction, { page }, services) => {
	await interaction.deferUpdate();
	if (page === "overview") {
		await interaction.editReply(await helpCard(interaction, services));
		return;
	}
	const { locale } = interaction;
	const guide = text(services.commandMentions.say(locale, { key: `helpGuide.${page}` }));
	await interaction.editReply(cardReply([guide, tabsOf(page, isManager(interaction), locale)]));
});

function tabsOf(currentPage: HelpPage, isForManager: boolean, locale: string) {
	const pages: readonly HelpPage[] = ["overview", ...GUIDES.filter((guide) => guide !== "admins" || isForManager)];
	return pageTabs(
		{ pages, currentPage, labelKeyOf: (page) => `helpPage.${page}`, customIdCodec: helpPageCustomId },
		locale,
	);
}
