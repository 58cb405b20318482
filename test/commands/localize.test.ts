import { describe, expect, test } from "vitest";
import { commands, messageCommands } from "./bind-all.ts";
import { TRANSLATED_LOCALES } from "../../src/i18n/languages.ts";

/** Discord's own pattern. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const DESCRIPTION_CHARS_MAX = 100;

type Texts = Readonly<Partial<Record<string, string | null>>> | null | undefined;

/** The common fields of a command, a subcommand, an option and a choice. */
interface Part {
	readonly name: string;
	readonly name_localizations?: Texts;
	readonly description?: string;
	readonly description_localizations?: Texts;
	readonly options?: readonly Part[];
	readonly choices?: readonly Part[];
}

const definitions = commands.map(({ definition }) => definition as unknown as Part);
const menus = messageCommands.map(({ definition }) => definition as unknown as Part);

function nameIn({ name, name_localizations: names }: Part, locale: string): string {
	return names?.[locale] ?? name;
}

function descriptionIn({ description, description_localizations: texts }: Part, locale: string): string {
	return texts?.[locale] ?? description ?? "";
}

/** Every part with its path, without choices. */
function partsOf(part: Part, path: string = part.name): readonly (readonly [string, Part])[] {
	return [[path, part], ...(part.options ?? []).flatMap((option) => partsOf(option, `${path} ${option.name}`))];
}

function choicesOf(part: Part): readonly Part[] {
	return [...(part.choices ?? []), ...(part.options ?? []).flatMap((option) => choicesOf(option))];
}

const duplicatesIn = (names: readonly string[]): readonly string[] =>
	names.filter((name, at) => names.indexOf(name) !== at);

describe.each(TRANSLATED_LOCALES)("commands in %s", (locale) => {
	test("and all options have a valid localized name and description", () => {
		for (const [path, part] of definitions.flatMap((definition) => partsOf(definition))) {
			const name = nameIn(part, locale);
			expect([path, name, NAME.test(name) && name === name.toLowerCase()]).toStrictEqual([path, name, true]);
			const { length } = descriptionIn(part, locale);
			expect([path, length > 0 && length <= DESCRIPTION_CHARS_MAX]).toStrictEqual([path, true]);
			expect([path, part.name_localizations?.[locale], part.description_localizations?.[locale]]).not.toContain(
				undefined,
			);
		}
	});

	test("have no duplicate names at one level", () => {
		expect(duplicatesIn(definitions.map((definition) => nameIn(definition, locale)))).toStrictEqual([]);
		expect(duplicatesIn(menus.map((menu) => nameIn(menu, locale)))).toStrictEqual([]);
		for (const [path, { options = [] }] of definitions.flatMap((definition) => partsOf(definition))) {
			expect([path, duplicatesIn(options.map((option) => nameIn(option, locale)))]).toStrictEqual([path, []]);
		}
	});

	test("have valid choices and menu entries, without duplicates", () => {
		for (const part of definitions.flatMap((definition) => partsOf(definition).map(([, each]) => each))) {
			const names = (part.choices ?? []).map((choice) => nameIn(choice, locale));
			expect(duplicatesIn(names)).toStrictEqual([]);
			for (const name of names) expect(name.length <= 100 ? "" : name).toBe("");
		}
		for (const menu of menus) expect(nameIn(menu, locale).length).toBeLessThanOrEqual(32);
	});
});

test("every choice with a word as its name is localized", () => {
	const words = definitions.flatMap((definition) => choicesOf(definition)).filter(({ name }) => /^[a-z ]+$/.test(name));
	expect(words.length).toBeGreaterThan(10);
	for (const { name, name_localizations: names } of words) {
		expect([name, Object.keys(names ?? {})]).toStrictEqual([name, TRANSLATED_LOCALES]);
	}
});
