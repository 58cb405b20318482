import type {
	APIApplicationCommand,
	APIApplicationCommandBasicOption,
	APIApplicationCommandOption,
} from "discord-api-types/v10";
import { ApplicationCommandOptionType, ApplicationCommandType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openDraft, remainingOptions } from "../../web/src/command-draft.ts";
import { mostUsedFirst } from "../../web/src/command-use-counts.ts";
import {
	matchingCommands,
	parseCommandText,
	optionLabel,
	typeableCommands,
	typedAhead,
} from "../../web/src/command-text.ts";

function registered(
	name: string,
	description: string,
	options: APIApplicationCommandOption[] = [],
): APIApplicationCommand {
	return {
		id: "1",
		application_id: "2",
		version: "3",
		type: ApplicationCommandType.ChatInput,
		default_member_permissions: null,
		name,
		description,
		options,
	};
}

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
			type: ApplicationCommandOptionType.SubcommandGroup,
			name: "member",
			description: "Of a member",
			options: [
				{
					type: ApplicationCommandOptionType.Subcommand,
					name: "set",
					description: "Set it",
					options: [text("who", true)],
				},
			],
		},
		{ type: ApplicationCommandOptionType.Subcommand, name: "show", description: "Show it" },
	]),
]);
const image = commands.find(({ path }) => path === "image")!;
const paths = (found: readonly { path: string }[]) => found.map(({ path }) => path);

describe("completions of commands", () => {
	test("list subcommands by their full path", () => {
		expect(paths(commands)).toStrictEqual(["video", "image", "credits", "budget member set", "budget show"]);
	});

	test("list the most used commands first, the others in the order of their registration", () => {
		const counts = new Map([
			["credits", 2],
			["budget show", 5],
		]);
		expect(paths(mostUsedFirst(commands, counts))).toStrictEqual([
			"budget show",
			"credits",
			"video",
			"image",
			"budget member set",
		]);
	});

	test("list subcommands in the order of their registration", () => {
		const credits = registered("credits", "Credits", [part("show"), part("history"), part("grant")]);
		expect(paths(typeableCommands([credits]))).toStrictEqual(["credits show", "credits history", "credits grant"]);
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

describe("the list while typing a command", () => {
	test.each([
		["/", ["video", "image", "credits", "budget member set", "budget show"]],
		["/im", ["image"]],
		["/IM", ["image"]],
		["/budget s", ["budget show"]],
		["/film", ["video"]],
		["/nothing", []],
		["image", []],
	])("%s", (typed, found) => {
		expect(paths(matchingCommands(commands, typed))).toStrictEqual(found);
	});
});

const read = (typed: string) => {
	const found = parseCommandText(commands, typed);
	return (
		found && {
			path: found.command.path,
			...Object.fromEntries(found.options.map((option) => [option.name, option.text])),
		}
	);
};

describe("parsing a whole command from text", () => {
	test("a name with a colon starts a value", () => {
		expect(read("/image prompt: a lighthouse in a storm aspect_ratio: 16:9")).toStrictEqual({
			path: "image",
			prompt: "a lighthouse in a storm",
			aspect_ratio: "16:9",
		});
	});

	test("the space after the colon is optional", () => {
		expect(read("/image prompt:a lighthouse model:sketch")).toStrictEqual({
			path: "image",
			prompt: "a lighthouse",
			model: "sketch",
		});
	});

	test("text without a name is the value of the required text option", () => {
		expect(read("/image a lighthouse in a storm")).toStrictEqual({ path: "image", prompt: "a lighthouse in a storm" });
		expect(read("/image a lighthouse model: sketch")).toStrictEqual({
			path: "image",
			prompt: "a lighthouse",
			model: "sketch",
		});
	});

	test("an unknown name is part of the value", () => {
		expect(read("/image prompt: style: oil, note: calm")).toStrictEqual({
			path: "image",
			prompt: "style: oil, note: calm",
		});
	});

	test("a repeated name is part of the value", () => {
		expect(read("/image prompt: a sign that says prompt: hello")).toStrictEqual({
			path: "image",
			prompt: "a sign that says prompt: hello",
		});
	});

	test("a name inside a word does not start a value", () => {
		expect(read("/image prompt: https://example.com/model:x")).toStrictEqual({
			path: "image",
			prompt: "https://example.com/model:x",
		});
	});

	test("line breaks, emoji and other scripts stay in the value", () => {
		expect(read("/image prompt: a\nb 🌊 مرحبا")).toStrictEqual({ path: "image", prompt: "a\nb 🌊 مرحبا" });
	});

	test("the longest matching path wins", () => {
		expect(read("/budget member set who: mia")).toStrictEqual({ path: "budget member set", who: "mia" });
	});

	test.each(["/image", "/imag x", "image prompt: a", "/budget member", "/unknown x", ""])(
		"%j is not a whole known command",
		(typed) => {
			expect(read(typed)).toBeNull();
		},
	);

	test("a space completes the name", () => {
		expect(read("/credits ")).toStrictEqual({ path: "credits" });
	});
});

describe("typing in a field", () => {
	const used = new Set(["prompt"]);

	test("removes the field's own name", () => {
		expect(typedAhead(image, "prompt", used, "prompt: a")).toStrictEqual({ text: "a", next: null });
	});

	test("continues with another option when its name is typed", () => {
		expect(typedAhead(image, "prompt", used, "a lighthouse aspect_ratio:")).toStrictEqual({
			text: "a lighthouse",
			next: "aspect_ratio",
		});
	});

	test.each(["a lighthouse", "a style:", "seen in the aspect_ratio: of", "a prompt:", "themodel:"])(
		"%s is plain text",
		(typed) => {
			expect(typedAhead(image, "prompt", used, typed)).toBeNull();
		},
	);
});
