import { TRANSLATED_LOCALES } from "../../i18n/languages.ts";

/** Returns Discord's code of the first language that a browser accepts and the bot has. */
export function localeFrom(acceptLanguage: string | undefined): string {
	const accepted = (acceptLanguage ?? "").split(",").map((part) => (part.split(";")[0] ?? "").trim());
	for (const tag of accepted) {
		const [language = ""] = tag.split("-");
		if (language === "en") return "en-US";
		const found =
			TRANSLATED_LOCALES.find((each) => each === tag) ??
			TRANSLATED_LOCALES.find((each) => each === language || each.startsWith(`${language}-`));
		if (found !== undefined && language !== "") return found;
	}
	return "en-US";
}
