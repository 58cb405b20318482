import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createDownload } from "@atelier/common/download";
import { EngineFileError, openEngines } from "../../src/engines/engine-file.ts";
import { sketchKind } from "../../src/engines/sketch-engine.ts";
import { remoteSettings, type EngineConfig, type EngineKind } from "../../src/engines/engine-kind.ts";
import { createFakeEngine } from "../../testing/fake-engine.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const settings = z.strictObject({ ...remoteSettings, template: z.string().exactOptional() });
const modelSettings = z.strictObject({ as: z.string({ error: "expected what the engine calls the model" }) });
type Config = EngineConfig<z.infer<typeof settings>, z.infer<typeof modelSettings>>;

const MODEL = {
	id: "fast",
	name: "Fast",
	mediaType: "image",
	scenes: ["text-to-image"],
	options: { aspect_ratio: { type: "string", enum: ["1:1", "16:9"] } },
	price: { credits: 3 },
	typicalSeconds: 10,
	engines: [{ engine: "near", as: "fast-v1" }],
};
const FILE = { engines: { near: { kind: "remote", url: "http://127.0.0.1:1" } }, models: [MODEL] };

/** Opens a file with this content, or a missing one; `openedConfigs` records the arguments of the kinds. */
async function open(content: unknown, env: Record<string, string> = {}) {
	const folder = await createTempFolder();
	const path = join(folder, "engines.json");
	if (content !== undefined) await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
	const openedConfigs: Config[] = [];
	const closed: string[] = [];
	const remote: EngineKind<Config["settings"], z.infer<typeof modelSettings>> = {
		kind: "remote",
		settings,
		modelSettings,
		async open(config, deps) {
			openedConfigs.push(config);
			if (config.settings.template !== undefined) await deps.readFile(config.settings.template, "template");
			const { name } = config;
			const models = config.models.map(({ model }) => model);
			return { ...createFakeEngine({ name, models }), close: async () => void closed.push(name) };
		},
	};
	const clock = createManualClock();
	const opened = await openEngines(path, {
		kinds: [remote, sketchKind],
		env,
		clock,
		logger: pino({ level: "silent" }),
		downloadFor: (origin) => createDownload({ clock, trustedOrigins: [origin] }),
	}).catch((error: unknown) => {
		if (error instanceof EngineFileError) return { message: error.message, engines: [], engineOrder: {} };
		throw error;
	});
	onTestFinished(async () => {
		for (const engine of opened.engines) await engine.close();
	});
	return { message: "", ...opened, openedConfigs, closed };
}

const messageOf = async (content: unknown, env?: Record<string, string>): Promise<string> =>
	(await open(content, env)).message;
const serve = (...names: string[]): object[] => names.map((engine) => ({ engine, as: "x" }));
const withEngine = (change: object): object => ({ ...FILE, engines: { near: { ...FILE.engines.near, ...change } } });
const withModel = (change: object): object => ({ ...FILE, models: [{ ...MODEL, ...change }] });
const withOption = (x: object): object => withModel({ options: { x } });

describe("the engine file", () => {
	test("names engines and the models that they serve, with defaults filled in", async () => {
		const { engines, openedConfigs } = await open(FILE);
		expect(engines.map(({ name }) => name)).toStrictEqual(["near"]);
		expect(engines[0]?.models()).toStrictEqual([
			{
				id: "fast",
				name: "Fast",
				description: "",
				mediaType: "image",
				scenes: ["text-to-image"],
				options: { aspect_ratio: { type: "string", description: "", enum: ["1:1", "16:9"], default: "1:1" } },
				price: { credits: 3, per: "output", resolutionFactors: {} },
				typicalSeconds: 10,
			},
		]);
		expect(openedConfigs[0]?.models[0]?.modelSettings).toStrictEqual({ as: "fast-v1" });
	});

	test("may list the built-in engine, which has its own models", async () => {
		const { engines } = await open({ engines: { ...FILE.engines, drawn: { kind: "sketch" } }, models: [MODEL] });
		expect(engines.map((engine) => engine.models().map(({ id }) => id))).toStrictEqual([
			["fast"],
			["sketch", "sketch-motion", "sketch-tune", "sketch-enlarge"],
		]);
	});

	test("sets the order of engines per model", async () => {
		const far = { kind: "remote", url: "http://127.0.0.1:2" };
		const { engineOrder } = await open({
			engines: { ...FILE.engines, far },
			models: [
				{ ...MODEL, engines: serve("near", "far") },
				{ ...MODEL, id: "slow", engines: serve("far", "near") },
			],
		});
		expect(engineOrder).toStrictEqual({ fast: ["near", "far"], slow: ["far", "near"] });
	});

	test.each([
		["a variable", { env: "KEY" }, "from-the-environment"],
		["a file that a variable names", { env: "MOUNTED" }, "mounted"],
	])("reads a secret from %s", async (_, secret, expected) => {
		const mounted = join(await createTempFolder(), "mounted");
		await writeFile(mounted, "mounted\n");
		const { openedConfigs } = await open(withEngine({ secret }), {
			KEY: "from-the-environment",
			MOUNTED_FILE: mounted,
		});
		expect(openedConfigs[0]?.secret).toBe(expected);
	});

	test("rejects a secret in a variable and in a file", async () => {
		const message = await messageOf(withEngine({ secret: { env: "KEY" } }), {
			KEY: "from-the-environment",
			KEY_FILE: "secrets/key",
		});
		expect(message).toContain("engines.near.secret: KEY_FILE: expected nothing, because KEY is set as well");
	});
});

