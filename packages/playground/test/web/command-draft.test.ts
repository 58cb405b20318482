import type { APIApplicationCommandBasicOption, APIAttachment } from "discord-api-types/v10";
import { ApplicationCommandOptionType as Type, ChannelType } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import {
	fixedChoices,
	type DraftOption,
	validateOption,
	openDraft,
	optionsForAutocomplete,
	matchingChoices,
} from "../../web/src/command-draft.ts";

const option = (name: string, type: Type, more: object = {}) =>
	({ type, name, description: "", ...more }) as APIApplicationCommandBasicOption;

const prompt = option("prompt", Type.String, { required: true, max_length: 10 });
const seed = option("seed", Type.Integer, { min_value: 0, max_value: 100 });
const choices = [
	{ name: "Wide", value: "16:9" },
	{ name: "Square", value: "1:1" },
];
const ratio = option("ratio", Type.String, { choices });
const start = option("start", Type.Attachment);
const hidden = option("hidden", Type.Boolean);
const weight = option("weight", Type.Number);
const who = option("who", Type.User);
const club = option("club", Type.Role);
const model = option("model", Type.String, { autocomplete: true });
const days = option("days", Type.Integer, { choices: [{ name: "the last 7 days", value: 7 }] });

const mia = { id: "7", username: "mia", global_name: "Mia", discriminator: "0", avatar: null };
const directory = {
	members: [{ user: mia, nick: null, isAdmin: false, roleIds: [], permissions: "0", locale: "en-US" }],
	users: [{ user: mia }, { user: { ...mia, id: "6", username: "noah", global_name: "Noah" } }],
	bot: { user: { ...mia, id: "8", username: "Atelier", global_name: null, bot: true }, online: true },
	channels: [
		{ id: "10", type: 0, name: "general", topic: "" },
		{ id: "11", type: 11, name: "Boats", topic: "", parentId: "10" },
		{ id: "12", type: 1, name: "Atelier", topic: "" },
	],
	roles: [{ id: "1000000000000000007", name: "Artists" }],
};
const file = { id: "9", filename: "a.png" } as APIAttachment;

const validate = (validated: APIApplicationCommandBasicOption, change: Partial<DraftOption>) =>
	validateOption(validated, { name: validated.name, text: "", ...change }, directory);
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

describe("option values", () => {
	const picked = { name: "Sketch (2 credits)", value: "sketch" };

	test.each<[APIApplicationCommandBasicOption, Partial<DraftOption>, string | number | boolean]>([
		[prompt, { text: "  a boat  " }, "a boat"],
		[seed, { text: "42" }, 42],
		[seed, { text: "0" }, 0],
		[weight, { text: "-0.5" }, -0.5],
		[ratio, { text: "wide" }, "16:9"],
		[ratio, { text: "1:1" }, "1:1"],
		[days, { text: "7" }, 7],
		[days, { text: "The last 7 days" }, 7],
		[hidden, { text: "true" }, true],
		[hidden, { text: "False" }, false],
		[who, { text: "Mia" }, "7"],
		// A user who is not in the server, for example to end a ban.
		[who, { text: "noah" }, "6"],
		[who, { text: "6" }, "6"],
		[club, { text: "@Artists" }, "1000000000000000007"],
		// A selected choice is sent until the text changes.
		[model, { text: picked.name, picked }, "sketch"],
		[model, { text: "other", picked }, "other"],
		[start, { file }, "9"],
		[prompt, { text: "🦊".repeat(10) }, "🦊".repeat(10)],
	])("%o with %o sends %j", (validated, change, value) => {
		expect(validate(validated, change)).toStrictEqual({ ok: true, value });
	});

	test.each<[APIApplicationCommandBasicOption, Partial<DraftOption>, string]>([
		[prompt, { text: " " }, "This option is required."],
		[prompt, { text: "eleven char" }, "This may have at most 10 characters; this has 11."],
		[seed, { text: "" }, "Give it a value, or remove it with Backspace."],
		[seed, { text: "4.5" }, "This must be a whole number."],
		[seed, { text: "1e2" }, "This must be a whole number."],
		[seed, { text: "0x10" }, "This must be a whole number."],
		[seed, { text: "-1" }, "This must be 0 or more."],
		[seed, { text: "101" }, "This must be 100 or less."],
		[weight, { text: "heavy" }, "This must be a number."],
		[ratio, { text: "16:10" }, "Pick one from the list."],
		[days, { text: "8" }, "Pick one from the list."],
		[hidden, { text: "perhaps" }, "Pick one from the list."],
		[start, { text: "a.png" }, "Choose a file."],
		[start, { uploading: new File(["x"], "a.png") }, "a.png is still uploading."],
	])("%o rejects %o: %s", (validated, change, message) => {
		expect(validate(validated, change)).toStrictEqual({ ok: false, message });
	});
});

describe("a whole command", () => {
	test("sends valid options and the focused text to autocomplete", () => {
		const command = { path: "image", label: "image", description: "", options: [prompt, seed, ratio] };
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

	test.each<[string, Type, readonly ChannelType[], readonly string[]]>([
		["a user, also the bot, and one who is not in the server", Type.User, [], ["Mia", "Atelier", "Noah"]],
		["a user or a role", Type.Mentionable, [], ["Mia", "Atelier", "Noah", "@Artists"]],
		["a channel of the server", Type.Channel, [], ["#general", "#Boats"]],
		["a channel of an allowed type", Type.Channel, [ChannelType.PublicThread], ["#Boats"]],
	])("offers %s", (_, type, channelTypes, expected) => {
		const offered = fixedChoices(option("target", type, { channel_types: channelTypes }), directory);
		expect(names(offered ?? [])).toStrictEqual(expected);
	});

	test.each([
		[{ text: "sq" }, ["Square"]],
		[{ text: "16" }, ["Wide"]],
		[{ text: "Wide", picked: choices[0] }, ["Wide", "Square"]],
	])("filters choices by name and value, and shows all after a selection: %j", (typed, found) => {
		expect(names(matchingChoices(choices, { name: "ratio", ...typed }))).toStrictEqual(found);
	});
});
