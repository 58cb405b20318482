/** Panels: cards with a setting per section. Its button acts at once or opens a form, and the panel shows the result in place. */
import { crc32 } from "node:zlib";
import {
	MessageFlags,
	type APILabelComponent,
	type ButtonInteraction,
	type ChannelSelectMenuInteraction,
	type ModalSubmitInteraction,
} from "discord.js";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { button, CARD_FLAG, cardReply, file, section, text, type CardPart } from "../../discord/card.ts";
import type { CommandMentions } from "../../discord/command-mentions.ts";
import { idField, type CustomIdCodec } from "../../discord/custom-id.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import type { SettingsUpdate } from "../../services/settings/settings-store.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import { UserError } from "../../services/user-error.ts";
import { changeSettings } from "./change-settings.ts";
import type { InGuild } from "../framework/command.ts";
import { defineButton, defineModal, type AuthorizePress, type Component } from "../framework/component.ts";
import { renderTypedTexts } from "../framework/typed-texts.ts";
import { submittedValues, type SubmittedValues } from "../framework/form-fields.ts";
import type { CommandServices } from "../command-services.ts";

/** A change that was denied. */
export interface DeniedChange<Field> {
	readonly field: Field;
	readonly reason: MessageDescriptor;
}

/** The outcome of a change, as the panel shows it. */
export interface ChangeOutcome<Field> {
	readonly denial?: DeniedChange<Field> | undefined;
	/** The first line: what was changed. */
	readonly notice?: MessageDescriptor | undefined;
}

type PanelInteraction = ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>;

/** A custom id names the setting, and the checksum of the value that the member sees, so that a stale panel changes nothing. */
interface ShownValue<Field> {
	readonly field: Field;
	readonly valueChecksum: number;
}
type PanelCustomIdCodec<Field> = CustomIdCodec<ShownValue<Field>>;

export const checksumField = idField.number;

/** Discord accepts a form for three seconds after the press, and a press that opens a form cannot be acknowledged before. */
const AUTHORIZE_MS_MAX = 1_500;

export function checksumOf(value: unknown): number {
	return crc32(JSON.stringify(value ?? null));
}

/** Names a form of a member. A form for another value starts with that one. */
function deniedFormKey(
	{ guildId, user }: PanelInteraction | FormPress,
	{ field, valueChecksum }: ShownValue<string>,
): string {
	return `${guildId} ${user.id} ${field} ${valueChecksum}`;
}

/** Shows one setting in a panel, and changes it: its button makes the change at once, or opens the form. */
export interface SettingEditor {
	/** The title of the form. */
	readonly name: MessageDescriptor;
	/** The label of the button; "Change" by default. */
	readonly buttonLabel?: (settings: GuildSettings) => MessageDescriptor;
	/** Returns the stored value. */
	readonly readValue: (settings: GuildSettings) => unknown;
	/** Returns the change to the other value; `undefined` if the stored value needs the form. */
	readonly toggle?: (settings: GuildSettings, services: CommandServices) => SettingsUpdate | undefined;
	readonly form?: {
		/** Builds the fields, with the values that were denied last time, else with the stored ones. */
		readonly fields: (
			settings: GuildSettings,
			locale: string,
			services: CommandServices,
			deniedValues?: SubmittedValues,
		) => readonly APILabelComponent[];
		/** Applies a submitted form. Throws a `UserError` for invalid values. */
		readonly apply: (
			before: GuildSettings,
			form: Pick<ModalSubmitInteraction<InGuild>, "fields" | "guildId">,
			services: CommandServices,
		) => GuildSettings;
	};
}

interface ShownEditor<Field> {
	readonly field: Field;
	readonly editor: SettingEditor;
	readonly settings: GuildSettings;
	/** The setting and its value. */
	readonly content: string;
	/** Shown if it is about this setting. */
	readonly denial: DeniedChange<string> | undefined;
}

interface Panel<Field extends string> {
	/** Encodes the custom ids of the buttons and of the forms that they open. */
	readonly customIdCodec: PanelCustomIdCodec<Field>;
	/** Throws a `UserError` for members who may not change the settings of the panel. */
	readonly authorizePress: AuthorizePress;
	editorOf(field: Field): SettingEditor;
	show(
		interaction: PanelInteraction,
		view: ChangeOutcome<Field> & { readonly settings: GuildSettings; readonly field: Field },
		services: CommandServices,
	): Promise<Parameters<PanelInteraction["editReply"]>[0]>;
}

type FormPress = ButtonInteraction<InGuild> | ChannelSelectMenuInteraction<InGuild>;
type OpenForm<Field> = (interaction: FormPress, field: Field, services: CommandServices) => Promise<void>;

