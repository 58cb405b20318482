/** Options of commands that change one setting each, by the kinds of the settings. */
import type { APIApplicationCommandBasicOption } from "discord.js";
import { POST_CHANNEL_TYPES } from "../../discord/channel-types.ts";
import type { CommandWord } from "../../i18n/message-descriptor.ts";
import type { PlainKey } from "../../i18n/message-params.ts";
import { settingRow, type InputPath, type SettingValues } from "../../services/settings/setting-table.ts";
import { booleanOption, channelOption, integerOption, stringOption } from "../framework/command-options.ts";
import type { SlashInteraction } from "../framework/command.ts";
import { localizedChoice } from "../framework/localize.ts";

type SettingOption = readonly [name: CommandWord, description: PlainKey, path: InputPath];

export function settingOptions(rows: readonly SettingOption[]) {
	return {
		options: rows.map((row) => optionOf(row)),
		/** Returns the values that the member has chosen. */
		read({ options }: SlashInteraction): SettingValues {
			const values = rows.map(([name, , path]) => [path, options.get(name)?.value] as const);
			return Object.fromEntries(values.filter(([, value]) => value !== undefined));
		},
	};
}

function optionOf([name, description, path]: SettingOption): APIApplicationCommandBasicOption {
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
