/** A message before it is formatted: its key and parameters, so that each reader gets their own language. */
import type english from "./locales/en.json";
import type { Money } from "./money.ts";
import type { MessageParams } from "./message-params.ts";

/** The bot never formats messages that only the dashboard shows. */
export type MessageKey = Exclude<keyof typeof english, `dashboard.${string}`>;
type ParamKey = Extract<MessageKey, keyof MessageParams<unknown>>;
/** A message without parameters. */
export type PlainKey = Exclude<MessageKey, ParamKey>;

/** A value of a parameter. A descriptor is formatted in the language of the message that contains it, and an array becomes a list. */
export type MessageValue = Text | boolean | null;
export type Text = string | number | Money | MessageDescriptor | readonly Text[];

export type ParamsOf<K extends ParamKey> = MessageParams<Text>[K];

/** The key of a message with its parameters. Denials and tasks carry it. */
export type MessageDescriptor<K extends MessageKey = MessageKey> = {
	[Key in K]: Key extends ParamKey
		? { readonly key: Key; readonly params: MessageParams<Text>[Key] }
		: { readonly key: Key };
}[K];

/** A name of a command, subcommand or option in the code. It has the same translation everywhere. */
export type CommandWord = PlainKey extends infer K ? (K extends `name.${infer Word}` ? Word : never) : never;
