import type { MessageRef } from "./message-ref.ts";
import { languageOf } from "./languages.ts";

/** Formats a message for a Discord locale such as `en-GB`. Uses English for locales without a translation. */
export function t(locale: string, ref: MessageRef): string {
	return languageOf(locale).format(ref);
}
