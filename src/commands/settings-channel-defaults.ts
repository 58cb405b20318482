/** The defaults of one channel, in the panel of `/settings`: a menu or "Change" opens their form. */
import type { Clock } from "@atelier/common/clock";
import { knownModels, type ModelCatalog } from "../services/generation/model-catalog.ts";
import { channelDefaultsCustomId, channelPickCustomId, channelSetting } from "./settings-channel-defaults-view.ts";
import { requireManager } from "./framework/invoking-member.ts";
import { definePanel, type PanelDeps } from "./framework/panel.ts";
import { settingsPanel } from "./settings-panel.ts";
import { defineComponent } from "./framework/component.ts";

interface ChannelDefaultsDeps extends PanelDeps {
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly clock: Clock;
}

const panel = definePanel<string, ChannelDefaultsDeps>({
	customIdCodec: channelDefaultsCustomId,
	settingOf: channelSetting,
	async show({ locale }, { settings, denial }, { catalog, clock }) {
		const content = { settings, nowMs: clock.nowMs(), models: knownModels(catalog), page: "channels" } as const;
		return settingsPanel({ ...content, channelDenial: denial }, locale);
	},
});
export const channelDefaultsComponents = panel.components;

export const pickChannel = defineComponent(
	"channelSelect",
	channelPickCustomId,
	async (interaction, _values, deps: ChannelDefaultsDeps) => {
		requireManager(interaction);
		const [channelId = ""] = interaction.values;
		await panel.openForm(interaction, channelId, deps);
	},
);