export function definePanel<Field extends string>(
	panel: Panel<Field>,
): {
	readonly components: readonly Component[];
	/** Opens the form of a setting for a member who may change it. */
	readonly openForm: OpenForm<Field>;
} {
	function formOf(field: Field) {
		const { form } = panel.editorOf(field);
		if (!form) throw new Error(`${field} has no form`);
		return form;
	}

	/** A slower read of the permissions continues, for the next press. */
	async function authorizeInTime(interaction: FormPress, services: CommandServices): Promise<void> {
		const authorized = Promise.resolve(panel.authorizePress(interaction, services)).then(() => true);
		if (!(await waitAtMost(services.clock, AUTHORIZE_MS_MAX, authorized))) throw new DirectoryUnavailableError();
	}

	const showForm: OpenForm<Field> = async (interaction, field, services) => {
		const { guildId, locale } = interaction;
		const settings = await services.settings.read(guildId);
		const valueChecksum = checksumOf(panel.editorOf(field).readValue(settings));
		const deniedValues = services.deniedForms.get(deniedFormKey(interaction, { field, valueChecksum }));
		await interaction.showModal({
			custom_id: panel.customIdCodec.encode({ field, valueChecksum }),
			title: t(locale, panel.editorOf(field).name),
			components: [...formOf(field).fields(settings, locale, services, deniedValues)],
		});
	};

	/** Saves a change of the shown value. Edits the deferred update to the panel with it, or with the reason why it was denied. */
	async function save(
		interaction: PanelInteraction,
		shown: ShownValue<Field>,
		services: CommandServices,
		update: SettingsUpdate,
	): Promise<void> {
		const { guildId } = interaction;
		const { field, valueChecksum } = shown;
		const { readValue } = panel.editorOf(field);
		const updateIfShown: SettingsUpdate = (before) => {
			if (checksumOf(readValue(before)) !== valueChecksum)
				throw new UserError({ key: "settings.changedMeanwhile", remedy: "editTexts" });
			return update(before);
		};
		let denied: UserError | undefined;
		let notice: MessageDescriptor | undefined;
		try {
			({ notice } = await changeSettings(interaction, updateIfShown, services));
			services.deniedForms.delete(deniedFormKey(interaction, shown));
		} catch (error) {
			if (!(error instanceof UserError)) throw error;
			services.logger.info({ denial: error.messageDescriptor.key }, "command denied");
			denied = error;
		}
		// Another process may have changed them after the last cached read.
		const { settings } = await services.settings.readRevision(guildId);
		const denial = denied && { field, reason: denied.messageDescriptor };
		await interaction.editReply(await panel.show(interaction, { settings, field, denial, notice }, services));
		// The next form starts with the new value.
		if (denied?.remedy === "editTexts") await followUpWithTexts(interaction);
	}

	const components = [
		defineButton(panel.customIdCodec, async (interaction, pressed, services) => {
			await authorizeInTime(interaction, services);
			const { toggle } = panel.editorOf(pressed.field);
			const update = toggle?.(await services.settings.read(interaction.guildId), services);
			if (!update) return await showForm(interaction, pressed.field, services);
			await interaction.deferUpdate();
			await save(interaction, pressed, services, update);
		}),
		defineModal(panel.customIdCodec, async (interaction, submitted, services) => {
			await interaction.deferUpdate();
			// Before the check: a member whose permissions cannot be read now tries again with these values.
			services.deniedForms.set(deniedFormKey(interaction, submitted), submittedValues(interaction.fields));
			await panel.authorizePress(interaction, services);
			const { apply } = formOf(submitted.field);
			await save(interaction, submitted, services, (before) => apply(before, interaction, services));
		}),
	];
	return {
		components,
		async openForm(interaction, field, services) {
			await authorizeInTime(interaction, services);
			await showForm(interaction, field, services);
		},
	};
}

/** Returns the texts of a submitted form to its member. */
async function followUpWithTexts(interaction: PanelInteraction): Promise<void> {
	const returned = renderTypedTexts(interaction, "editTexts", interaction.locale);
	if (!returned) return;
	const card = cardReply([text(returned.text), ...returned.files.map(({ name }) => file(name ?? ""))]);
	await interaction.followUp({ ...card, files: returned.files, flags: [MessageFlags.Ephemeral, CARD_FLAG] });
}

/** Renders the confirmation of a change above the settings. */
export function noticeParts(
	notice: MessageDescriptor | undefined,
	locale: string,
	{ say }: Pick<CommandMentions, "say">,
): readonly CardPart[] {
	return notice ? [text(say(locale, notice))] : [];
}

/** Renders one setting: its text, its button, and the reason if the last change was denied. */
export function editorParts<Field extends string>(
	{ field, editor, settings, content, denial }: ShownEditor<Field>,
	customIdCodec: PanelCustomIdCodec<Field>,
	locale: string,
	{ link, say }: Pick<CommandMentions, "link" | "say">,
): readonly CardPart[] {
	const change = button(
		customIdCodec.encode({ field, valueChecksum: checksumOf(editor.readValue(settings)) }),
		t(locale, editor.buttonLabel?.(settings) ?? { key: "button.change" }),
	);
	const denied = denial?.field === field ? [text(`⚠️ ${say(locale, denial.reason)}`)] : [];
	return [section(link(content, locale), change), ...denied];
}
