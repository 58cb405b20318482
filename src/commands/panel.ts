/** Panels: cards with a setting per section. "Change" acts at once or opens a form, and the panel shows the result in place. */
import {
	type APIModalInteractionResponseCallbackData,
	type ButtonInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { button, section, text, type CardPart } from "../discord/card.ts";
import type { CustomIdCodec } from "../discord/custom-id.ts";
import type { MessageDescriptor } from "../i18n/message-descriptor.ts";
import { t } from "../i18n/messages.ts";
import type { GuildSettings, GuildSettingsStore } from "../services/settings/guild-settings.ts";
import type { DeniedFormTexts } from "../services/settings/denied-form-texts.ts";
import type { InGuild } from "./command.ts";
import { defineComponent, type Component } from "./components/component.ts";
import { typedTexts, type TypedTexts } from "./form-fields.ts";
import { requireManager } from "./invoking-member.ts";
import { saveSettings } from "./save-settings.ts";
import type { SettingChange } from "../services/settings/settings-changes.ts";

/** A change that was denied. */
export interface DeniedChange<Field> {
	readonly field: Field;
	readonly reason: MessageDescriptor;
}

export interface PanelDeps {
	readonly settings: GuildSettingsStore;
	readonly deniedFormTexts: DeniedFormTexts;
}

type PanelInteraction = ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>;

interface Panel<Field extends string, Deps> {
	/** Encodes the custom ids of the buttons and of the forms that they open. */
	readonly customIdCodec: CustomIdCodec<{ readonly field: Field }>;
	/** Returns the change to the other value; `undefined` for a setting that needs a form. */
	toggle(settings: GuildSettings, field: Field, deps: Deps): SettingChange | undefined;
	/** Builds the form of a setting. `rejected`: the texts that the member typed last time and that were denied. */
	form(
		field: Field,
		content: { readonly settings: GuildSettings; readonly rejected: TypedTexts },
		deps: Deps,
		locale: string,
	): APIModalInteractionResponseCallbackData;
	/** Reads the change from a submitted form. Denies invalid values. */
	read(interaction: ModalSubmitInteraction<InGuild>, field: Field, deps: Deps): Promise<SettingChange>;
	show(
		interaction: PanelInteraction,
		shown: {
			readonly settings: GuildSettings;
			readonly field: Field;
			readonly denial: DeniedChange<Field> | undefined;
		},
		deps: Deps,
	): Promise<Parameters<PanelInteraction["editReply"]>[0]>;
}

export function definePanel<Field extends string, Deps extends PanelDeps>(
	panel: Panel<Field, Deps>,
): readonly Component<Deps>[] {
	/** Saves a change and shows the panel with it, or with the reason why it was denied. */
	async function save(
		interaction: PanelInteraction,
		field: Field,
		deps: Deps,
		logger: Logger,
		prepareChange: () => Promise<SettingChange>,
	): Promise<void> {
		const { settings, denial } = await saveSettings(
			interaction,
			{ settings: deps.settings, logFields: { field }, prepareChange },
			logger,
		);
		const { guildId, user } = interaction;
		if (!denial) deps.deniedFormTexts.delete({ guildId, userId: user.id, field });
		const deniedChange = denial && { field, reason: denial };
		await interaction.editReply(await panel.show(interaction, { settings, field, denial: deniedChange }, deps));
	}

	return [
		defineComponent("button", panel.customIdCodec, async (interaction, { field }, deps: Deps, logger) => {
			requireManager(interaction);
			const { guildId, locale, user } = interaction;
			const settings = await deps.settings.read(guildId);
			const toggle = panel.toggle(settings, field, deps);
			if (toggle) return await save(interaction, field, deps, logger, async () => toggle);
			const rejected = deps.deniedFormTexts.get({ guildId, userId: user.id, field }) ?? {};
			await interaction.showModal(panel.form(field, { settings, rejected }, deps, locale));
		}),
		defineComponent("modal", panel.customIdCodec, async (interaction, { field }, deps: Deps, logger) => {
			requireManager(interaction);
			const { fields, guildId, user } = interaction;
			deps.deniedFormTexts.set({ guildId, userId: user.id, field }, typedTexts(fields));
			await save(interaction, field, deps, logger, () => panel.read(interaction, field, deps));
		}),
	];
}

/** Renders one setting: its value, "Change", and the reason if the last change was denied. */
export function settingParts<Field extends string>(
	content: string,
	field: Field,
	customIdCodec: CustomIdCodec<{ readonly field: Field }>,
	denial: DeniedChange<Field> | undefined,
	locale: string,
): readonly CardPart[] {
	const change = button(customIdCodec.encode({ field }), t(locale, { key: "button.change" }));
	return [section(content, change), ...(denial?.field === field ? [text(`⚠️ ${t(locale, denial.reason)}`)] : [])];
}
