/** A message before it is formatted: its key and parameters, so that each reader gets their own language. */
import type { Money } from "./money.ts";
import type { MessageParams, PlainKey } from "./message-params.ts";

export type MessageKey = PlainKey | ParamKey;
type ParamKey = keyof MessageParams<unknown>;

/** A value of a parameter. Messages are formatted in the same language, and arrays are joined to a list. */
export type MessageValue = Text | boolean | null;
export type Text = string | number | Money | MessageRef | readonly Text[];

export type ParamsOf<K extends ParamKey> = MessageParams<Text>[K];

/** A message key with its parameters. Denials and tasks carry it. */
export type MessageRef<K extends MessageKey = MessageKey> = {
	[Key in K]: Key extends ParamKey
		? { readonly key: Key; readonly params: MessageParams<Text>[Key] }
		: { readonly key: Key };
}[K];

/** A name of a command, subcommand or option in the code. It has the same translation everywhere. */
export type CommandWord = PlainKey extends infer K ? (K extends `name.${infer Word}` ? Word : never) : never;
