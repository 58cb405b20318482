/** Editors of settings with a form, which describes each of its fields once. No I/O. */
import type { ModalSubmitInteraction } from "discord.js";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import {
	setValues,
	settingRow,
	valueAt,
	type FixedSettings,
	type InputPath,
	type ValueAt,
} from "../../services/settings/setting-table.ts";
import type { InGuild } from "../framework/command.ts";
import { labelFor } from "../framework/form-fields.ts";
import type { SettingEditor } from "./setting-editor.ts";
import { choiceField, numberField, optionalChoiceField, postChannelField, type FormField } from "./value-fields.ts";
import type { CommandServices } from "../command-services.ts";

/** The fields of a form by their custom ids. */
type FormFields = Readonly<Record<string, FormField<unknown, unknown>>>;
type StoredIn<Fields extends FormFields> = {
	readonly [Id in keyof Fields]: Fields[Id] extends FormField<infer Stored, unknown> ? Stored : never;
};
type SubmittedIn<Fields extends FormFields> = {
	readonly [Id in keyof Fields]: Fields[Id] extends FormField<unknown, infer Submitted> ? Submitted : never;
};

interface FormEditor<Fields extends FormFields> extends Pick<SettingEditor, "name"> {
	/** Throws a `UserError` if the form cannot be shown. */
	readonly fields: (services: CommandServices, settings: GuildSettings) => Fields;
	readonly formValuesOf: (settings: GuildSettings) => StoredIn<Fields>;
	readonly apply: (
		before: GuildSettings,
		submitted: SubmittedIn<Fields>,
		context: { readonly services: CommandServices; readonly guildId: string },
	) => GuildSettings;
}

/** Creates the editor of a setting that a form changes. */
export function formEditor<Fields extends FormFields>({
	name,
	fields: fieldsFor,
	formValuesOf,
	apply,
}: FormEditor<Fields>): SettingEditor & Required<Pick<SettingEditor, "form">> {
	return {
		name,
		readValue: formValuesOf,
		form: {
			fields(settings, locale, services, deniedValues = {}) {
				const stored: Readonly<Record<string, unknown>> = formValuesOf(settings);
				return Object.entries(fieldsFor(services, settings)).map(([customId, field]) => {
					const values = deniedValues[customId] ?? field.format(stored[customId]);
					return labelFor(locale, field.name, field.component(customId, values, locale), field.hint);
				});
			},
			apply(before, form: Pick<ModalSubmitInteraction<InGuild>, "fields" | "guildId">, services) {
				const submitted = Object.fromEntries(
					Object.entries(fieldsFor(services, before)).map(([customId, { read }]) => [
						customId,
						read(form.fields, customId),
					]),
					// The compiler does not know that each key keeps the value of its field.
				) as SubmittedIn<Fields>;
				return apply(before, submitted, { services, guildId: form.guildId });
			},
		},
	};
}

/** Returns the editor of a setting by the kind of its value: a switch changes at once, all others with a form. */
export function editorOfPath(path: InputPath): SettingEditor {
	const { input, name } = settingRow(path);
	if (input === "switch") {
		return {
			name,
			buttonLabel: (settings) => ({ key: valueAt(settings, path) === true ? "button.turnOff" : "button.turnOn" }),
			readValue: (settings) => valueAt(settings, path),
			toggle: () => (before) => setValues(before, { [path]: valueAt(before, path) !== true }),
		};
	}
	return formEditor({
		name,
		fields: () => ({ value: formFieldOfPath(path) }),
		formValuesOf: (settings) => ({ value: valueAt(settings, path) }),
		apply: (before, { value }) => setValues(before, { [path]: value }),
	});
}

/** The field of a setting, by the kind of its value. */
export function formFieldOfPath<Path extends InputPath>(
	path: Path,
): FormField<ValueAt<FixedSettings, Path> | undefined, ValueAt<FixedSettings, Path>> {
	// The kind of the row decides the type of the value.
	return fieldOf(path) as ReturnType<typeof formFieldOfPath<Path>>;
}

function fieldOf(path: InputPath) {
	const row = settingRow(path);
	const { name } = row;
	switch (row.input) {
		case "number":
			return numberField(name, row.max, row.formHint);
		case "postChannel":
			return postChannelField(name, row.formHint);
		case "choice": {
			const choices = Object.entries(row.choices).map(([value, label]) => ({ value, label }));
			return row.ifNull ? optionalChoiceField(name, row.ifNull, choices) : choiceField(name, choices);
		}
		case "switch":
		case undefined:
			throw new TypeError(`${path} has no field`);
	}
}
