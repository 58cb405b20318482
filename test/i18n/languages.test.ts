import { describe, expect, test } from "vitest";
import { languageOf, TRANSLATED_LOCALES } from "../../src/i18n/languages.ts";
import type { MessageKey, MessageDescriptor, MessageValue } from "../../src/i18n/message-descriptor.ts";
import { t } from "../../src/i18n/messages.ts";
import { argumentsOf, typeOf } from "../../tools/messages/arguments.ts";
import { readEnglish } from "../../tools/messages/files.ts";
import { extremesOf } from "./boundary-params.ts";

const LOCALES = ["en-US", ...TRANSLATED_LOCALES];
const ENGLISH = readEnglish();
const KEYS = Object.keys(ENGLISH) as MessageKey[];
const COMBINATIONS_MAX = 300;
/** Discord's limits, by the purpose of a message; all others are, or are part of, a message. */
const LIMITS: readonly (readonly [RegExp, number])[] = [
	[/^(menu|name)\./, 32],
	[/^button\./, 80],
	[/^usage\.chartDescription$/, 1024],
	[/^form\..*Hint$/, 100],
	[/^form\..*Placeholder$/, 150],
	[/^form\./, 45],
	// Labels of fields of forms.
	[/^category\./, 45],
	[/^field\.(?!block$|channelDefaults$|limitOf$|style$)/, 45],
	[/^option\.(count|duration|instrumental|pauseMessage|resolution)$/, 45],
	[/^(command|option|choice)\./, 100],
	[/^job\.choice$/, 100],
	[/./, 2000],
];
/** The extreme values of parameters that have another meaning in one message. */
const EXTREMES_BY_MESSAGE: Partial<Record<MessageKey, Readonly<Record<string, readonly MessageValue[]>>>> = {
	"job.choice": { prompt: ["x".repeat(50)] },
	"choice.priced": { name: ["x".repeat(45)] },
	// These contain messages that are measured on their own.
	"help.notHere": { reason: ["x".repeat(400)] },
};

function limitOf(key: MessageKey): number {
	return LIMITS.find(([names]) => names.test(key))?.[1] ?? 0;
}

/** The values of each parameter: all options of a choice, else the extreme values of that name. */
function valuesOf(key: MessageKey): readonly (readonly [name: string, values: readonly MessageValue[]])[] {
	return [...argumentsOf(ENGLISH[key]?.defaultMessage ?? "")].map(([name, argument]) => {
		const isNullable = argument.options?.has("null") ?? false;
		const type = typeOf(argument);
		if (type === "boolean") return [name, [true, false]];
		const options = type.startsWith('"') ? [...(argument.options ?? [])].filter((each) => each !== "null") : undefined;
		const values = EXTREMES_BY_MESSAGE[key]?.[name] ?? options ?? extremesOf(name, argument.isNumber);
		return [name, [...values, ...(isNullable ? [null] : [])]];
	});
}

/** Yields a message with every combination of its extreme values, or with the first COMBINATIONS_MAX of them. */
function* rendered(locale: string, key: MessageKey): Generator<string> {
	const params = valuesOf(key);
	const all = params.reduce((product, [, values]) => product * values.length, 1);
	for (let combination = 0; combination < Math.min(all, COMBINATIONS_MAX); combination++) {
		let rest = combination;
		const chosen = params.map(([name, values]) => {
			const value = values[rest % values.length];
			rest = Math.floor(rest / values.length);
			return [name, value] as const;
		});
		yield languageOf(locale).format({ key, params: Object.fromEntries(chosen) } as unknown as MessageDescriptor);
	}
}

/** Returns the mistakes in a text for all values of its parameters. */
function faultsOf(locale: string, key: MessageKey): readonly string[] {
	const texts = [...rendered(locale, key)];
	const longest = Math.max(...texts.map(({ length }) => length));
	return [
		...(longest > limitOf(key) ? [`${key} has ${longest} characters, ${limitOf(key)} is the limit`] : []),
		...(texts.some((text) => /undefined|null|NaN|\[object|\{(command|option)_/.test(text))
			? [`${key} shows a raw value`]
			: []),
		...(texts.some((text) => text.trim() === "") ? [`${key} can be empty`] : []),
	];
}

test("every parameter has extreme values", () => {
	const without = KEYS.flatMap((key) =>
		valuesOf(key).flatMap(([name, values]) => (values.length === 0 ? [`${key} ${name}`] : [])),
	);
	expect(without).toStrictEqual([]);
});

test.each(LOCALES)("every message in %s stays within Discord's limits with the longest parameters", (locale) => {
	expect(KEYS.flatMap((key) => faultsOf(locale, key))).toStrictEqual([]);
});

test.each(LOCALES)("descriptions of commands and options in %s stay below 60 characters", (locale) => {
	const descriptions = KEYS.filter((key) => /^(command|option)\./.test(key)).map((key) =>
		t(locale, { key } as MessageDescriptor),
	);
	expect(descriptions.filter(({ length }) => length >= 60)).toStrictEqual([]);
});

const emptyHistory = (locale: string): string => t(locale, { key: "history.empty" });

describe("a language", () => {
	test("is selected by Discord's locale, and English is the default", () => {
		expect(emptyHistory("de")).not.toBe(emptyHistory("en-US"));
		expect(emptyHistory("es-419")).toBe(emptyHistory("es-ES"));
		expect(emptyHistory("zh-TW")).toBe(emptyHistory("zh-CN"));
		expect(emptyHistory("en-GB")).toBe("Nothing to show yet.");
		expect(emptyHistory("constructor")).toBe(emptyHistory("en-US"));
	});

	test("mentions commands by their localized names", () => {
		for (const locale of LOCALES) {
			const [job, show] = [t(locale, { key: "name.job" }), t(locale, { key: "name.show" })];
			expect(t(locale, { key: "job.notDone" })).toContain(`\`/${job} ${show}\``);
		}
	});

	test.each(TRANSLATED_LOCALES)("translates the messages: %s", (locale) => {
		const sameAsEnglish = KEYS.filter((key) => {
			const [english] = rendered("en-US", key);
			const [translated] = rendered(locale, key);
			return english === translated && /[a-z]{5,}/.test(english ?? "");
		});
		// Some words are the same in several languages, such as the names of options.
		expect(sameAsEnglish.length).toBeLessThan(40);
	});
});

test("a stored message that this version does not know has a general text", () => {
	const unknown = { key: "service.fromAnotherVersion" } as unknown as MessageDescriptor;
	expect(t("en", unknown)).toBe("This text is no longer available.");
});
