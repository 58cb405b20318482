import { describe, expect, test } from "vitest";
import { languageOf, TRANSLATED_LOCALES } from "../../src/i18n/languages.ts";
import type { MessageKey, MessageDescriptor, MessageValue } from "../../src/i18n/message-descriptor.ts";
import { t } from "../../src/i18n/messages.ts";
import { roleMention } from "../../src/i18n/message-param-values.ts";
import { enumerate, quote } from "../../src/i18n/quote.ts";
import { argumentsOf, typeOf, type Argument } from "../../tools/messages/arguments.ts";
import { readEnglish } from "../../tools/messages/files.ts";

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
	// Short, although Discord allows 100 characters.
	[/^(command|option)\./, 59],
	[/^(choice\.|job\.choice$)/, 100],
	[/./, 2000],
];
/** Each character is escaped. `test/commands/longest-replies.test.ts` checks messages that contain longer texts. */
const LONG_TEXT = quote("*".repeat(100), 100);
/** A long list of names, some of which are only counted. */
const NAMES = enumerate(Array.from({ length: 100 }, () => "*".repeat(100)));
/** More mentions than a denial has. */
const MENTIONS = Array.from({ length: 12 }, () => roleMention("9".repeat(20)));
/** The longest texts in messages with a small limit, and the longest lists. */
const LONGEST_TEXTS: Partial<Record<MessageKey, Readonly<Record<string, readonly MessageValue[]>>>> = {
	"button.image": { number: [10] },
	"request.optionOneOf": { values: [NAMES] },
	"style.unknown": { known: [NAMES] },
	"access.roleNeeded": { roles: [MENTIONS] },
	"access.channelElsewhere": { channels: [MENTIONS] },
	"choice.priced": { name: ["x".repeat(45)] },
	"job.choice": {
		prompt: ["x".repeat(50)],
		state: [{ key: "state.in_progress" }, { key: "state.unconfirmed" }, { key: "state.failed" }],
		age: ["vor 59 Minuten"],
	},
};

function limitOf(key: MessageKey): number {
	return LIMITS.find(([names]) => names.test(key))?.[1] ?? 0;
}

/** The values of a parameter that make a message long, or select one of its variants. */
function extremesOf(name: string, argument: Argument): readonly MessageValue[] {
	const type = typeOf(argument);
	if (type === "boolean") return [true, false];
	const { isNumber, options = new Set() } = argument;
	const none = options.has("null") ? [null] : [];
	if (type.startsWith('"')) return [...options].map((option) => (option === "null" ? null : option));
	if (isNumber) return [1_000_000_000, 2, 1, 0, ...none];
	return [name === "money" ? { amount: 123_456_789.99, currency: "EUR" } : LONG_TEXT, ...none];
}

/** Yields a message with every combination of its extreme values, or with the first COMBINATIONS_MAX of them. */
function* rendered(locale: string, key: MessageKey): Generator<string> {
	const params = [...argumentsOf(ENGLISH[key]?.defaultMessage ?? "")].map(
		([name, argument]) => [name, LONGEST_TEXTS[key]?.[name] ?? extremesOf(name, argument)] as const,
	);
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

test.each(LOCALES)("every message in %s stays within Discord's limits with the longest parameters", (locale) => {
	expect(KEYS.flatMap((key) => faultsOf(locale, key))).toStrictEqual([]);
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

	test.each(LOCALES)("mentions commands by their localized names: %s", (locale) => {
		const [job, show] = [t(locale, { key: "name.job" }), t(locale, { key: "name.show" })];
		expect(t(locale, { key: "job.notDone" })).toContain(`\`/${job} ${show}\``);
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
