import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/services/settings/settings-changes.ts";
import { en } from "../../src/i18n/locales/en/index.ts";
import { languageOf, TRANSLATED_LOCALES } from "../../src/i18n/locales.ts";
import { t, type MessageKey } from "../../src/i18n/messages.ts";
import { EXTREMES, type ParamName } from "./boundary-params.ts";

const LOCALES = ["en-US", ...TRANSLATED_LOCALES];
const KEYS = Object.keys(en) as MessageKey[];
const COMBINATIONS_MAX = 300;
/** Discord's limits, by the purpose of a message; all others are, or are part of, a message. */
const LIMITS: readonly (readonly [RegExp, number])[] = [
	[/MenuName$/, 32],
	[/^chartDescription$/, 1024],
	[/Title$|Label$|^edit(?!.*Hint)|^setupBudgetButton$/, 45],
	[/^button|^setup(Back|Next|Again)$/, 80],
	[/Description$|^option[A-Z](?!neOf|ange|oo|ot)|^choice|Hint$/, 100],
	[/Placeholder$/, 150],
	[/./, 2000],
];
/** Values of parameters with another meaning in one message. */
const PARTICULAR: Partial<Record<MessageKey, Partial<Record<ParamName, readonly unknown[]>>>> = {
	progress: { state: ["sending", "queued", "making", "canceling"] },
	changeField: { before: [null, EXTREMES.name[0]] },
	resultPreview: { link: [undefined, { url: EXTREMES.url[0], untilS: EXTREMES.untilS[1] }] },
	reportHead: { link: [null, EXTREMES.link[0]] },
	notAWholeNumber: { field: ["Proporções"] },
	jobChoice: { prompt: ["x".repeat(50)] },
	choicePriced: { name: ["x".repeat(60)] },
	// These contain messages that are measured on their own.
	resultFailed: { reason: ["x".repeat(1000)] },
	helpNotHere: { reason: ["x".repeat(400)] },
};

function limitOf(key: MessageKey): number {
	return LIMITS.find(([names]) => names.test(key))?.[1] ?? 0;
}

function valuesOf(key: MessageKey, name: ParamName): readonly unknown[] {
	return PARTICULAR[key]?.[name] ?? EXTREMES[name];
}

/** A message with every combination of its extreme values, or with many of them. */
function* rendered(locale: string, key: MessageKey): Generator<string> {
	const { messages } = languageOf(locale);
	const message: string | ((params: never) => string) = messages[key];
	if (typeof message === "string") {
		yield message;
		return;
	}
	const names: ParamName[] = [];
	for (let combination = 0; combination < COMBINATIONS_MAX; combination++) {
		let rest = combination;
		const at = (name: ParamName): unknown => {
			if (!names.includes(name)) names.push(name);
			rest = combination;
			for (const each of names) {
				const values = valuesOf(key, each);
				if (each === name) return values[rest % values.length];
				rest = Math.floor(rest / values.length);
			}
			return undefined;
		};
		yield message(new Proxy({}, { get: (_params, name) => at(name as ParamName) }) as never);
		const all = names.reduce((product, name) => product * valuesOf(key, name).length, 1);
		if (combination + 1 >= all) return;
	}
}

/** Returns the mistakes in a text for all values of its parameters. */
function faultsOf(locale: string, key: MessageKey): readonly string[] {
	const texts = [...rendered(locale, key)];
	const longest = Math.max(...texts.map(({ length }) => length));
	return [
		...(longest > limitOf(key) ? [`${key} has ${longest} characters, ${limitOf(key)} is the limit`] : []),
		...(texts.some((text) => /undefined|NaN|\[object/.test(text)) ? [`${key} shows what is none of its words`] : []),
		...(texts.some((text) => text.trim() === "") ? [`${key} can be empty`] : []),
	];
}

test.each(LOCALES)("every message in %s stays within Discord's limits with the longest parameters", (locale) => {
	expect(KEYS.flatMap((key) => faultsOf(locale, key))).toStrictEqual([]);
});

const nothing = (locale: string): string => t(locale, { key: "historyEmpty" });
/** Some languages have narrow spaces in numbers. */
const price = (locale: string, costCredits: number): string =>
	t(locale, { key: "choicePriced", params: { name: "x", costCredits } }).replaceAll(/\s/g, " ");

describe("a language", () => {
	test("is selected by Discord's locale, and English is the default", () => {
		expect(nothing("de")).toBe("Es gibt nichts zu zeigen.");
		expect(nothing("es-419")).toBe(nothing("es-ES"));
		expect(nothing("zh-TW")).toBe(nothing("zh-CN"));
		expect(nothing("en-GB")).toBe("There is nothing to show.");
		expect(nothing("constructor")).toBe(nothing("en-US"));
	});

	test("that admins can select is supported", () => {
		const known = new Set<string>(LOCALES);
		expect(Object.keys(LANGUAGES).filter((code) => !known.has(code))).toStrictEqual([]);
	});

	test("has its own plural forms: one, several, and from a million on", () => {
		expect([0, 1, 5].map((count) => price("en-US", count))).toStrictEqual([
			"x — 0 credits",
			"x — 1 credit",
			"x — 5 credits",
		]);
		expect([0, 1, 5, 1_000_000].map((count) => price("fr", count))).toStrictEqual([
			"x — 0 crédit",
			"x — 1 crédit",
			"x — 5 crédits",
			"x — 1 000 000 de crédits",
		]);
		expect(price("pt-BR", 2_000_000)).toBe("x — 2.000.000 de créditos");
		expect(price("ja", 1)).toBe("x — 1クレジット");
	});

	test("mentions commands by their localized names", () => {
		expect(t("de", { key: "jobNotDone" })).toContain("`/auftrag zeigen`");
		expect(t("ja", { key: "jobNotDone" })).toContain("`/タスク 表示`");
		expect(t("en-US", { key: "jobNotDone" })).toContain("`/job show`");
	});

	test("translates every message, except those without words", () => {
		const alike = TRANSLATED_LOCALES.map((locale) => {
			const same = KEYS.filter((key) => {
				const [english] = rendered("en-US", key);
				const [translated] = rendered(locale, key);
				return english === translated && /[a-z]{5,}/.test(english ?? "");
			});
			return [locale, same.length] as const;
		});
		for (const [locale, count] of alike) expect([locale, count < 25]).toStrictEqual([locale, true]);
	});
});
