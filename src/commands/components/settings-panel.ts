/** The buttons and forms of the panel of `/settings`, except those of channel defaults. */
import type { Clock } from "@atelier/common/clock";
import type { ChannelPoster } from "../../services/channel-poster.ts";
import { knownModels, type ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import { pageOf, type SettingField } from "../../services/settings/format-settings.ts";
import { greetNewChannel } from "../post-greeting.ts";
import type { LocaleDeps } from "../guild-locale.ts";
import { definePanel, type PanelDeps } from "../panel.ts";
import { readSettingForm, settingFields, settingValueOf, toggleOf } from "../settings-forms.ts";
import { settingCustomId, settingPageCustomId, settingsPanel } from "../settings-panel.ts";
import { requireManager } from "../invoking-member.ts";
import { defineComponent } from "./component.ts";

interface SettingsPanelDeps extends PanelDeps, Omit<LocaleDeps, "settings"> {
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly channelPoster: ChannelPoster;
	readonly clock: Clock;
	readonly promptImprover: PromptImprover | undefined;
	/** True if the operator has a moderation service. */
	readonly hasModeration: boolean;
}

export const turnSettingPage = defineComponent(
	"button",
	settingPageCustomId,
	async (interaction, { page }, deps: SettingsPanelDeps) => {
		requireManager(interaction);
		await interaction.deferUpdate();
		const settings = await deps.settings.read(interaction.guildId);
		const content = { settings, nowMs: deps.clock.nowMs(), models: knownModels(deps.catalog), page };
		await interaction.editReply(settingsPanel(content, interaction.locale));
	},
);

export const { components: settingsPanelComponents } = definePanel<SettingField, SettingsPanelDeps>({
	customIdCodec: settingCustomId,
	formTitleKey: "form.settingTitle",
	valueOf: settingValueOf,
	toggle: toggleOf,
	fields: (field, settings, { catalog, hasModeration }, locale) =>
		settingFields(field, settings, { models: knownModels(catalog), hasModeration }, locale),
	async read(interaction, field, deps) {
		const { fields, guildId } = interaction;
		const change = readSettingForm(field, fields, { guildId, models: knownModels(deps.catalog) });
		if (field === "log" || field === "reports" || field === "showcase")
			await greetNewChannel(deps, interaction, change, field);
		return change;
	},
	async show({ locale }, { settings, field, denial }, { clock }) {
		return settingsPanel({ settings, nowMs: clock.nowMs(), denial, page: pageOf(field) }, locale);
	},
});
