/** The languages there are, and which of them a Discord locale reads. */
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
	/** As the runtime knows it: for dates and numbers outside of sentences. */
	readonly tag: string;
	/** Whether pictures that the bot draws can be in it: its own fonts have Latin letters. */
	readonly isLatin: boolean;
	readonly names: CommandNames;
	readonly messages: Translation<typeof en>;
}

const ENGLISH: Language = { tag: "en", isLatin: true, names: englishNames, messages: en };
const SPANISH: Language = { tag: "es", isLatin: true, names: spanishNames, messages: es };

const CHINESE: Language = { tag: "zh-CN", isLatin: false, names: chineseNames, messages: zhCn };

/** By Discord's locales. English is what is registered where a locale has none. */
const TRANSLATIONS = {
	de: { tag: "de", isLatin: true, names: germanNames, messages: de },
	"es-ES": SPANISH,
	"es-419": SPANISH,
	fr: { tag: "fr", isLatin: true, names: frenchNames, messages: fr },
	"pt-BR": { tag: "pt-BR", isLatin: true, names: portugueseNames, messages: ptBr },
	ja: { tag: "ja", isLatin: false, names: japaneseNames, messages: ja },
	ko: { tag: "ko", isLatin: false, names: koreanNames, messages: ko },
	"zh-CN": CHINESE,
	// Who writes the traditional letters reads the simplified ones, and few read English about their credits as easily.
	"zh-TW": CHINESE,
} as const satisfies Readonly<Record<string, Language>>;
type TranslatedLocale = keyof typeof TRANSLATIONS;

export const TRANSLATED_LOCALES = Object.keys(TRANSLATIONS) as readonly TranslatedLocale[];

/** What this Discord locale reads: English for `en-GB`, and where there is no translation. */
export function languageOf(locale: string): Language {
	return isTranslated(locale) ? TRANSLATIONS[locale] : ENGLISH;
}

function isTranslated(locale: string): locale is TranslatedLocale {
	return Object.hasOwn(TRANSLATIONS, locale);
}