describe("an invalid engine file", () => {
	test("is rejected with several problems at once, each with its path", async () => {
		const content = {
			engines: {
				near: { kind: "remote", url: "10.0.0.7", secret: "hunter2", colour: "red" },
				odd: { kind: "magic" },
				idle: { kind: "remote", url: "http://127.0.0.1:2", concurrency: 0 },
			},
			models: [
				{ ...MODEL, mediaType: "poem", engines: [] },
				{ ...MODEL, id: "b", engines: [{ engine: "unknown" }, { engine: "near" }] },
				{ ...MODEL, id: "sketch" },
			],
		};
		const message = await messageOf(content);
		expect(message).not.toContain("hunter2");
		expect(message.split("\n")).toStrictEqual([
			"check engines.json",
			"  engines.near.url: expected an http or https address, such as http://127.0.0.1:8188",
			'  engines.near.secret: expected {"env": "NAME"}: the secret itself does not belong in this file',
			'  engines.near: Unrecognized key: "colour"',
			"  engines.odd.kind: expected one of remote, sketch",
			"  engines.idle.concurrency: Too small: expected number to be >=1",
			'  models[0].mediaType: Invalid option: expected one of "image"|"video"|"music"',
			"  models[0].engines: expected at least one engine that serves the model",
			"  models[2].id: expected another id: sketch is taken",
			"  models.b.engines[0].engine: expected one of near, odd, idle",
		]);
	});

	test.each([
		["", "expected JSON: "],
		["{", "expected JSON: "],
		[{}, "engines: expected the engines, each under its name"],
		[{ engines: {} }, "engines: expected at least one engine"],
		[{ engines: FILE.engines }, "engines.near: expected a model that it serves"],
		[withEngine({ url: "http://u:p@h" }), "without a password in it"],
		[withEngine({ secret: { env: "KEY" } }), "in the variable KEY, which is"],
		[withEngine({ template: "no.json" }), "template: expected a file that can"],
		[{ ...FILE, models: [MODEL, MODEL] }, "models[1].id: expected another id: fast is taken"],
		[withModel({ engines: [{ engine: "near" }] }), "models.fast.engines[0].as: expected what the engine calls"],
		[withModel({ engines: [...MODEL.engines, ...MODEL.engines] }), "models.fast.engines[1].engine: expected near once"],
		[withModel({ scenes: ["text-to-video"] }), "models[0].scenes: expected some of text-to-image, image-to-image"],
		[withModel({ scenes: ["image-to-image"] }), 'models[0].options: expected an option of type "array"'],
		[withModel({ price: { credits: 1, per: "second" } }), 'models[0].options: expected an integer option "duration"'],
		[
			withModel({ price: { credits: 1, resolutionFactors: { "4K": 2 } } }),
			"price: expected resolutionFactors for values",
		],
		[withOption({ type: "integer", minimum: 5, maximum: 1 }), "x: expected minimum, default and maximum in this order"],
		[withOption({ type: "string", enum: ["a"], default: "b" }), "options.x: expected a default that is one of enum"],
		[
			{ engines: { a: { kind: "sketch" }, ...FILE.engines }, models: [{ ...MODEL, engines: [{ engine: "a" }] }] },
			"models.fast.engines[0]: expected another engine: sketch serves its own models",
		],
	])("%j is rejected with the valid values", async (content, expected) => {
		expect(await messageOf(content)).toContain(expected);
	});

	test("closes the engines that were opened before the error", async () => {
		const { message, closed } = await open({ ...FILE, models: [MODEL, { ...MODEL, id: "?" }] });
		expect(message).toContain("models[1].id");
		expect(closed).toStrictEqual(["near"]);
	});

	test("that does not exist is reported with its path", async () => {
		expect(await messageOf(undefined)).toMatch(/expected a file that can be read at \/.*engines\.json \(ENOENT\)/);
	});
});
