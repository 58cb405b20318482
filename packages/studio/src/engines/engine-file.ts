/**
 * Reads the engine file: engines, and the models that they serve. Read once at the start. Reports problems together, each
 * with its path and advice; those of a model at an engine are found only if the engine's own settings are valid.
 */
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import { findSecret } from "@atelier/common/secrets";
import { OperatorError } from "@atelier/common/operator-error";
import type { Engine } from "./engine.ts";
import { engineFile, modelEntry, publicModel, type ModelEntry } from "./engine-file-schema.ts";
import type { EngineKind, ServedModel } from "./engine-kind.ts";

export interface EngineFileDeps {
	readonly kinds: readonly EngineKind[];
	/** The environment with the secrets that the file names. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly downloadFor: (origin: string) => Download;
}

export interface OpenedEngines {
	readonly engines: readonly Engine[];
	/** The engines of each model by name, preferred first. */
	readonly engineOrder: Readonly<Record<string, readonly string[]>>;
}

/** The engine file is invalid. The message has all problems that were found. */
export class EngineFileError extends OperatorError {
	override readonly name = "EngineFileError";
}

interface ParsedEngine {
	readonly name: string;
	readonly kind: EngineKind;
	readonly settings: unknown;
}

/** A secret becomes the value of an HTTP header. */
const SECRET = /^[\x21-\x7e]+$/;

/** Opens all engines of the file, or none: throws one `EngineFileError` with all problems that were found. */
export async function openEngines(path: string, deps: EngineFileDeps): Promise<OpenedEngines> {
	const issues: string[] = [];
	const addIssue = (settingPath: string, message: string): void =>
		void issues.push(settingPath === "" ? message : `${settingPath}: ${message}`);
	const throwIssues = (): never => {
		throw new EngineFileError(`check ${basename(path)}\n${issues.map((each) => `  ${each}`).join("\n")}`);
	};

	const file = parse(engineFile, await readJson(path, addIssue), "", addIssue);
	if (!file) return throwIssues();
	const parsed = parseEngines(file.engines, deps.kinds, addIssue);
	const models = parseModels(file.models, deps.kinds, addIssue);
	checkServing(models, file.engines, parsed, addIssue);

	const engines: Engine[] = [];
	for (const { name, kind, settings } of parsed) {
		const settingPath = `engines.${name}`;
		const servedModels = servedModelsOf(name, kind, models, addIssue);
		const secret = readSecret(settings, deps.env, `${settingPath}.secret`, addIssue);
		const readRelativeFile = (relativePath: string, fromSetting: string): Promise<string | undefined> =>
			readText(resolve(dirname(path), relativePath), fromSetting, addIssue);
		engines.push(
			await kind.open(
				{ name, settings, secret, models: servedModels },
				{ ...deps, readFile: readRelativeFile, addIssue },
			),
		);
	}
	if (issues.length > 0) {
		await Promise.all(engines.map((engine) => engine.close()));
		throwIssues();
	}
	const engineOrder = Object.fromEntries(
		models.map(({ id, engines: choices }) => [id, choices.map(({ engine }) => engine)]),
	);
	return { engines, engineOrder };
}

type AddIssue = (settingPath: string, message: string) => void;

function parseEngines(
	entries: z.infer<typeof engineFile>["engines"],
	kinds: readonly EngineKind[],
	addIssue: AddIssue,
): readonly ParsedEngine[] {
	return Object.entries(entries).flatMap(([name, { kind: kindName, ...rest }]) => {
		const kind = kinds.find((each) => each.kind === kindName);
		if (!kind) {
			addIssue(`engines.${name}.kind`, `expected one of ${kinds.map((each) => each.kind).join(", ")}`);
			return [];
		}
		const settings = parse(kind.settings, rest, `engines.${name}`, addIssue);
		return settings === undefined ? [] : [{ name, kind, settings }];
	});
}

function parseModels(
	entries: readonly unknown[],
	kinds: readonly EngineKind[],
	addIssue: AddIssue,
): readonly ModelEntry[] {
	const usedIds = new Set(kinds.flatMap(({ builtInModels }) => builtInModels.map(({ id }) => id)));
	return entries.flatMap((entry, index) => {
		const model = parse(modelEntry, entry, `models[${index}]`, addIssue);
		if (!model) return [];
		if (usedIds.has(model.id)) addIssue(`models[${index}].id`, `expected another id: ${model.id} is taken`);
		usedIds.add(model.id);
		return [model];
	});
}

