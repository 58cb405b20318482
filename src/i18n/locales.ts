/** The languages, and the Discord locales that each of them serves. */
import type { CommandNames } from "./command-names.ts";
import { de } from "./locales/de/index.ts";
import { names as germanNames } from "./locales/de/names.ts";
import { en } from "./locales/en/index.ts";
import { names as englishNames } from "./locales/en/names.ts";
import { es } from "./locales/es/index.ts";
import { names as spanishNames } from "./locales/es/names.ts";
import { fr } from "./locales/fr/index.ts";
import { names as frenchNames } from "./locales/fr/names.ts";
import { ja } from "./locales/ja/index.ts";
import { names as japaneseNames } from "./locales/ja/names.ts";
import { ko } from "./locales/ko/index.ts";
import { names as koreanNames } from "./locales/ko/names.ts";
import { ptBr } from "./locales/pt-br/index.ts";
import { names as portugueseNames } from "./locales/pt-br/names.ts";
import type { Translation } from "./translation.ts";
import { zhCn } from "./locales/zh-cn/index.ts";
import { names as chineseNames } from "./locales/zh-cn/names.ts";

interface Language {
	/** The BCP 47 tag for dates and numbers outside of sentences. */
	readonly tag: string;
	/** Whether drawn charts can use the language: the bundled fonts have Latin letters only. */
	readonly isLatin: boolean;
	readonly names: CommandNames;
	readonly messages: Translation<typeof en>;
}

const ENGLISH: Language = { tag: "en", isLatin: true, names: englishNames, messages: en };
const SPANISH: Language = { tag: "es", isLatin: true, names: spanishNames, messages: es };

const CHINESE: Language = { tag: "zh-CN", isLatin: false, names: chineseNames, messages: zhCn };

/** Languages by Discord locale. Locales without a translation get English command names. */
const TRANSLATIONS = {
	de: { tag: "de", isLatin: true, names: germanNames, messages: de },
	"es-ES": SPANISH,
	"es-419": SPANISH,
	fr: { tag: "fr", isLatin: true, names: frenchNames, messages: fr },
	"pt-BR": { tag: "pt-BR", isLatin: true, names: portugueseNames, messages: ptBr },
	ja: { tag: "ja", isLatin: false, names: japaneseNames, messages: ja },
	ko: { tag: "ko", isLatin: false, names: koreanNames, messages: ko },
	"zh-CN": CHINESE,
	// Readers of traditional Chinese read simplified Chinese more easily than English.
	"zh-TW": CHINESE,
} as const satisfies Readonly<Record<string, Language>>;
type TranslatedLocale = keyof typeof TRANSLATIONS;

export const TRANSLATED_LOCALES = Object.keys(TRANSLATIONS) as readonly TranslatedLocale[];

/** Returns the language for a Discord locale: English for `en-GB` and for locales without a translation. */
export function languageOf(locale: string): Language {
	return isTranslated(locale) ? TRANSLATIONS[locale] : ENGLISH;
}

function isTranslated(locale: string): locale is TranslatedLocale {
	return Object.hasOwn(TRANSLATIONS, locale);
}
