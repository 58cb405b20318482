import type { en } from "./locales/en/index.ts";
import { languageOf } from "./locales.ts";

type Catalogue = typeof en;
export type MessageKey = keyof Catalogue;
type ParamsOf<K extends MessageKey> = Catalogue[K] extends (params: infer P) => string ? P : undefined;

/** Those that need nothing to be said. */
export type PlainKey = { [K in MessageKey]: ParamsOf<K> extends undefined ? K : never }[MessageKey];

/** A sentence that is not worded yet: what a refusal carries and a task stores, whatever language it is read in. */
export type MessageRef<K extends MessageKey = MessageKey> = {
	[Key in K]: ParamsOf<Key> extends undefined
		? { readonly key: Key }
		: { readonly key: Key; readonly params: ParamsOf<Key> };
}[K];

/** Words a saying for a reader whose Discord locale is given, such as `en-GB`; English where there is no translation. */
export function say(locale: string, saying: MessageRef): string {
	const message: string | ((params: never) => string) = languageOf(locale).messages[saying.key];
	if (typeof message === "string") return message;
	return message(("params" in saying ? saying.params : undefined) as never);
}
