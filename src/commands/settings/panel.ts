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
import type { Clock } from "@atelier/common/clock";
import { waitAtMost } from "@atelier/common/wait-at-most";
import { button, CARD_FLAG, cardReply, file, section, text, type CardPart } from "../../discord/card.ts";
import { idField, type CustomIdCodec } from "../../discord/custom-id.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import type { SettingsUpdate } from "../../services/settings/guild-settings.ts";
import type { GuildSettings } from "../../services/settings/settings-schema.ts";
import type { DeniedForms } from "./denied-forms.ts";
import { UserError } from "../../services/user-error.ts";
import { changeSettings, type ChangeSettingsDeps } from "./change-settings.ts";
import type { InGuild } from "../framework/command.ts";
import { defineComponent, type AuthorizePress, type Component } from "../framework/component.ts";
import { returnTexts } from "../framework/denied-prompt.ts";
import { submittedValues, type SubmittedValues } from "../framework/form-fields.ts";

/** A change that was denied. */
export interface DeniedChange<Field> {
	readonly field: Field;
	readonly reason: MessageDescriptor;
}

export interface PanelDeps extends ChangeSettingsDeps {
	readonly clock: Clock;
	readonly deniedForms: DeniedForms;
}

type PanelInteraction = ButtonInteraction<InGuild> | ModalSubmitInteraction<InGuild>;

/** A custom id names the setting, and the checksum of the value that the member sees, so that a stale panel changes nothing. */
type PanelCustomIdCodec<Field> = CustomIdCodec<{ readonly field: Field; readonly valueChecksum: number }>;

export const checksumField = idField.number;

/** Discord accepts a form for three seconds after the press, and a press that opens a form cannot be acknowledged before. */
const AUTHORIZE_MS_MAX = 1_500;

function checksumOf(value: unknown): number {
	return crc32(JSON.stringify(value ?? null));
}

/** One setting of a panel. Its button "Change" makes the change at once, or opens the form. */
export interface PanelSetting<Deps> {
	/** Returns the stored value. */
	readonly readValue: (settings: GuildSettings) => unknown;
	/** Returns the change to the other value; `undefined` if the stored value needs the form. */
	readonly toggle?: (settings: GuildSettings, deps: Deps) => SettingsUpdate | undefined;
	readonly form?: {
		/** Builds the fields, with the values that were denied last time, else with the stored ones. */
		readonly fields: (
			settings: GuildSettings,
			locale: string,
			deps: Deps,
			deniedValues?: SubmittedValues,
		) => readonly APILabelComponent[];
		/** Applies a submitted form. Throws a `UserError` for invalid values. */
		readonly apply: (
			before: GuildSettings,
			form: Pick<ModalSubmitInteraction<InGuild>, "fields" | "guildId">,
			deps: Deps,
		) => GuildSettings;
	};
}

interface Panel<Field extends string, Deps> {
	/** Encodes the custom ids of the buttons and of the forms that they open. */
	readonly customIdCodec: PanelCustomIdCodec<Field>;
	/** Throws a `UserError` for members who may not change the settings of the panel. */
	readonly authorizePress: AuthorizePress<Deps>;
	settingOf(field: Field): PanelSetting<Deps>;
	show(
		interaction: PanelInteraction,
		view: {
			readonly settings: GuildSettings;
			readonly field: Field;
			readonly denial: DeniedChange<Field> | undefined;
		},
		deps: Deps,
	): Promise<Parameters<PanelInteraction["editReply"]>[0]>;
}

type FormPress = ButtonInteraction<InGuild> | ChannelSelectMenuInteraction<InGuild>;
type OpenForm<Field, Deps> = (interaction: FormPress, field: Field, deps: Deps) => Promise<void>;

