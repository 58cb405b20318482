import type { APIApplicationCommandBasicOption, APIAttachment } from "discord-api-types/v10";
import { ApplicationCommandOptionType as Type } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import {
	changeOption,
	validateDraft,
	validateOption,
	trailingTextError,
	openDraft,
	optionsForAutocomplete,
	remainingOptions,
	matchingChoices,
	draftOptionTexts,
	withOption,
	withoutOption,
} from "../../web/src/command-draft.ts";

const prompt: APIApplicationCommandBasicOption = {
	type: Type.String,
	name: "prompt",
	description: "",
	required: true,
	max_length: 10,
};
const seed: APIApplicationCommandBasicOption = {
	type: Type.Integer,
	name: "seed",
	description: "",
	min_value: 0,
	max_value: 100,
};
const ratio: APIApplicationCommandBasicOption = {
	type: Type.String,
	name: "ratio",
	description: "",
	choices: [
		{ name: "Wide", value: "16:9" },
		{ name: "Square", value: "1:1" },
	],
};
const start: APIApplicationCommandBasicOption = { type: Type.Attachment, name: "start", description: "" };
const hidden: APIApplicationCommandBasicOption = { type: Type.Boolean, name: "hidden", description: "" };
const weight: APIApplicationCommandBasicOption = { type: Type.Number, name: "weight", description: "" };
const who: APIApplicationCommandBasicOption = { type: Type.User, name: "who", description: "" };
const club: APIApplicationCommandBasicOption = { type: Type.Role, name: "club", description: "" };

const command = {
	path: "image",
	label: "image",
	description: "",
	options: [prompt, seed, ratio, start, hidden, weight, who],
};
const mia = { id: "7", username: "mia", global_name: "Mia", discriminator: "0", avatar: null };
const directory = {
	members: [{ user: mia, nick: null, isAdmin: false, roleIds: [], permissions: "0", locale: "en-US" }],
	channels: [],
	roles: [{ id: "1000000000000000007", name: "Artists" }],
};
const file: APIAttachment = {
	id: "9",
	filename: "a.png",
	size: 1,
	url: "http://x.test/a.png",
	proxy_url: "http://x.test/a.png",
};

const judge = (option: APIApplicationCommandBasicOption, text: string) =>
	validateOption(option, { name: option.name, text }, directory);
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

describe("the fields of a command", () => {
	test("required options are open from the start, and typed options as well", () => {
		expect(names(openDraft(command).options)).toStrictEqual(["prompt"]);
		expect(openDraft(command, [{ name: "seed", text: "4" }]).options).toStrictEqual([
			{ name: "prompt", text: "" },
			{ name: "seed", text: "4" },
		]);
	});

	test("an option is added once, and leaves the list of remaining options", () => {
		const draft = withOption(withOption(openDraft(command), "seed"), "seed");
		expect(names(draft.options)).toStrictEqual(["prompt", "seed"]);
		expect(names(remainingOptions(draft))).toStrictEqual(["ratio", "start", "hidden", "weight", "who"]);
		expect(names(remainingOptions(draft, "rat"))).toStrictEqual(["ratio"]);
	});

	test("a required option cannot be removed", () => {
		const draft = withOption(openDraft(command), "seed");
		expect(names(withoutOption(withoutOption(draft, "seed"), "prompt").options)).toStrictEqual(["prompt"]);
	});
});

