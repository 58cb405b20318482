import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { Download } from "@atelier/common/download";
import type { Engine, Model } from "./engine.ts";

/** A model that an engine is to serve, and what the file says of it for this engine alone. */
export interface ServedModel<Serving> {
	readonly model: Model;
	readonly serving: Serving;
	/** Where in the file that stands, for faults. */
	readonly place: string;
}

export interface EngineEntry<Settings, Serving> {
	readonly name: string;
	readonly settings: Settings;
	/** What the `secret` of the settings leads to. */
	readonly secret: string | undefined;
	readonly models: readonly ServedModel<Serving>[];
}

interface OpeningDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** A file that the engine file names, as text; where it cannot be read, that is a fault. */
	readonly readFile: (path: string, place: string) => Promise<string | undefined>;
	/** Notes what is wrong, in words that say what would be right. No engine is used when there is a fault. */
	readonly fault: (place: string, message: string) => void;
	/** Fetches results: from this origin wherever it is, from others where they are public. */
	readonly downloadFor: (origin: string) => Download;
}

/** A kind of engine that the engine file can name. A new one is a file with such an object, and a line in `ENGINE_KINDS`. */
export interface EngineKind<Settings = unknown, Serving = unknown> {
	readonly kind: string;
	/** What the file says of an engine, beside `kind`. */
	readonly settings: z.ZodType<Settings>;
	/** What it says of a model for an engine of this kind, beside `engine`. */
	readonly serving: z.ZodType<Serving>;
	/** Models that it brings with it, and that the file need not describe. */
	readonly ownModels: readonly Model[];
	open(entry: EngineEntry<Settings, Serving>, deps: OpeningDeps): Promise<Engine>;
}

const CONCURRENCY_MAX = 1000;

export const concurrency = z.int().min(1).max(CONCURRENCY_MAX).exactOptional();

/** A secret stands in the environment or in a file, so that the engine file can be shown to anybody. */
const secretSource = z.union(
	[z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
	{ error: 'expected {"env": "NAME"} or {"file": "PATH"}: the secret itself does not belong in this file' },
);

/** What every engine has that is reached over HTTP. */
export const remoteSettings = {
	url: z
		.url({ protocol: /^https?$/, error: "expected an http or https address, such as http://127.0.0.1:8188" })
		.refine((url) => (URL.parse(url)?.username ?? "") === "", {
			error: "expected an address without a password in it: use secret",
		}),
	secret: secretSource.exactOptional(),
	concurrency,
};
