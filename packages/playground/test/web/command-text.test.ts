import type {
	APIApplicationCommand,
	APIApplicationCommandBasicOption,
	APIApplicationCommandOption,
} from "discord-api-types/v10";
import { ApplicationCommandOptionType, ApplicationCommandType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openDraft, remainingOptions } from "../../web/src/command-draft.ts";
import {
	matchingCommands,
	parseCommandText,
	optionLabel,
	typeableCommands,
	typedAhead,
} from "../../web/src/command-text.ts";

const registered = (name: string, description: string, options: APIApplicationCommandOption[] = []) =>
	({ type: ApplicationCommandType.ChatInput, name, description, options }) as object as APIApplicationCommand;

const text = (name: string, required = false): APIApplicationCommandBasicOption => ({
	type: ApplicationCommandOptionType.String,
	name,
	description: name,
	required,
});

const part = (name: string) => ({ type: ApplicationCommandOptionType.Subcommand as const, name, description: name });

const commands = typeableCommands([
	registered("video", "Make a film", [text("prompt", true)]),
	registered("image", "Make a picture", [text("model"), text("prompt", true), text("aspect_ratio")]),
	registered("credits", "What is left"),
	registered("budget", "For admins", [
		{
			...part("member"),
			type: ApplicationCommandOptionType.SubcommandGroup,
			options: [{ ...part("set"), options: [text("who", true)] }],
		},
		part("show"),
	]),
]);
const image = commands.find(({ path }) => path === "image")!;
const paths = (found: readonly { path: string }[]) => found.map(({ path }) => path);

describe("completions of commands", () => {
	test("list subcommands by their full path", () => {
		expect(paths(commands)).toStrictEqual(["video", "image", "credits", "budget member set", "budget show"]);
	});

	test("list required options first", () => {
		expect(image.options.map(({ name }) => name)).toStrictEqual(["prompt", "model", "aspect_ratio"]);
	});

	test("match the localized and the original name, and show the localized description", () => {
		const bild = {
			...registered("image", "Make a picture", [part("show")]),
			name_localizations: { de: "bild" },
			options: [
				{ ...part("show"), name_localizations: { de: "zeigen" }, description_localizations: { de: "Zeigt es" } },
			],
		};
		const german = typeableCommands([bild], "de");
		expect(german).toMatchObject([{ path: "image show", label: "bild zeigen", description: "Zeigt es" }]);
		expect(typeableCommands([bild], "fr")).toMatchObject([{ label: "image show", description: "show" }]);
		expect(paths(matchingCommands(german, "/bild"))).toStrictEqual(["image show"]);
		expect(paths(matchingCommands(german, "/image"))).toStrictEqual(["image show"]);
		expect(parseCommandText(german, "/bild zeigen x")?.command.path).toBe("image show");
	});

	test("match localized options by both names, and return the original name", () => {
		const shape: APIApplicationCommandBasicOption = {
			type: ApplicationCommandOptionType.String,
			name: "aspect_ratio",
			name_localizations: { de: "format" },
			description: "Shape",
			description_localizations: { de: "Die Form" },
			choices: [{ name: "wide", name_localizations: { de: "breit" }, value: "16:9" }],
		};
		const registeredOnes = [registered("image", "Make a picture", [text("prompt", true), shape])];
		const [german] = typeableCommands(registeredOnes, "de");
		expect(german?.options.map(optionLabel)).toStrictEqual(["prompt", "format"]);
		expect(german?.options[1]).toMatchObject({
			name: "aspect_ratio",
			description: "Die Form",
			choices: [{ name: "breit", value: "16:9" }],
		});
		const [french] = typeableCommands(registeredOnes, "fr");
		expect(french?.options.map(optionLabel)).toStrictEqual(["prompt", "aspect_ratio"]);
		const commandsOf = german ? [german] : [];
		for (const name of ["format", "aspect_ratio"]) {
			expect(parseCommandText(commandsOf, `/image ein Boot ${name}: breit`)?.options).toStrictEqual([
				{ name: "prompt", text: "ein Boot" },
				{ name: "aspect_ratio", text: "breit" },
			]);
			expect(german && typedAhead(german, "prompt", new Set(["prompt"]), `ein Boot ${name}:`)).toStrictEqual({
				text: "ein Boot",
				next: "aspect_ratio",
			});
			expect(german && remainingOptions(openDraft(german), name.slice(0, 4)).map((each) => each.name)).toStrictEqual([
				"aspect_ratio",
			]);
		}
	});

	test("exclude context menu commands", () => {
		expect(typeableCommands([{ ...registered("Report", ""), type: ApplicationCommandType.Message }])).toStrictEqual([]);
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

test.each<[rule: string, typed: string, read: string | null]>([
	[
		"a name with a colon starts a value",
		"/image prompt: a boat aspect_ratio: 16:9",
		"image|prompt=a boat|aspect_ratio=16:9",
	],
	["the space after the colon is optional", "/image prompt:a boat model:sketch", "image|prompt=a boat|model=sketch"],
	["text without a name is the value of the required text", "/image a boat model: x", "image|prompt=a boat|model=x"],
	[
		"an unknown name is part of the value",
		"/image prompt: style: oil, note: calm",
		"image|prompt=style: oil, note: calm",
	],
	["a repeated name is part of the value", "/image prompt: a sign: prompt: hi", "image|prompt=a sign: prompt: hi"],
	["a name inside a word starts no value", "/image prompt: https://a.b/model:x", "image|prompt=https://a.b/model:x"],
	["line breaks, emoji and other scripts stay", "/image prompt: a\nb 🌊 مرحبا", "image|prompt=a\nb 🌊 مرحبا"],
	["the longest matching path wins", "/budget member set who: mia", "budget member set|who=mia"],
	["a space completes the name", "/credits ", "credits"],
	...["/image", "/imag x", "image prompt: a", "/budget member", "/unknown x", ""].map(
		(typed): [string, string, null] => ["this is no whole known command", typed, null],
	),
])("a command as text: %s: %j", (_, typed, read) => {
	const found = parseCommandText(commands, typed);
	const options = found?.options.map((option) => `${option.name}=${option.text}`) ?? [];
	expect(found && [found.command.path, ...options].join("|")).toBe(read);
});

describe("typing in a field", () => {
	test.each([
		["prompt: a", { text: "a", next: null }],
		["a lighthouse aspect_ratio:", { text: "a lighthouse", next: "aspect_ratio" }],
		["a lighthouse", null],
		["a style:", null],
		["seen in the aspect_ratio: of", null],
		["a prompt:", null],
		["themodel:", null],
	])("%j removes the field's own name, or continues with the option that is named last: %o", (typed, ahead) => {
		expect(typedAhead(image, "prompt", new Set(["prompt"]), typed)).toStrictEqual(ahead);
	});
});
