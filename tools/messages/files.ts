/** The files of the messages. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const LOCALES_DIR = join(import.meta.dirname, "../../src/i18n/locales");
const ENGLISH = "en";

/** The format of FormatJS, which Weblate and Crowdin read. */
export type DescribedMessages = Readonly<
	Record<string, { readonly defaultMessage: string; readonly description: string }>
>;
export type Messages = Readonly<Record<string, string>>;

export function readEnglish(): DescribedMessages {
	return readJson(ENGLISH) as DescribedMessages;
}

export function readTranslation(locale: string): Messages {
	return readJson(locale) as Messages;
}

/** All locales but English. */
export function translatedLocales(): readonly string[] {
	const names = readdirSync(LOCALES_DIR).map((file) => file.replace(/\.json$/, ""));
	return names.filter((name) => name !== ENGLISH);
}

export function fileOf(locale: string): string {
	return join(LOCALES_DIR, `${locale}.json`);
}

export function toJson(messages: Messages | DescribedMessages): string {
	return `${JSON.stringify(messages, null, "\t")}\n`;
}

function readJson(locale: string): unknown {
	return JSON.parse(readFileSync(fileOf(locale), "utf8"));
}
