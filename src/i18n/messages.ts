import type { en } from "./locales/en/index.ts";
import { languageOf } from "./locales.ts";

type Catalog = typeof en;
export type MessageKey = keyof Catalog;
type ParamsOf<K extends MessageKey> = Catalog[K] extends (params: infer P) => string ? P : undefined;

/** Keys of messages without parameters. */
export type PlainKey = { [K in MessageKey]: ParamsOf<K> extends undefined ? K : never }[MessageKey];

/** A message key with its parameters. Denials and tasks carry it, so that each reader gets their own language. */
export type MessageRef<K extends MessageKey = MessageKey> = {
	[Key in K]: ParamsOf<Key> extends undefined
		? { readonly key: Key }
		: { readonly key: Key; readonly params: ParamsOf<Key> };
}[K];

/** Formats a message for a Discord locale such as `en-GB`. Uses English for locales without a translation. */
export function t(locale: string, ref: MessageRef): string {
	const message: string | ((params: never) => string) = languageOf(locale).messages[ref.key];
	if (typeof message === "string") return message;
	return message(("params" in ref ? ref.params : undefined) as never);
}
