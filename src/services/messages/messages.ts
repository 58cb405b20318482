import { en } from "./en.ts";

type Catalogue = typeof en;
export type MessageKey = keyof Catalogue;
type ParamsOf<K extends MessageKey> = Catalogue[K] extends (params: infer P) => string ? P : undefined;

/** A sentence that is not worded yet: what a refusal carries and a task stores, whatever language it is read in. */
export type Saying<K extends MessageKey = MessageKey> = {
	[Key in K]: ParamsOf<Key> extends undefined
		? { readonly key: Key }
		: { readonly key: Key; readonly params: ParamsOf<Key> };
}[K];

/** What every language must have: a missing or extra key, or other parameters, fail the type check. */
type Messages = {
	readonly [K in MessageKey]: ParamsOf<K> extends undefined ? string : (params: ParamsOf<K>) => string;
};

const LANGUAGES: Readonly<Record<string, Messages>> = { en };

/** Words a saying for a reader whose Discord locale is given, such as `en-GB`; English where there is no translation. */
export function say(locale: string, saying: Saying): string {
	const language = LANGUAGES[locale] ?? LANGUAGES[locale.split("-")[0] ?? ""] ?? en;
	const message: string | ((params: never) => string) = language[saying.key];
	if (typeof message === "string") return message;
	return message(("params" in saying ? saying.params : undefined) as never);
}
