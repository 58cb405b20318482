/** The options of commands, with their names and descriptions in every language. */
import {
	ApplicationCommandOptionType,
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandOptionChoice,
	type ChannelType,
} from "discord.js";
import type { CommandWord, PlainKey } from "../../i18n/message-descriptor.ts";
import { localized } from "./localize.ts";

/** Discord's maximum for a string option. */
export const STRING_CHARS_MAX = 6000;

interface OptionFields {
	readonly required?: boolean;
}
interface TextFields extends OptionFields {
	readonly min_length?: number;
	readonly max_length?: number;
	readonly autocomplete?: boolean;
	readonly choices?: readonly APIApplicationCommandOptionChoice<string>[];
}
interface NumberFields extends OptionFields {
	readonly min_value?: number;
	readonly max_value?: number;
	readonly choices?: readonly APIApplicationCommandOptionChoice<number>[];
}
interface ChannelFields extends OptionFields {
	readonly channel_types: readonly ChannelType[];
}

type DefineOption<Fields> = (
	name: CommandWord,
	description: PlainKey,
	fields?: Fields,
) => APIApplicationCommandBasicOption;

export const stringOption: DefineOption<TextFields> = optionOf(ApplicationCommandOptionType.String);
export const integerOption: DefineOption<NumberFields> = optionOf(ApplicationCommandOptionType.Integer);
export const booleanOption: DefineOption<OptionFields> = optionOf(ApplicationCommandOptionType.Boolean);
export const userOption: DefineOption<OptionFields> = optionOf(ApplicationCommandOptionType.User);
export const roleOption: DefineOption<OptionFields> = optionOf(ApplicationCommandOptionType.Role);
export const channelOption: DefineOption<ChannelFields> = optionOf(ApplicationCommandOptionType.Channel);
export const attachmentOption: DefineOption<OptionFields> = optionOf(ApplicationCommandOptionType.Attachment);

/** The number of images of one command: Discord shows up to four side by side. */
export const IMAGE_COUNT_OPTION = integerOption("count", "option.count", { min_value: 1, max_value: 4 });

function optionOf(type: ApplicationCommandOptionType): DefineOption<OptionFields> {
	return (name, description, fields) =>
		({ type, ...localized(name, description), ...fields }) as APIApplicationCommandBasicOption;
}
