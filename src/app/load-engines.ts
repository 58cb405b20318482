import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { createDownload } from "@atelier/common/download";
import { openEngines, type OpenedEngines } from "@atelier/studio/engines/engine-file";
import { ENGINE_KINDS } from "@atelier/studio/engines/engine-factories";
import { createSketchEngine } from "@atelier/studio/engines/sketch-engine";

/** One output of an engine, which is in memory as a whole. */
const ENGINE_OUTPUT_BYTES_MAX = 100 * 1024 * 1024;

interface LoadEnginesDeps {
	readonly clock: Clock;
	readonly logger: Logger;
	/** Where the file's secrets are. */
	readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the engine file lists; where there is none, what needs nothing. */
export async function loadEngines(file: string | undefined, deps: LoadEnginesDeps): Promise<OpenedEngines> {
	const { clock, logger, env } = deps;
	if (file === undefined) {
		logger.info("the engine is sketch, which is not AI; docs/engines.md says how to connect a real one");
		return { engines: [createSketchEngine({ clock })], engineOrder: {} };
	}
	return await openEngines(file, {
		kinds: ENGINE_KINDS,
		env,
		clock,
		logger,
		downloadFor: (trusted) => createDownload({ clock, trustedOrigins: [trusted], bytesMax: ENGINE_OUTPUT_BYTES_MAX }),
	});
}