describe("option values", () => {
	test.each<[APIApplicationCommandBasicOption, string, string | number | boolean]>([
		[prompt, "  a boat  ", "a boat"],
		[seed, "42", 42],
		[seed, "0", 0],
		[weight, "-0.5", -0.5],
		[ratio, "wide", "16:9"],
		[ratio, "1:1", "1:1"],
		[hidden, "true", true],
		[hidden, "False", false],
		[who, "Mia", "7"],
		[club, "@Artists", "1000000000000000007"],
	])("%o parses %j as %j", (option, text, value) => {
		expect(judge(option, text)).toStrictEqual({ ok: true, value });
	});

	test.each<[APIApplicationCommandBasicOption, string, string]>([
		[prompt, " ", "This option is required."],
		[prompt, "eleven char", "At most 10 characters; this has 11."],
		[seed, "", "Give it a value, or remove it with Backspace."],
		[seed, "4.5", "A whole number, please."],
		[seed, "1e2", "A whole number, please."],
		[seed, "0x10", "A whole number, please."],
		[seed, "-1", "At least 0."],
		[seed, "101", "At most 100."],
		[weight, "heavy", "A number, please."],
		[ratio, "16:10", "Pick one from the list."],
		[hidden, "perhaps", "Pick one from the list."],
		[start, "a.png", "Choose a file."],
	])("%o rejects %j: %s", (option, text, message) => {
		expect(judge(option, text)).toStrictEqual({ ok: false, message });
	});

	test("a selected choice sends its value until the text changes", () => {
		const picked = { name: "Sketch (2 credits)", value: "sketch" };
		const model: APIApplicationCommandBasicOption = {
			type: Type.String,
			name: "model",
			description: "",
			autocomplete: true,
		};
		expect(validateOption(model, { name: "model", text: picked.name, picked }, directory)).toStrictEqual({
			ok: true,
			value: "sketch",
		});
		expect(validateOption(model, { name: "model", text: "other", picked }, directory)).toStrictEqual({
			ok: true,
			value: "other",
		});
	});

	test("a file is sent by the id of its upload, once the upload has ended", () => {
		expect(validateOption(start, { name: "start", text: "", file }, directory)).toStrictEqual({ ok: true, value: "9" });
		expect(validateOption(start, { name: "start", text: "", uploadingFilename: "a.png" }, directory)).toMatchObject({
			ok: false,
		});
	});
});

describe("a whole command", () => {
	test("reports the first invalid option", () => {
		const draft = openDraft(command, [
			{ name: "prompt", text: "a" },
			{ name: "seed", text: "x" },
		]);
		expect(validateDraft(draft, directory)).toMatchObject({ ok: false, name: "seed" });
	});

	test("sends every open option with its value; a file is sent by its id, and shown by its name", () => {
		const draft = changeOption(withOption(openDraft(command, [{ name: "prompt", text: "a" }]), "start"), "start", {
			file,
		});
		expect(validateDraft(draft, directory)).toStrictEqual({
			ok: true,
			options: [
				{ name: "prompt", value: "a" },
				{ name: "start", value: "9" },
			],
		});
		expect(draftOptionTexts(draft)).toStrictEqual([
			{ name: "prompt", text: "a" },
			{ name: "start", text: "a.png" },
		]);
	});

	test("sends valid options and the focused text to autocomplete", () => {
		const draft = openDraft(command, [
			{ name: "prompt", text: "a" },
			{ name: "seed", text: "x" },
			{ name: "ratio", text: "wi" },
		]);
		expect(optionsForAutocomplete(draft, "ratio", directory)).toStrictEqual([
			{ name: "prompt", value: "a" },
			{ name: "ratio", value: "wi" },
		]);
	});

	test("filters choices by name and value, and shows all after a selection", () => {
		const choices = ratio.choices ?? [];
		expect(names(matchingChoices(choices, { name: "ratio", text: "sq" }))).toStrictEqual(["Square"]);
		expect(names(matchingChoices(choices, { name: "ratio", text: "16" }))).toStrictEqual(["Wide"]);
		expect(names(matchingChoices(choices, { name: "ratio", text: "Wide", picked: choices[0] }))).toStrictEqual([
			"Wide",
			"Square",
		]);
	});
});

describe("text behind a command that belongs to no option", () => {
	test.each([
		[
			"/usage days: 7",
			"/image is still open. Delete this text and press Enter to send it, or press Escape to close it.",
		],
		["see", "“see” is not an option of /image. Choose an option from the list, or delete the text."],
		["  ", null],
	])("%j", (text, fault) => {
		expect(trailingTextError(command, text)).toBe(fault);
	});
});

test("a choice is selected by its name or its value, also as a number", () => {
	const days: APIApplicationCommandBasicOption = {
		type: Type.Integer,
		name: "days",
		description: "",
		choices: [{ name: "the last 7 days", value: 7 }],
	};
	const value = { ok: true, value: 7 };
	expect(validateOption(days, { name: "days", text: "7" }, directory)).toStrictEqual(value);
	expect(validateOption(days, { name: "days", text: "The last 7 days" }, directory)).toStrictEqual(value);
	expect(validateOption(days, { name: "days", text: "8" }, directory)).toMatchObject({ ok: false });
});
