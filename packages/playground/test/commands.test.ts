import { describe, expect, test } from "vitest";
import type { APIApplicationCommand } from "discord-api-types/v10";
import { IMAGE_COMMAND, invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

async function setup() {
	const playground = await openPlayground();
	const path = `/applications/${playground.applicationId}/commands`;
	const put = (body: unknown) => playground.rest("PUT", path, body);
	return { ...playground, path, put };
}

const command = (options: object[]) => [{ name: "image", description: "Makes", options }];

describe("registering commands", () => {
	test("PUT replaces the whole list, and returns it", async () => {
		const { put, rest, path, applicationId } = await setup();
		expect(await put([IMAGE_COMMAND, { name: "video", description: "Makes" }])).toMatchObject({
			status: 200,
			body: [
				{ name: "image", type: 1, application_id: applicationId, default_member_permissions: null },
				{ name: "video" },
			],
		});
		await put([IMAGE_COMMAND]);
		expect(((await rest("GET", path)).body as APIApplicationCommand[]).map(({ name }) => name)).toStrictEqual([
			"image",
		]);
	});

	test("ignores fields of subcommands that only commands have, as sent by seyfert", async () => {
		const { put } = await setup();
		const more = { nsfw: true, contexts: [0], integration_types: [0] };
		const [made] = (await put(command([{ type: 1, name: "sub", description: "x", ...more }])))
			.body as APIApplicationCommand[];
		expect(made?.options).toStrictEqual([{ type: 1, name: "sub", description: "x" }]);
		expect(made?.nsfw).toBe(false);
	});

	test("accepts a boolean option with autocomplete: false, as seyfert sends it, and rejects autocomplete: true", async () => {
		const { put } = await setup();
		const option = { type: 5, name: "loud", description: "x", autocomplete: false };
		const branch = { type: 1, name: "sub", description: "x", options: [option] };
		expect(await put([...command([option]), { name: "video", description: "x", options: [branch] }])).toMatchObject({
			status: 200,
		});
		expect(await put(command([{ ...option, autocomplete: true }]))).toMatchObject(
			invalidFormBody("0.options.0.autocomplete", "BASE_TYPE_BAD"),
		);
	});

	test("an unchanged command keeps its id and version; a changed one gets a new version", async () => {
		const { put } = await setup();
		const [first] = (await put([IMAGE_COMMAND])).body as APIApplicationCommand[];
		const [same] = (await put([IMAGE_COMMAND])).body as APIApplicationCommand[];
		expect(same).toStrictEqual(first);
		const [changed] = (await put([{ ...IMAGE_COMMAND, description: "Paints" }])).body as APIApplicationCommand[];
		expect(changed).toMatchObject({ id: first?.id, description: "Paints" });
		expect(changed?.version).not.toBe(first?.version);
	});

	test("POST returns 201 for a new command, and 200 for one that it replaces", async () => {
		const { rest, path } = await setup();
		expect(await rest("POST", path, IMAGE_COMMAND)).toMatchObject({ status: 201 });
		expect(await rest("POST", path, { ...IMAGE_COMMAND, description: "Paints" })).toMatchObject({ status: 200 });
	});

	test("a command can be read, changed and deleted by its id", async () => {
		const { rest, path } = await setup();
		const { id } = (await rest("POST", path, IMAGE_COMMAND)).body as APIApplicationCommand;
		expect(await rest("PATCH", `${path}/${id}`, { description: "Paints" })).toMatchObject({ status: 200 });
		expect(await rest("GET", `${path}/${id}`)).toMatchObject({
			body: { description: "Paints", options: expect.any(Array) },
		});
		expect(await rest("DELETE", `${path}/${id}`)).toMatchObject({ status: 204 });
		expect(await rest("GET", `${path}/${id}`)).toMatchObject(refusal(404, 10063));
	});

	test("a command of any type can be renamed, but not to the name of another", async () => {
		const { put, rest, path } = await setup();
		const launch = { type: 4, name: "launch", description: "x", handler: 2 };
		const bodies = [IMAGE_COMMAND, { ...IMAGE_COMMAND, name: "video" }, { type: 2, name: "Greet" }, launch];
		const [image, , greet] = (await put(bodies)).body as APIApplicationCommand[];
		const rename = (renamed: APIApplicationCommand | undefined, name: string) =>
			rest("PATCH", `${path}/${renamed?.id}`, { name });
		expect(await rename(image, "picture")).toMatchObject({
			status: 200,
			body: { name: "picture", description: "Makes a picture" },
		});
		expect(await rename(greet, "Give Points")).toMatchObject({ status: 200, body: { name: "Give Points" } });
		expect(await rename(image, "Not Valid")).toMatchObject(invalidFormBody("name"));
		const errors = { _errors: [{ code: "APPLICATION_COMMANDS_DUPLICATE_NAME" }] };
		expect(await rename(image, "video")).toMatchObject({ status: 400, body: { code: 50035, errors } });
	});

	test("rejects 101 commands", async () => {
		const { put } = await setup();
		const bodies = Array.from({ length: 101 }, (_, at) => ({ name: `c${at}`, description: "x" }));
		expect(await put(bodies)).toMatchObject(refusal(400, 30032));
	});
});

test("a rejected list leaves the registered commands unchanged", async () => {
	const { put, rest, path } = await setup();
	await put([IMAGE_COMMAND]);
	await put([{ name: "Bad Name", description: "x" }]);
	expect((await rest("GET", path)).body).toMatchObject([{ name: "image" }]);
});

describe("a command is rejected for", () => {
	test.each([
		["a name with capitals and a space", [{ name: "Make It", description: "x" }], { 0: { name: {} } }],
		[
			"a description or options in a context menu",
			[
				{ type: 2, name: "Greet", description: "x" },
				{ type: 3, name: "Keep", options: [{ type: 3, name: "a", description: "x" }] },
			],
			{ 0: { description: {} }, 1: { options: {} } },
		],
		["a missing description", [{ name: "image" }], { 0: { description: {} } }],
		["nsfw that is neither true nor false", [{ ...IMAGE_COMMAND, nsfw: "banana" }], { 0: { nsfw: {} } }],
		[
			"an unknown locale, of the command or of an option",
			[
				{
					...IMAGE_COMMAND,
					name_localizations: { xx: "y" },
					options: [{ type: 3, name: "a", description: "x", description_localizations: { yy: "z" } }],
				},
			],
			{ 0: { name_localizations: { xx: {} }, options: { 0: { description_localizations: { yy: {} } } } } },
		],
		["the same name twice", [IMAGE_COMMAND, IMAGE_COMMAND], { 1: { _errors: [{}] } }],
		[
			"an unknown field",
			[{ ...IMAGE_COMMAND, colour: "blue" }],
			{ 0: { colour: { _errors: [{ code: "UNKNOWN_FIELD" }] } } },
		],
		[
			"a required option after an optional one",
			command([
				{ type: 3, name: "a", description: "x" },
				{ type: 3, name: "b", description: "x", required: true },
			]),
			{ 0: { options: { 1: {} } } },
		],
		[
			"autocomplete together with choices",
			command([{ type: 3, name: "a", description: "x", autocomplete: true, choices: [{ name: "n", value: "v" }] }]),
			{ 0: { options: { 0: {} } } },
		],
		[
			"an unknown type of an option, naming the others",
			command([{ type: 99, name: "a", description: "x" }]),
			{
				0: {
					options: {
						0: { type: { _errors: [{ message: "Value must be one of (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)." }] } },
					},
				},
			},
		],
		[
			"a minimum above the maximum",
			command([
				{ type: 3, name: "a", description: "x", min_length: 5, max_length: 4 },
				{ type: 4, name: "b", description: "x", min_value: 5, max_value: 4 },
				{ type: 10, name: "c", description: "x", min_value: 0.5, max_value: 0.25 },
			]),
			{ 0: { options: { 0: { min_length: {} }, 1: { min_value: {} }, 2: { min_value: {} } } } },
		],
		[
			"a bound that no value of the type has",
			command([
				{ type: 4, name: "a", description: "x", min_value: 1.5 },
				{ type: 10, name: "b", description: "x", min_value: -1e300, max_value: 1e300 },
			]),
			{ 0: { options: { 0: { min_value: {} }, 1: { min_value: {}, max_value: {} } } } },
		],
		[
			"a choice with more than 100 characters",
			command([{ type: 3, name: "a", description: "x", choices: [{ name: "n", value: "v".repeat(101) }] }]),
			{ 0: { options: { 0: { choices: { 0: { value: {} } } } } } },
		],
		[
			// 25 options with more than 350 characters each, choices included.
			"more than 8000 characters in all",
			Array.from({ length: 1 }, () => ({
				name: "image",
				description: "x",
				options: Array.from({ length: 25 }, (_, n) => ({
					type: 3,
					name: `o${n}`,
					description: "x".repeat(100),
					choices: Array.from({ length: 5 }, (__, m) => ({ name: `${m}`.padEnd(50, "x"), value: `${m}` })),
				})),
			})),
			{ 0: { _errors: [{}] } },
		],
	])("%s", async (_, body, errors) => {
		const { put } = await setup();
		expect(await put(body)).toMatchObject({ status: 400, body: { code: 50035, errors } });
	});
});
