import {
	type APIApplicationCommand,
	ApplicationCommandOptionType as Type,
	ApplicationCommandType,
} from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openDraft, remainingOptions } from "../../web/src/command-draft.ts";
import {
	type Command,
	matchingCommands,
	parseCommandText,
	optionLabel,
	typeableCommands,
	typedAhead,
} from "../../web/src/command-text.ts";

const registered = (name: string, description: string, ...options: object[]) =>
	({ type: ApplicationCommandType.ChatInput, name, description, options }) as object as APIApplicationCommand;
const text = (name: string, required = false) => ({ type: Type.String, name, description: name, required });
const part = (name: string, ...options: object[]) => ({ type: Type.Subcommand, name, description: name, options });

const commands = typeableCommands([
	registered("video", "Make a film", text("prompt", true)),
	registered("image", "Make a picture", text("model"), text("prompt", true), text("aspect_ratio")),
	registered("credits", "What is left"),
	registered(
		"budget",
		"For admins",
		{ ...part("member", part("set", text("who", true))), type: Type.SubcommandGroup },
		part("show"),
	),
]);
const paths = (found: readonly { path: string }[]) => found.map(({ path }) => path);
const image = commands.find(({ path }) => path === "image") as Command;

/** The path of the command in a text and its options; null if the text is no whole known command. */
function read(known: readonly Command[], typed: string): string | null {
	const found = parseCommandText(known, typed);
	return found && [found.command.path, ...found.options.map(({ name, text: value }) => `${name}=${value}`)].join("|");
}

describe("completions of commands", () => {
	test("list subcommands by their full path, and required options first; context menu commands are missing", () => {
		expect(paths(commands)).toStrictEqual(["video", "image", "credits", "budget member set", "budget show"]);
		expect(image.options.map(({ name }) => name)).toStrictEqual(["prompt", "model", "aspect_ratio"]);
		expect(typeableCommands([{ ...registered("Report", ""), type: ApplicationCommandType.Message }])).toStrictEqual([]);
	});

	test("match the localized and the original name, and show the localized description", () => {
		const show = { ...part("show"), name_localizations: { de: "zeigen" }, description_localizations: { de: "Zeigt" } };
		const bild = { ...registered("image", "Make a picture", show), name_localizations: { de: "bild" } };
		const german = typeableCommands([bild], "de");
		expect(german).toMatchObject([{ path: "image show", label: "bild zeigen", description: "Zeigt" }]);
		expect(typeableCommands([bild], "fr")).toMatchObject([{ label: "image show", description: "show" }]);
		for (const typed of ["/bild", "/image"]) expect(matchingCommands(german, typed)).toHaveLength(1);
		expect(read(german, "/bild zeigen x")).toMatch(/^image show/);
	});

	test("match localized options by both names, and return the original name", () => {
		const shape = {
			...text("aspect_ratio"),
			name_localizations: { de: "format" },
			description_localizations: { de: "Die Form" },
			choices: [{ name: "wide", name_localizations: { de: "breit" }, value: "16:9" }],
		};
		const inLocale = (locale: string) =>
			typeableCommands([registered("image", "Make a picture", text("prompt", true), shape)], locale);
		const [german, [french]] = [inLocale("de"), inLocale("fr")];
		const [bild = image] = german;
		expect(bild.options.map(optionLabel)).toStrictEqual(["prompt", "format"]);
		expect(french?.options.map(optionLabel)).toStrictEqual(["prompt", "aspect_ratio"]);
		const localized = { name: "aspect_ratio", description: "Die Form", choices: [{ name: "breit", value: "16:9" }] };
		expect(bild.options[1]).toMatchObject(localized);
		for (const name of ["format", "aspect_ratio"]) {
			expect(read(german, `/image ein Boot ${name}: breit`)).toBe("image|prompt=ein Boot|aspect_ratio=breit");
			const ahead = { text: "ein Boot", next: "aspect_ratio" };
			expect(typedAhead(bild, "prompt", new Set(["prompt"]), `ein Boot ${name}:`)).toStrictEqual(ahead);
			expect(remainingOptions(openDraft(bild), name.slice(0, 4))).toMatchObject([{ name: "aspect_ratio" }]);
		}
	});
});

test.each([
	["/", ["video", "image", "credits", "budget member set", "budget show"]],
	["/im", ["image"]],
	["/IM", ["image"]],
	["/budget s", ["budget show"]],
	["/film", ["video"]],
	["/nothing", []],
	["image", []],
])("while a user types %s, the list has %j", (typed, found) => {
	expect(paths(matchingCommands(commands, typed))).toStrictEqual(found);
});

test.each<[rule: string, typed: string, found: string | null]>([
	[
		"a name with a colon starts a value",
		"/image prompt: a boat aspect_ratio: 16:9",
		"image|prompt=a boat|aspect_ratio=16:9",
	],
	["the space after the colon is optional", "/image prompt:a boat model:sketch", "image|prompt=a boat|model=sketch"],
	["text without a name is the value of the required text", "/image a boat model: x", "image|prompt=a boat|model=x"],
	["an unknown name is part of the value", "/image prompt: style: oil, 1: x", "image|prompt=style: oil, 1: x"],
	["a repeated name is part of the value", "/image prompt: a sign: prompt: hi", "image|prompt=a sign: prompt: hi"],
	["a name inside a word starts no value", "/image prompt: https://a.b/model:x", "image|prompt=https://a.b/model:x"],
	["line breaks, emoji and other scripts stay", "/image prompt: a\nb 🌊 مرحبا", "image|prompt=a\nb 🌊 مرحبا"],
	["the longest matching path wins", "/budget member set who: mia", "budget member set|who=mia"],
	["a space completes the name", "/credits ", "credits"],
	...["/image", "/imag x", "image prompt: a", "/budget member", "/unknown x", ""].map(
		(typed): [string, string, null] => ["this is no whole known command", typed, null],
	),
])("a command as text: %s: %j", (_, typed, found) => {
	expect(read(commands, typed)).toBe(found);
});

test.each([
	["prompt: a", { text: "a", next: null }],
	["a lighthouse aspect_ratio:", { text: "a lighthouse", next: "aspect_ratio" }],
	["a lighthouse", null],
	["a style:", null],
	["seen in the aspect_ratio: of", null],
	["a prompt:", null],
	["themodel:", null],
])("typing %j in a field removes its own name, or continues with the option that is named last: %o", (typed, ahead) => {
	expect(typedAhead(image, "prompt", new Set(["prompt"]), typed)).toStrictEqual(ahead);
});
