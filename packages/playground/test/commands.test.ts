/** Registered commands: REST, and the rules of Discord that its schema lacks. */
import { describe, expect, test } from "vitest";
import type { APIApplicationCommand } from "discord-api-types/v10";
import { IMAGE_COMMAND, invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

type Commands = readonly (APIApplicationCommand | undefined)[];

async function setup() {
	const { rest, applicationId } = await openPlayground();
	const path = `/applications/${applicationId}/commands`;
	const put = (...body: readonly object[]) => rest("PUT", path, body);
	return {
		rest,
		applicationId,
		path,
		put,
		registered: async (...body: readonly object[]) => (await put(...body)).body as Commands,
		list: async () => ((await rest("GET", path)).body as APIApplicationCommand[]).map(({ name }) => name),
	};
}

const option = (name: string, change: object = {}) => ({ type: 3, name, description: "x", ...change });
const withOptions = (...options: object[]) => ({ name: "image", description: "Makes", options });

describe("registering commands", () => {
	test("PUT replaces the whole list, and returns it; a rejected one changes nothing", async () => {
		const { put, list, applicationId } = await setup();
		const image = { name: "image", type: 1, application_id: applicationId, default_member_permissions: null };
		expect(await put(IMAGE_COMMAND, { name: "video", description: "Makes" })).toMatchObject({
			status: 200,
			body: [image, { name: "video" }],
		});
		await put(IMAGE_COMMAND);
		await put({ name: "Bad Name", description: "x" });
		expect(await list()).toStrictEqual(["image"]);
	});

	test("ignores fields of subcommands that only commands have, as sent by seyfert", async () => {
		const { registered } = await setup();
		const more = { nsfw: true, contexts: [0], integration_types: [0] };
		const [made] = await registered(withOptions(option("sub", { type: 1, ...more })));
		expect(made).toMatchObject({ nsfw: false });
		expect(made?.options).toStrictEqual([option("sub", { type: 1 })]);
	});

	test("accepts a boolean option with autocomplete: false, as seyfert sends it, and rejects autocomplete: true", async () => {
		const { put } = await setup();
		const loud = option("loud", { type: 5, autocomplete: false });
		const branch = option("sub", { type: 1, options: [loud] });
		const commands = [withOptions(loud), { ...withOptions(branch), name: "video" }];
		expect(await put(...commands)).toMatchObject({ status: 200 });
		const refused = invalidFormBody("0.options.0.autocomplete", "BASE_TYPE_BAD");
		expect(await put(withOptions({ ...loud, autocomplete: true }))).toMatchObject(refused);
	});

	test("an unchanged command keeps its id and version; a changed one gets a new version", async () => {
		const { registered } = await setup();
		const [first] = await registered(IMAGE_COMMAND);
		expect(await registered(IMAGE_COMMAND)).toStrictEqual([first]);
		const [changed] = await registered({ ...IMAGE_COMMAND, description: "Paints" });
		expect(changed).toMatchObject({ id: first?.id, description: "Paints" });
		expect(changed?.version).not.toBe(first?.version);
	});

	test("a command can be created, replaced, read, changed and deleted by its id", async () => {
		const { rest, path } = await setup();
		const created = await rest("POST", path, IMAGE_COMMAND);
		expect(created.status).toBe(201);
		expect(await rest("POST", path, IMAGE_COMMAND)).toMatchObject({ status: 200 });
		const own = `${path}/${(created.body as APIApplicationCommand).id}`;
		expect(await rest("PATCH", own, { description: "Paints" })).toMatchObject({ status: 200 });
		expect(await rest("GET", own)).toMatchObject({ body: { description: "Paints", options: expect.any(Array) } });
		expect(await rest("DELETE", own)).toMatchObject({ status: 204 });
		expect(await rest("GET", own)).toMatchObject(refusal(404, 10063));
	});

	test("a command of any type can be renamed, but not to the name of another", async () => {
		const { registered, rest, path } = await setup();
		const launch = { type: 4, name: "launch", description: "x", handler: 2 };
		const video = { ...IMAGE_COMMAND, name: "video" };
		const [image, , greet] = await registered(IMAGE_COMMAND, video, { type: 2, name: "Greet" }, launch);
		const rename = (renamed: Commands[0], name: string) => rest("PATCH", `${path}/${renamed?.id}`, { name });
		const picture = { name: "picture", description: "Makes a picture" };
		expect(await rename(image, "picture")).toMatchObject({ status: 200, body: picture });
		expect(await rename(greet, "Give Points")).toMatchObject({ status: 200, body: { name: "Give Points" } });
		expect(await rename(image, "Not Valid")).toMatchObject(invalidFormBody("name"));
		const errors = { _errors: [{ code: "APPLICATION_COMMANDS_DUPLICATE_NAME" }] };
		expect(await rename(image, "video")).toMatchObject({ status: 400, body: { code: 50035, errors } });
	});

	test("rejects 101 commands", async () => {
		const { put } = await setup();
		const commands = Array.from({ length: 101 }, (_, at) => ({ name: `c${at}`, description: "x" }));
		expect(await put(...commands)).toMatchObject(refusal(400, 30032));
	});
});

const CHOICES = Array.from({ length: 5 }, (_, at) => ({ name: `${at}`.padEnd(50, "x"), value: `${at}` }));
/** More than 350 characters each, choices included. */
const LONG = Array.from({ length: 25 }, (_, at) =>
	option(`o${at}`, { description: "x".repeat(100), choices: CHOICES }),
);

test.each<[what: string, commands: readonly object[], place: string]>([
	["a name with capitals and a space", [{ name: "Make It", description: "x" }], "0.name"],
	["a description in a context menu", [{ type: 2, name: "Greet", description: "x" }], "0.description"],
	["options in a context menu", [{ type: 3, name: "Keep", options: [option("a")] }], "0.options"],
	["a missing description", [{ name: "image" }], "0.description"],
	["nsfw that is neither true nor false", [{ ...IMAGE_COMMAND, nsfw: "banana" }], "0.nsfw"],
	["an unknown locale", [{ ...IMAGE_COMMAND, name_localizations: { xx: "y" } }], "0.name_localizations.xx"],
	["the same name twice", [IMAGE_COMMAND, IMAGE_COMMAND], "1"],
	["an unknown field", [{ ...IMAGE_COMMAND, colour: "blue" }], "0.colour"],
	["more than 8000 characters in all", [withOptions(...LONG)], "0"],
])("a command is rejected for %s", async (_, commands, place) => {
	expect(await (await setup()).put(...commands)).toMatchObject(invalidFormBody(place));
});

describe("an option is rejected for", () => {
	const text = (change: object) => [option("a", change)];
	const integer = (change: object) => text({ type: 4, ...change });
	const number = (change: object) => text({ type: 10, ...change });
	const choice = { name: "n", value: "v".repeat(101) };

	test.each<[what: string, options: readonly object[], ...places: readonly string[]]>([
		["an unknown locale", text({ description_localizations: { yy: "z" } }), "0.description_localizations.yy"],
		["being required after an optional one", [option("a"), option("b", { required: true })], "1"],
		["autocomplete together with choices", text({ autocomplete: true, choices: CHOICES }), "0"],
		["a minimum length above the maximum", text({ min_length: 5, max_length: 4 }), "0.min_length"],
		["a minimum above the maximum", integer({ min_value: 5, max_value: 4 }), "0.min_value"],
		["a minimum that no integer has", integer({ min_value: 1.5 }), "0.min_value"],
		["a minimum above the maximum of a number", number({ min_value: 0.5, max_value: 0.25 }), "0.min_value"],
		["bounds beyond numbers", number({ min_value: -1e300, max_value: 1e300 }), "0.min_value", "0.max_value"],
		["a choice with more than 100 characters", text({ choices: [choice] }), "0.choices.0.value"],
	])("%s", async (_, options, ...places) => {
		const answer = await (await setup()).put(withOptions(...options));
		for (const place of places) expect(answer).toMatchObject(invalidFormBody(`0.options.${place}`));
	});

	test("an unknown type, and the message names the known ones", async () => {
		const answer = await (await setup()).put(withOptions(option("a", { type: 99 })));
		expect(answer).toMatchObject(invalidFormBody("0.options.0.type"));
		expect(JSON.stringify(answer.body)).toContain("Value must be one of (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).");
	});
});
