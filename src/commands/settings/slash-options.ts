/** Options of commands that change one setting each, by the kinds of the settings. */
import type { APIApplicationCommandBasicOption } from "discord.js";
import { POST_CHANNEL_TYPES } from "../../discord/channel-types.ts";
import type { CommandWord, PlainKey } from "../../i18n/message-descriptor.ts";
import {
	SETTING_PATHS,
	settingRow,
	type SettingPath,
	type SettingRow,
	type SettingValues,
} from "../../services/settings/setting-table.ts";
import { booleanOption, channelOption, integerOption, stringOption } from "../framework/command-options.ts";
import type { SlashInteraction } from "../framework/command.ts";
import { localizedChoice } from "../framework/localize.ts";

/** Returns the options of a subcommand, in the order of the table. */
export function slashOptionsOf(subcommand: NonNullable<SettingRow["option"]>["of"]) {
	const rows = SETTING_PATHS.flatMap((path) => {
		const { option } = settingRow(path);
		return option?.of === subcommand ? [{ ...option, path }] : [];
	});
	return {
		options: rows.map(({ name, description, path }) => slashOptionOf(name, description, path)),
		/** Returns the values that the member has chosen. */
		read({ options }: SlashInteraction): SettingValues {
			const values = rows.map(({ name, path }) => [path, options.get(name)?.value] as const);
			return Object.fromEntries(values.filter(([, value]) => value !== undefined));
		},
	};
}

/** Returns an option by the kind of a setting. */
export function slashOptionOf(
	name: CommandWord,
	description: PlainKey,
	path: SettingPath,
): APIApplicationCommandBasicOption {
	const row = settingRow(path);
	switch (row.input) {
		case "switch":
			return booleanOption(name, description);
		case "number":
			return integerOption(name, description, { min_value: row.min, max_value: row.max });
		case "postChannel":
			return channelOption(name, description, { channel_types: POST_CHANNEL_TYPES });
		case "choice": {
			const choices = Object.entries(row.choices).map(([value, label]) =>
				typeof label === "string" ? { name: label, value } : localizedChoice(label.key as PlainKey, value),
			);
			return stringOption(name, description, { choices });
		}
		case undefined:
			throw new TypeError(`${path} has no option`);
	}
}
