/** The languages, and the Discord locales that each of them serves. */
import { DASHBOARD_MESSAGES } from "./dashboard-messages.ts";
import { createFormatter, type Formatter, type Patterns } from "./formatter.ts";
import type { MessageKey } from "./message-descriptor.ts";
import de from "./locales/de.json" with { type: "json" };
import en from "./locales/en.json" with { type: "json" };
import es from "./locales/es-ES.json" with { type: "json" };
import fr from "./locales/fr.json" with { type: "json" };
import ja from "./locales/ja.json" with { type: "json" };
import ko from "./locales/ko.json" with { type: "json" };
import ptBr from "./locales/pt-BR.json" with { type: "json" };
import zhCn from "./locales/zh-CN.json" with { type: "json" };

interface Language extends Formatter {
	readonly patterns: Patterns;
	/** The BCP 47 tag for dates and numbers outside of messages. */
	readonly tag: string;
	/** The name in the language itself; `undefined` if servers are offered the language under another locale only. */
	readonly ownName: string | undefined;
	/** True if drawn charts can use the language: the bundled fonts have Latin letters only. */
	readonly isLatin: boolean;
}

const ENGLISH = language("en", withoutDescriptions(en), { ownName: "English" });

/** Languages by Discord locale. Locales without a translation get English command names. */
const TRANSLATIONS = {
	de: language("de", de, { ownName: "Deutsch" }),
	fr: language("fr", fr, { ownName: "Français" }),
	"es-ES": language("es", es, { ownName: "Español" }),
	"es-419": language("es-419", es),
	"pt-BR": language("pt-BR", ptBr, { ownName: "Português do Brasil" }),
	ja: language("ja", ja, { ownName: "日本語", isLatin: false }),
	ko: language("ko", ko, { ownName: "한국어", isLatin: false }),
	"zh-CN": language("zh-CN", zhCn, { ownName: "简体中文", isLatin: false }),
	// Readers of traditional Chinese read simplified Chinese more easily than English.
	"zh-TW": language("zh-CN", zhCn, { isLatin: false }),
} as const satisfies Readonly<Record<string, Language>>;
type TranslatedLocale = keyof typeof TRANSLATIONS;

export const TRANSLATED_LOCALES = Object.keys(TRANSLATIONS) as readonly TranslatedLocale[];

/** The languages that a server can choose for public messages: Discord's locale, and the language's own name. */
export const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(
	Object.entries({ "en-US": ENGLISH, ...TRANSLATIONS }).flatMap(([locale, { ownName }]) =>
		ownName === undefined ? [] : [[locale, ownName]],
	),
);

/** Returns the language for a Discord locale: English for `en-GB` and for locales without a translation. */
export function languageOf(locale: string): Language {
	return isTranslated(locale) ? TRANSLATIONS[locale] : ENGLISH;
}

/** Returns the ICU patterns of the messages on the dashboard, which formats them itself. */
export function dashboardPatterns(locale: string): Readonly<Record<string, string>> {
	return Object.fromEntries(Object.entries(languageOf(locale).patterns).filter(([key]) => isOnDashboard(key)));
}

function isOnDashboard(key: string): boolean {
	return DASHBOARD_MESSAGES.some((name) => (name.endsWith(".") ? key.startsWith(name) : key === name));
}

function isTranslated(locale: string): locale is TranslatedLocale {
	return Object.hasOwn(TRANSLATIONS, locale);
}

function language(
	tag: string,
	patterns: Patterns,
	{ ownName, isLatin = true }: { readonly ownName?: string; readonly isLatin?: boolean } = {},
): Language {
	return { tag, ownName, isLatin, patterns, ...createFormatter(tag, patterns) };
}

/** The English file has a description for translators with each message. */
function withoutDescriptions(messages: typeof en): Patterns {
	const entries = Object.entries(messages).map(([key, { defaultMessage }]) => [key, defaultMessage]);
	return Object.fromEntries(entries) as Record<MessageKey, string>;
}
