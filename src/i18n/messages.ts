import type { MessageDescriptor } from "./message-descriptor.ts";
import { languageOf } from "./languages.ts";

/** Formats a message for a Discord locale such as `en-GB`. Uses English for locales without a translation. */
export function t(locale: string, descriptor: MessageDescriptor): string {
	return languageOf(locale).format(descriptor);
}