/** Checks that every model has existing engines, each once, and that every engine serves a model. */
function checkServing(
	models: readonly ModelEntry[],
	engineEntries: Readonly<Record<string, unknown>>,
	engines: readonly ParsedEngine[],
	addIssue: AddIssue,
): void {
	const names = Object.keys(engineEntries);
	if (names.length === 0) addIssue("engines", "expected at least one engine");
	for (const { id, engines: choices } of models) {
		for (const [index, { engine }] of choices.entries()) {
			const settingPath = `models.${id}.engines[${index}].engine`;
			if (!names.includes(engine)) addIssue(settingPath, `expected one of ${names.join(", ") || "the engines above"}`);
			if (choices.findIndex((other) => other.engine === engine) < index) {
				addIssue(settingPath, `expected ${engine} once`);
			}
		}
	}
	for (const { name, kind } of engines) {
		const isReferenced = models.some(({ engines: choices }) => choices.some(({ engine }) => engine === name));
		if (!isReferenced && kind.builtInModels.length === 0)
			addIssue(`engines.${name}`, "expected a model that it serves");
	}
}

function servedModelsOf(
	name: string,
	kind: EngineKind,
	models: readonly ModelEntry[],
	addIssue: AddIssue,
): readonly ServedModel<unknown>[] {
	return models.flatMap((model) =>
		model.engines.flatMap(({ engine, ...rest }, index) => {
			if (engine !== name) return [];
			const settingPath = `models.${model.id}.engines[${index}]`;
			const mapping = parse(kind.mapping, rest, settingPath, addIssue);
			return mapping === undefined ? [] : [{ model: publicModel(model), mapping, settingPath }];
		}),
	);
}

/**
 * Reads the secret of an engine; `undefined` without the setting `secret`. Problems name the source of the secret and never
 * quote it. After a problem, `openEngines` closes the engines that it has opened.
 */
function readSecret(
	settings: unknown,
	env: EngineFileDeps["env"],
	settingPath: string,
	addIssue: AddIssue,
): string | undefined {
	const { secret: source } = settings as { readonly secret?: { readonly env: string } };
	if (source === undefined) return undefined;
	const found = findSecret(env, source.env);
	if ("problem" in found) {
		addIssue(settingPath, `${found.name}: ${found.problem}`);
		return "";
	}
	const secret = (found.text ?? "").trim();
	if (secret === "") {
		addIssue(settingPath, `expected the secret in the variable ${found.name}, which is empty`);
	} else if (!SECRET.test(secret)) {
		addIssue(
			settingPath,
			`expected a secret of visible ASCII characters, without blanks, in the variable ${found.name}`,
		);
	}
	return secret;
}

async function readJson(path: string, addIssue: AddIssue): Promise<unknown> {
	const text = await readText(path, "", addIssue);
	if (text === undefined) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		// The parser's message may quote the file, which contains no secret.
		addIssue("", `expected JSON: ${(error as Error).message}`);
		return undefined;
	}
}

async function readText(path: string, settingPath: string, addIssue: AddIssue): Promise<string | undefined> {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		addIssue(
			settingPath,
			`expected a file that can be read at ${path} (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
		);
		return undefined;
	}
}

/** Returns the parsed value, or `undefined` after recording the problems. */
function parse<T>(schema: z.ZodType<T>, value: unknown, settingPath: string, addIssue: AddIssue): T | undefined {
	if (value === undefined) return undefined;
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	for (const { path, message } of parsed.error.issues) addIssue(settingPathOf(settingPath, path), message);
	return undefined;
}

/** Appends the path of an issue: `engines.gpu` and `["options", 0]` become `engines.gpu.options[0]`. */
function settingPathOf(settingPath: string, issuePath: readonly PropertyKey[]): string {
	let path = settingPath;
	for (const step of issuePath) {
		if (typeof step === "number") path += `[${step}]`;
		else path += path === "" ? String(step) : `.${String(step)}`;
	}
	return path;
}
