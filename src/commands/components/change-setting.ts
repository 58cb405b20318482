/** "Change" in the panel of `/settings`. */
import type { ModalSubmitInteraction } from "discord.js";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { Clock } from "@atelier/common/clock";
import type { ChannelPoster } from "../../services/credits/low-credits.ts";
import type { ModelCatalog } from "../../services/generation/model-catalog.ts";
import type { PromptImprover } from "../../services/generation/prompt-improver.ts";
import { blockedCount } from "../../services/moderation/policy.ts";
import { pageOf, type SettingField } from "../../services/settings/format-access.ts";
import { assertChannelWritable } from "../assert-channel-writable.ts";
import type { InGuild } from "../command.ts";
import type { LocaleDeps } from "../guild-locale.ts";
import { definePanel, type PanelDeps } from "../panel.ts";
import type { SettingChange } from "../../services/settings/settings-changes.ts";
import { readSettingForm, settingForm, toggleOf } from "../settings-forms.ts";
import { settingCustomId, settingPageCustomId, settingsPanel } from "../settings-panel.ts";
import { requireManager } from "../invoking-member.ts";
import { defineComponent } from "./component.ts";

interface ChangeSettingDeps extends PanelDeps, Omit<LocaleDeps, "settings"> {
	readonly catalog: Pick<ModelCatalog, "known">;
	readonly channelPoster: ChannelPoster;
	readonly clock: Clock;
	readonly promptImprover: PromptImprover | undefined;
	/** True if the operator has a moderation service. */
	readonly hasModeration: boolean;
}

/** Shows another page of the panel. */
export const turnSettingPage = defineComponent(
	"button",
	settingPageCustomId,
	async (interaction, { page }, deps: ChangeSettingDeps) => {
		requireManager(interaction);
		await interaction.deferUpdate();
		const settings = await deps.settings.read(interaction.guildId);
		const blockedMembers = blockedCount(settings, deps.clock.nowMs());
		const content = { settings, blockedMembers, models: modelsOf(deps), page };
		await interaction.editReply(settingsPanel(content, interaction.locale));
	},
);

export const settingsPanelComponents = definePanel<SettingField, ChangeSettingDeps>({
	customIdCodec: settingCustomId,
	toggle: toggleOf,
	form: (field, content, deps, locale) =>
		settingForm(field, { ...content, models: modelsOf(deps), hasModeration: deps.hasModeration }, locale),
	async read(interaction, field, deps) {
		const { fields, guildId } = interaction;
		const change = readSettingForm(field, fields, { guildId, models: modelsOf(deps) });
		await greetChannel(interaction, field, change, deps);
		return change;
	},
	async show({ locale }, { settings, field, denial }, { clock }) {
		const blockedMembers = blockedCount(settings, clock.nowMs());
		return settingsPanel({ settings, blockedMembers, denial, page: pageOf(field) }, locale);
	},
});

const CHANNEL_FIELDS: ReadonlySet<SettingField> = new Set(["log", "reports", "showcase"]);

/** Denies a new channel that the bot cannot write in. */
async function greetChannel(
	interaction: ModalSubmitInteraction<InGuild>,
	field: SettingField,
	change: SettingChange,
	deps: ChangeSettingDeps,
): Promise<void> {
	if (!CHANNEL_FIELDS.has(field)) return;
	const before = await deps.settings.read(interaction.guildId);
	const after = change(before);
	if (field === "log" && after.logChannelId !== before.logChannelId)
		await assertChannelWritable(deps, interaction, after.logChannelId, { key: "settings.logChannelHello" });
	if (field === "reports" && after.reportChannelId !== before.reportChannelId)
		await assertChannelWritable(deps, interaction, after.reportChannelId, { key: "settings.reportChannelHello" });
	if (field === "showcase" && after.showcase.channelId !== before.showcase.channelId)
		await assertChannelWritable(deps, interaction, after.showcase.channelId, { key: "settings.showcaseHello" });
}

function modelsOf({ catalog }: Pick<ChangeSettingDeps, "catalog">) {
	return MEDIA_TYPES.flatMap((mediaType) => catalog.known(mediaType));
}
