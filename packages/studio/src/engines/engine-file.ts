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
import { engineFile, modelEntry } from "./engine-file-schema.ts";
import type { EngineKind } from "./engine-kind.ts";
import { ENGINE_KINDS } from "./engine-kinds.ts";

export interface EngineFileDeps {
	readonly kinds?: readonly EngineKind[];
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

/** A secret becomes the value of an HTTP header. */
const SECRET = /^[\x21-\x7e]+$/;

/** Opens all engines of the file, or none: throws one `EngineFileError` with all problems that were found. */
export async function openEngines(path: string, deps: EngineFileDeps): Promise<OpenedEngines> {
	const { kinds = ENGINE_KINDS } = deps;
	const issues: string[] = [];
	const addIssue = (settingPath: string, message: string): void =>
		void issues.push(settingPath === "" ? message : `${settingPath}: ${message}`);
	const throwIssues = (): never => {
		throw new EngineFileError(`check ${basename(path)}\n${issues.map((each) => `  ${each}`).join("\n")}`);
	};

	/** Returns the parsed value, or `undefined` after recording the problems. */
	function parse<T>(schema: z.ZodType<T>, value: unknown, settingPath: string): T | undefined {
		const parsed = schema.safeParse(value);
		if (parsed.success) return parsed.data;
		for (const issue of parsed.error.issues) addIssue(settingPathOf(settingPath, issue.path), issue.message);
		return undefined;
	}

	async function readText(filePath: string, settingPath: string): Promise<string | undefined> {
		try {
			return await readFile(filePath, "utf8");
		} catch (error) {
			const { code = "unknown" } = error as NodeJS.ErrnoException;
			addIssue(settingPath, `expected a file that can be read at ${filePath} (${code})`);
			return undefined;
		}
	}

	async function readEngineFile(): Promise<z.infer<typeof engineFile>> {
		const text = await readText(path, "");
		if (text === undefined) return throwIssues();
		try {
			return parse(engineFile, JSON.parse(text), "") ?? throwIssues();
		} catch (error) {
			if (!(error instanceof SyntaxError)) throw error;
			// The parser's message may quote the file, which contains no secret.
			addIssue("", `expected JSON: ${error.message}`);
			return throwIssues();
		}
	}

	const file = await readEngineFile();
	const names = Object.keys(file.engines);
	if (names.length === 0) addIssue("engines", "expected at least one engine");

	const entries = Object.entries(file.engines).flatMap(([name, { kind: kindName, ...rest }]) => {
		const kind = kinds.find((each) => each.kind === kindName);
		if (!kind) addIssue(`engines.${name}.kind`, `expected one of ${kinds.map((each) => each.kind).join(", ")}`);
		const settings = kind && parse(kind.settings, rest, `engines.${name}`);
		return kind && settings !== undefined ? [{ name, kind, settings }] : [];
	});

	const usedIds = new Set(kinds.flatMap(({ builtInModels = [] }) => builtInModels.map(({ id }) => id)));
	const models = file.models.flatMap((entry, index) => {
		const model = parse(modelEntry, entry, `models[${index}]`);
		if (!model) return [];
		if (usedIds.has(model.id)) addIssue(`models[${index}].id`, `expected another id: ${model.id} is taken`);
		usedIds.add(model.id);
		return [model];
	});

	// Every model has existing engines, each once.
	for (const { id, engines: choices } of models) {
		for (const [index, { engine }] of choices.entries()) {
			const settingPath = `models.${id}.engines[${index}].engine`;
			if (!names.includes(engine)) addIssue(settingPath, `expected one of ${names.join(", ") || "the engines above"}`);
			const isRepeated = choices.findIndex((other) => other.engine === engine) < index;
			if (isRepeated) addIssue(settingPath, `expected ${engine} once`);
		}
	}

	const engines: Engine[] = [];
	for (const { name, kind, settings } of entries) {
		const settingPath = `engines.${name}`;
		const served = models.flatMap(({ engines: choices, ...model }) =>
			choices.flatMap(({ engine, ...rest }, index) => {
				if (engine !== name) return [];
				const entryPath = `models.${model.id}.engines[${index}]`;
				const modelSettings = parse(kind.modelSettings, rest, entryPath);
				return [{ model, modelSettings, settingPath: entryPath }];
			}),
		);
		if (served.length === 0 && !kind.builtInModels) {
			addIssue(settingPath, "expected a model that it serves");
		}
		const servedModels = served.filter(({ modelSettings }) => modelSettings !== undefined);
		const secret = readSecret(settings, deps.env, (message) => addIssue(`${settingPath}.secret`, message));
		const config = { name, settings, secret, models: servedModels };
		const readRelativeFile = (relativePath: string, fromSetting: string): Promise<string | undefined> =>
			readText(resolve(dirname(path), relativePath), fromSetting);
		engines.push(await kind.open(config, { ...deps, readFile: readRelativeFile, addIssue }));
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

/**
 * Reads the secret of an engine; `undefined` without the setting `secret`. Problems name the source of the secret and never
 * quote it. After a problem, `openEngines` closes the engines that it has opened.
 */
function readSecret(
	settings: unknown,
	env: EngineFileDeps["env"],
	addIssue: (message: string) => void,
): string | undefined {
	const { secret: source } = settings as { readonly secret?: { readonly env: string } };
	if (source === undefined) return undefined;
	const found = findSecret(env, source.env);
	if ("problem" in found) {
		addIssue(`${found.name}: ${found.problem}`);
		return "";
	}
	const secret = (found.text ?? "").trim();
	if (secret === "") addIssue(`expected the secret in the variable ${found.name}, which is empty`);
	else if (!SECRET.test(secret)) {
		addIssue(`expected a secret of visible ASCII characters, without blanks, in the variable ${found.name}`);
	}
	return secret;
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