export function definePanel<Field extends string, Deps extends PanelDeps>(
	panel: Panel<Field, Deps>,
): {
	readonly components: readonly Component<Deps>[];
	/** Opens the form of a setting for a member who may change it. */
	readonly openForm: OpenForm<Field, Deps>;
} {
	function formOf(field: Field) {
		const { form } = panel.settingOf(field);
		if (!form) throw new Error(`${field} has no form`);
		return form;
	}

	/** A slower read of the permissions continues, for the next press. */
	async function authorizeInTime(interaction: FormPress, deps: Deps): Promise<void> {
		const authorized = Promise.resolve(panel.authorizePress(interaction, deps)).then(() => true);
		if (!(await waitAtMost(deps.clock, AUTHORIZE_MS_MAX, authorized))) throw new DirectoryUnavailableError();
	}

	const showForm: OpenForm<Field, Deps> = async (interaction, field, deps) => {
		const { guildId, locale, user } = interaction;
		const settings = await deps.settings.read(guildId);
		const valueChecksum = checksumOf(panel.settingOf(field).readValue(settings));
		const deniedValues = deps.deniedForms.get({ guildId, userId: user.id, field, valueChecksum });
		await interaction.showModal({
			custom_id: panel.customIdCodec.encode({ field, valueChecksum }),
			title: t(locale, { key: "form.settingTitle" }),
			components: [...formOf(field).fields(settings, locale, deps, deniedValues)],
		});
	};

	/** Saves a change of the shown value. Edits the deferred update to the panel with it, or with the reason why it was denied. */
	async function save(
		interaction: PanelInteraction,
		{ field, valueChecksum }: { readonly field: Field; readonly valueChecksum: number },
		deps: Deps,
		logger: Logger,
		update: SettingsUpdate,
	): Promise<void> {
		const { guildId, user } = interaction;
		const { readValue } = panel.settingOf(field);
		const updateIfShown: SettingsUpdate = (before) => {
			if (checksumOf(readValue(before)) !== valueChecksum)
				throw new UserError({ key: "settings.changedMeanwhile", remedy: "editTexts" });
			return update(before);
		};
		let denied: UserError | undefined;
		try {
			await changeSettings(interaction, updateIfShown, deps, logger);
			deps.deniedForms.delete({ guildId, userId: user.id, field, valueChecksum });
		} catch (error) {
			if (!(error instanceof UserError)) throw error;
			logger.info({ denial: error.messageDescriptor.key }, "command denied");
			denied = error;
		}
		// Another process may have changed them after the last cached read.
		const { settings } = await deps.settings.readRevision(guildId);
		const denial = denied && { field, reason: denied.messageDescriptor };
		await interaction.editReply(await panel.show(interaction, { settings, field, denial }, deps));
		// The next form starts with the new value.
		if (denied?.remedy === "editTexts") await followUpWithTexts(interaction);
	}

	const components = [
		defineComponent("button", panel.customIdCodec, async (interaction, pressed, deps: Deps, logger) => {
			await authorizeInTime(interaction, deps);
			const { toggle } = panel.settingOf(pressed.field);
			const update = toggle?.(await deps.settings.read(interaction.guildId), deps);
			if (!update) return await showForm(interaction, pressed.field, deps);
			await interaction.deferUpdate();
			await save(interaction, pressed, deps, logger, update);
		}),
		defineComponent("modal", panel.customIdCodec, async (interaction, submitted, deps: Deps, logger) => {
			await interaction.deferUpdate();
			const { fields, guildId, user } = interaction;
			// Before the check: a member whose permissions cannot be read now tries again with these values.
			deps.deniedForms.set({ guildId, userId: user.id, ...submitted }, submittedValues(fields));
			await panel.authorizePress(interaction, deps);
			const { apply } = formOf(submitted.field);
			await save(interaction, submitted, deps, logger, (before) => apply(before, interaction, deps));
		}),
	];
	return {
		components,
		async openForm(interaction, field, deps) {
			await authorizeInTime(interaction, deps);
			await showForm(interaction, field, deps);
		},
	};
}

/** Returns the texts of a submitted form to its member. */
async function followUpWithTexts(interaction: PanelInteraction): Promise<void> {
	const returned = returnTexts(interaction, "editTexts", interaction.locale);
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
	const change = button(
		customIdCodec.encode({ field, valueChecksum: checksumOf(value) }),
		t(locale, { key: "button.change" }),
	);
	return [section(content, change), ...(denial?.field === field ? [text(`⚠️ ${t(locale, denial.reason)}`)] : [])];
}
