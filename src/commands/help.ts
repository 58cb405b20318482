import { MessageFlags, type RepliableInteraction } from "discord.js";
import type { Logger } from "pino";
import { cardReply, separator, text } from "../discord/card.ts";
import { showHelpCustomId } from "../discord/denial-buttons.ts";
import { defineCustomId, idField } from "../discord/custom-id.ts";
import { t } from "../i18n/messages.ts";
import type { CommandMentions } from "../discord/command-mentions.ts";
import { formatHelp, type HelpInput } from "../services/settings/format-help.ts";
import { channelIdsOf, type ChannelDirectory } from "../services/moderation/authorization.ts";
import type { Clock } from "@atelier/common/clock";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { ModelCatalog } from "../services/generation/model-catalog.ts";
import type { GuildSettingsStore } from "../services/settings/guild-settings.ts";
import { definePrivateCommand, type InGuild } from "./framework/command.ts";
import { isManager, roleIdsOf } from "./framework/invoking-member.ts";
import { channelContextOf, mayOfferRestrictedModels } from "./framework/channel-context.ts";
import { defineComponent } from "./framework/component.ts";
import { pageTabs } from "./framework/page-tabs.ts";

interface HelpDeps {
	readonly accounts: Pick<GuildAccounts, "readBalance">;
	readonly catalog: Pick<ModelCatalog, "known" | "creditPrice">;
	readonly settings: Pick<GuildSettingsStore, "read">;
	readonly channels: Pick<ChannelDirectory, "isAgeRestricted">;
	/** True if managers may grant credits; otherwise only operators may. */
	readonly mayManagersGrant: boolean;
	readonly commandMentions: Pick<CommandMentions, "link">;
	readonly clock: Clock;
}

export const help = definePrivateCommand<HelpDeps>("help", "command.help", {
	async execute(interaction, deps, logger) {
		await interaction.editReply(await helpCard(interaction, deps, logger));
	},
});

/** Below a denial: shows what the member may use. */
export const showHelp = defineComponent(
	"button",
	showHelpCustomId,
	async (interaction, _values, deps: HelpDeps, logger) => {
		await interaction.deferReply({ flags: MessageFlags.Ephemeral });
		await interaction.editReply(await helpCard(interaction, deps, logger));
	},
);

/** Shows where this member can generate, with which models, and at which prices. */
async function helpCard(
	interaction: RepliableInteraction<InGuild>,
	{ accounts, catalog, settings, channels, mayManagersGrant, commandMentions, clock }: HelpDeps,
	logger: Logger,
) {
	const { guildId, user, locale } = interaction;
	const channel = channelContextOf(interaction);
	const member = { userId: user.id, roleIds: roleIdsOf(interaction) };
	const input: HelpInput = {
		settings: await settings.read(guildId),
		balance: await accounts.readBalance({ guildId, ...member }),
		models: (mediaType) => catalog.known(mediaType),
		creditPrice: catalog.creditPrice,
		member,
		channel: {
			channelIds: channelIdsOf(channel),
			isAgeRestricted: await mayOfferRestrictedModels(channel, channels, logger),
		},
		isManager: isManager(interaction),
		mayManagersGrant,
		nowMs: clock.nowMs(),
	};
	const parts = formatHelp(input, locale).map((line) => text(commandMentions.link(line, locale)));
	const body = parts.flatMap((cardPart, index) => (index === 0 ? [cardPart] : [separator(), cardPart]));
	return cardReply([...body, tabsOf("overview", isManager(interaction), locale)]);
}

const GUIDES = ["prompts", "results", "admins"] as const;
type HelpPage = "overview" | (typeof GUIDES)[number];

const helpPageCustomId = defineCustomId("help", { page: idField.oneOf("overview", ...GUIDES) });

const GUIDE_TEXT_KEYS = {
	prompts: "help.guidePrompts",
	results: "help.guideResults",
	admins: "help.guideAdmins",
} as const;
const PAGE_LABEL_KEYS = {
	overview: "button.helpOverview",
	prompts: "button.guidePrompts",
	results: "button.guideResults",
	admins: "button.guideAdmins",
} as const;

/** Shows a guide, or the overview again, in place. */
export const turnHelpPage = defineComponent(
	"button",
	helpPageCustomId,
	async (interaction, { page }, deps: HelpDeps, logger) => {
		await interaction.deferUpdate();
		if (page === "overview") {
			await interaction.editReply(await helpCard(interaction, deps, logger));
			return;
		}
		const { locale } = interaction;
		const guide = text(deps.commandMentions.link(t(locale, { key: GUIDE_TEXT_KEYS[page] }), locale));
		await interaction.editReply(cardReply([guide, tabsOf(page, isManager(interaction), locale)]));
	},
);

function tabsOf(shown: HelpPage, isForManager: boolean, locale: string) {
	const pages: readonly HelpPage[] = ["overview", ...GUIDES.filter((guide) => guide !== "admins" || isForManager)];
	return pageTabs({ pages, shown, labelKeys: PAGE_LABEL_KEYS, customIdCodec: helpPageCustomId }, locale);
}
