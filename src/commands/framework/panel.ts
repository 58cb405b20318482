/** Panels: cards with a setting per section. "Change" acts at once or opens a form, and the panel shows the result in place. */
import { crc32 } from "node:zlib";
import {
	MessageFlags,
	type APILabelComponent,
	type ButtonInteraction,
	type ChannelSelectMenuInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { button, CARD_FLAG, cardReply, file, section, text, type CardPart } from "../../discord/card.ts";
import { idField, type CustomIdCodec } from "../../discord/custom-id.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { GuildSettings, GuildSettingsStore, SettingsUpdate } from "../../services/settings/guild-settings.ts";
import type { DeniedForms } from "../../services/settings/denied-forms.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "./command.ts";
import { defineComponent, type Component } from "./component.ts";
import { returnTexts } from "./denied-prompt.ts";
import { submittedValues, withValues } from "./form-fields.ts";
import { requireManager } from "./invoking-member.ts";
import { saveSettings } from "./save-settings.ts";

/** A change that was denied. */
export interface DeniedChange<Field> {
	readonly field: Field;
	readonly reason: MessageDescriptor;
}

export interface PanelDeps {
	readonly settings: GuildSettingsStore;
	readonly deniedForms: DeniedForms;
}

type PanelInteraction = ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>;

/** A custom id names the setting, and the checksum of the value that the member sees, so that a stale panel changes nothing. */
type PanelCustomIdCodec<Field> = CustomIdCodec<{ readonly field: Field; readonly shown: number }>;

export const checksumField = idField.number;

const CHANGED_MEANWHILE = "settings.changedMeanwhile";

function checksumOf(value: unknown): number {
	return crc32(JSON.stringify(value ?? null));
}

interface Panel<Field extends string, Deps> {
	/** Encodes the custom ids of the buttons and of the forms that they open. */
	readonly customIdCodec: PanelCustomIdCodec<Field>;
	readonly formTitleKey: "form.settingTitle" | "form.channelTitle";
	/** Returns the stored value of a setting. */
	valueOf(settings: GuildSettings, field: Field): unknown;
	/** Returns the change to the other value; `undefined` for a setting that needs a form. */
	toggle(settings: GuildSettings, field: Field, deps: Deps): SettingsUpdate | undefined;
	/** Builds the fields of the form of a setting, with the stored values. */
	fields(field: Field, settings: GuildSettings, deps: Deps, locale: string): readonly APILabelComponent[];
	/** Reads the change from a submitted form. Denies invalid values. */
	read(interaction: ModalSubmitInteraction<InGuild>, field: Field, deps: Deps): Promise<SettingsUpdate>;
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

type OpenForm<Field, Deps> = (
	interaction: ButtonInteraction<InGuild> | ChannelSelectMenuInteraction<InGuild>,
	field: Field,
	deps: Deps,
) => Promise<void>;

export function definePanel<Field extends string, Deps extends PanelDeps>(
	panel: Panel<Field, Deps>,
): {
	readonly components: readonly Component<Deps>[];
	/** Opens the form of a setting, with the values that were denied last time, else with the stored ones. */
	readonly openForm: OpenForm<Field, Deps>;
} {
	const openForm: OpenForm<Field, Deps> = async (interaction, field, deps) => {
		const { guildId, locale, user } = interaction;
		const settings = await deps.settings.read(guildId);
		const shown = checksumOf(panel.valueOf(settings, field));
		const fields = panel.fields(field, settings, deps, locale);
		await interaction.showModal({
			custom_id: panel.customIdCodec.encode({ field, shown }),
			title: t(locale, { key: panel.formTitleKey }),
			components: withValues(fields, deps.deniedForms.get({ guildId, userId: user.id, field, shown }) ?? {}),
		});
	};

	/** Saves a change of the shown value, and shows the panel with it, or with the reason why it was denied. */
	async function save(
		interaction: PanelInteraction,
		{ field, shown }: { readonly field: Field; readonly shown: number },
		deps: Deps,
		logger: Logger,
		read: () => Promise<SettingsUpdate>,
	): Promise<void> {
		const requireShownValue = (settings: GuildSettings): void => {
			if (checksumOf(panel.valueOf(settings, field)) !== shown) throw new UserError({ key: CHANGED_MEANWHILE });
		};
		const prepareUpdate = async (): Promise<SettingsUpdate> => {
			// Before the read, which may post a greeting in a new channel.
			requireShownValue(await deps.settings.read(interaction.guildId));
			const change = await read();
			return (before) => {
				requireShownValue(before);
				return change(before);
			};
		};
		const { settings, denial } = await saveSettings(
			interaction,
			{ settings: deps.settings, logFields: { panel: panel.customIdCodec.name, field }, prepareUpdate },
			logger,
		);
		if (!denial) deps.deniedForms.delete({ guildId: interaction.guildId, userId: interaction.user.id, field, shown });
		const deniedChange = denial && { field, reason: denial };
		await interaction.editReply(await panel.show(interaction, { settings, field, denial: deniedChange }, deps));
		// The next form starts with the new value.
		if (denial?.key === CHANGED_MEANWHILE) await followUpWithTexts(interaction);
	}

	const components = [
		defineComponent("button", panel.customIdCodec, async (interaction, pressed, deps: Deps, logger) => {
			requireManager(interaction);
			const toggle = panel.toggle(await deps.settings.read(interaction.guildId), pressed.field, deps);
			if (toggle) await save(interaction, pressed, deps, logger, async () => toggle);
			else await openForm(interaction, pressed.field, deps);
		}),
		defineComponent("modal", panel.customIdCodec, async (interaction, submitted, deps: Deps, logger) => {
			requireManager(interaction);
			const { fields, guildId, user } = interaction;
			deps.deniedForms.set({ guildId, userId: user.id, ...submitted }, submittedValues(fields));
			await save(interaction, submitted, deps, logger, () => panel.read(interaction, submitted.field, deps));
		}),
	];
	return { components, openForm };
}

/** Returns the texts of a submitted form to its member. */
async function followUpWithTexts(interaction: PanelInteraction): Promise<void> {
	const returned = returnTexts(interaction, CHANGED_MEANWHILE, interaction.locale);
	if (!returned) return;
	const card = cardReply([text(returned.text), ...returned.files.map(({ name }) => file(name ?? ""))]);
	await interaction.followUp({ ...card, files: returned.files, flags: [MessageFlags.Ephemeral, CARD_FLAG] });
}

/** Renders one setting: its text, "Change", and the reason if the last change was denied. `value`: the stored value. */
export function settingParts<Field extends string>(
	content: string,
	{ field, value }: { readonly field: Field; readonly value: unknown },
	customIdCodec: PanelCustomIdCodec<Field>,
	denial: DeniedChange<Field> | undefined,
	locale: string,
): readonly CardPart[] {
	const customId = customIdCodec.encode({ field, shown: checksumOf(value) });
	const change = button(customId, t(locale, { key: "button.change" }));
	return [section(content, change), ...(denial?.field === field ? [text(`⚠️ ${t(locale, denial.reason)}`)] : [])];
}
