/** The options of commands, with their names and descriptions in every language. */
import {
	ApplicationCommandOptionType,
	type APIApplicationCommandBasicOption,
	type APIApplicationCommandOptionChoice,
	type ChannelType,
} from "discord.js";
import type { CommandWord } from "../i18n/message-descriptor.ts";
import type { PlainKey } from "../i18n/message-params.ts";
import { localized } from "./localize.ts";

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

export const stringOption = optionOf<TextFields>(ApplicationCommandOptionType.String);
export const integerOption = optionOf<NumberFields>(ApplicationCommandOptionType.Integer);
export const booleanOption = optionOf<OptionFields>(ApplicationCommandOptionType.Boolean);
export const userOption = optionOf<OptionFields>(ApplicationCommandOptionType.User);
export const roleOption = optionOf<OptionFields>(ApplicationCommandOptionType.Role);
export const channelOption = optionOf<ChannelFields>(ApplicationCommandOptionType.Channel);
export const attachmentOption = optionOf<OptionFields>(ApplicationCommandOptionType.Attachment);

function optionOf<Fields extends OptionFields>(type: ApplicationCommandOptionType) {
	return (name: CommandWord, description: PlainKey, fields?: Fields): APIApplicationCommandBasicOption =>
		({ type, ...localized(name, description), ...fields }) as APIApplicationCommandBasicOption;
}
