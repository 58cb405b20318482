/** The settings of one channel, in the panel of `/settings`: a menu or "Change" opens their form. */
import type { ButtonInteraction, ChannelSelectMenuInteraction } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { knownModels, type ModelCatalog } from "../../services/generation/model-catalog.ts";
import { changeChannelDefaults, NO_DEFAULTS } from "../../services/settings/channel-defaults.ts";
import type { GuildSettingsStore } from "../../services/settings/guild-settings.ts";
import type { SettingChange } from "../../services/settings/settings-changes.ts";
import {
	channelDefaultsForm,
	channelDefaultsCustomId,
	channelPickCustomId,
	readChannelDefaultsForm,
} from "../channel-defaults-panel.ts";
import type { InGuild } from "../command.ts";
import { requireManager } from "../invoking-member.ts";
import { saveSettings } from "../save-settings.ts";
import { settingsPanel } from "../settings-panel.ts";
import { defineComponent } from "./component.ts";

interface ChannelDefaultsDeps {
	readonly settings: GuildSettingsStore;
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly clock: Clock;
}

export const pickChannel = defineComponent(
	"channelSelect",
	channelPickCustomId,
	async (interaction, _values, deps: ChannelDefaultsDeps) => {
		const [channelId = ""] = interaction.values;
		await openForm(interaction, channelId, deps);
	},
);

export const openChannelDefaultsForm = defineComponent(
	"button",
	channelDefaultsCustomId,
	(interaction, { channelId }, deps: ChannelDefaultsDeps) => openForm(interaction, channelId, deps),
);

async function openForm(
	interaction: ButtonInteraction<InGuild> | ChannelSelectMenuInteraction<InGuild>,
	channelId: string,
	deps: ChannelDefaultsDeps,
): Promise<void> {
	requireManager(interaction);
	const settings = await deps.settings.read(interaction.guildId);
	await interaction.showModal(channelDefaultsForm(channelId, settings, knownModels(deps.catalog), interaction.locale));
}

export const saveChannelDefaults = defineComponent(
	"modal",
	channelDefaultsCustomId,
	async (interaction, { channelId }, deps: ChannelDefaultsDeps, logger) => {
		requireManager(interaction);
		const { fields, guildId, locale } = interaction;
		const models = knownModels(deps.catalog);
		const prepareChange = async (): Promise<SettingChange> => {
			const { channelDefaults } = await deps.settings.read(guildId);
			const change = readChannelDefaultsForm(fields, channelDefaults[channelId] ?? NO_DEFAULTS, models);
			return (before) => changeChannelDefaults(before, channelId, change);
		};
		const { settings, denial } = await saveSettings(
			interaction,
			{ settings: deps.settings, logFields: { field: "channelDefaults" }, prepareChange },
			logger,
		);
		const notice = denial && ({ key: "settings.denied", params: { reason: denial } } as const);
		const content = {
			settings,
			nowMs: deps.clock.nowMs(),
			models,
			page: "channels",
			...(notice && { notice }),
		} as const;
		await interaction.editReply(settingsPanel(content, locale));
	},
);
