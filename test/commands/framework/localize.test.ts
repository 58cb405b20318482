import { describe, expect, test } from "vitest";
import { messageCommands, slashCommands } from "../fake-services.ts";
import { TRANSLATED_LOCALES } from "../../../src/i18n/languages.ts";

type Texts = Readonly<Partial<Record<string, string | null>>> | null;

/** The common fields of a command, a subcommand, an option and a choice. */
interface Part {
	readonly name: string;
	readonly name_localizations?: Texts;
	readonly description_localizations?: Texts;
	readonly options?: readonly Part[];
	readonly choices?: readonly Part[];
}

const definitions = slashCommands as readonly Part[];
const menus = messageCommands as readonly Part[];
const partsOf = (part: Part): readonly Part[] => [part, ...(part.options ?? []).flatMap(partsOf)];
const allParts = definitions.flatMap(partsOf);
/** Discord's own pattern. The lengths of names and descriptions are tested with the messages of each language. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

describe.each(TRANSLATED_LOCALES)("commands in %s", (locale) => {
	const nameIn = ({ name, name_localizations: names }: Part): string => names?.[locale] ?? name;

	test("and all options have a valid localized name", () => {
		const localized = allParts.map(({ name_localizations: names }) => names?.[locale] ?? "none");
		expect(localized.filter((name) => !NAME.test(name) || name !== name.toLowerCase())).toStrictEqual([]);
	});

	test("and all options have a localized description", () => {
		const missing = allParts.filter((part) => part.description_localizations?.[locale] === undefined);
		expect(missing.map(({ name }) => name)).toStrictEqual([]);
	});

	test("have no duplicate names at one level", () => {
		const lists = [definitions, menus, ...allParts.flatMap(({ options = [], choices = [] }) => [options, choices])];
		for (const names of lists.map((list) => list.map(nameIn))) expect(names).toStrictEqual([...new Set(names)]);
	});
});

test("every choice with a word as its name is localized", () => {
	const words = allParts.flatMap(({ choices = [] }) => choices).filter(({ name }) => /^[a-z ]+$/.test(name));
	expect(words.length).toBeGreaterThan(10);
	for (const { name, name_localizations: names } of words) {
		expect([name, Object.keys(names ?? {})]).toStrictEqual([name, TRANSLATED_LOCALES]);
	}
});
