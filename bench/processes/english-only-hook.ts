/**
 * Loaded into a bot by --import. With BENCH_LANGUAGES=english it removes the translations from src/i18n/languages.ts, so that
 * their files are never read and commands have no localized names.
 */
import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { env } from "node:process";

const LANGUAGES_FILE = "/src/i18n/languages.ts";
const TRANSLATION_IMPORTS = /^import (?!en )\w+ from ".\/locales\/.*\n/gm;
const TRANSLATIONS = /(?<=^const TRANSLATIONS = )\{[^}]*(?:\{[^}]*\}[^}]*)*\}(?= as const)/m;

function withoutTranslations(source: string): string {
	assert(TRANSLATION_IMPORTS.test(source) && TRANSLATIONS.test(source), "languages.ts is not as this bench knows it");
	return source.replaceAll(TRANSLATION_IMPORTS, "").replace(TRANSLATIONS, "{}");
}

registerHooks({
	load(url, context, nextLoad) {
		const loaded = nextLoad(url, context);
		if (env["BENCH_LANGUAGES"] !== "english" || !url.endsWith(LANGUAGES_FILE)) return loaded;
		assert(ArrayBuffer.isView(loaded.source), "languages.ts was not loaded as bytes");
		return { ...loaded, source: withoutTranslations(new TextDecoder().decode(loaded.source)) };
	},
});
