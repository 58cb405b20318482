import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import type { CatalogModel } from "./catalog-model.ts";
import type { Engine } from "./engine.ts";

/** A model that an engine serves, with its settings for this engine. */
export interface ServedModel<ModelSettings> {
	readonly model: CatalogModel;
	readonly modelSettings: ModelSettings;
	/** The path of the engine's entry in the engine file, for messages. */
	readonly settingPath: string;
}

export interface EngineConfig<Settings, ModelSettings> {
	readonly name: string;
	readonly settings: Settings;
	/** The value of the setting `secret`. */
	readonly secret: string | undefined;
	readonly models: readonly ServedModel<ModelSettings>[];
}

interface EngineKindDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** Reads a file that the engine file names; records a problem if that fails. */
	readonly readFile: (path: string, settingPath: string) => Promise<string | undefined>;
	/** Records a problem with advice. With any problem, no engine is used. */
	readonly addIssue: (settingPath: string, message: string) => void;
	/** Downloads results: from this origin even if it is private, from others only if they are public. */
	readonly downloadFor: (origin: string) => Download;
}

/** A kind of engine in the engine file. A new one is a file with such an object, and a line in `ENGINE_KINDS`. */
export interface EngineKind<Settings = unknown, ModelSettings = unknown> {
	readonly kind: string;
	/** The settings of an engine, beside `kind`. */
	readonly settings: z.ZodType<Settings>;
	/** The settings of a model for this kind of engine, beside `engine`. */
	readonly modelSettings: z.ZodType<ModelSettings>;
	/** Models that every engine of this kind serves, without an entry in the file. */
	readonly builtInModels?: readonly CatalogModel[];
	open(config: EngineConfig<Settings, ModelSettings>, deps: EngineKindDeps): Promise<Engine>;
}

const CONCURRENCY_MAX = 1000;

/** The setting for the limit of concurrent tasks. */
export const concurrency = z.int().min(1).max(CONCURRENCY_MAX).exactOptional();

/** Secrets are in the environment, or in files that it names, so that the engine file can be shared. */
const secretSource = z.strictObject(
	{ env: z.string().min(1) },
	{ error: 'expected {"env": "NAME"}: the secret itself does not belong in this file' },
);

/** The settings of every engine that is reached over HTTP. */
export const remoteSettings = {
	url: z
		.url({ protocol: /^https?$/, error: "expected an http or https address, such as http://127.0.0.1:8188" })
		.refine((url) => (URL.parse(url)?.username ?? "") === "", {
			error: "expected an address without a password in it: use secret",
		}),
	secret: secretSource.exactOptional(),
	concurrency,
};
