import { createDownload } from "@atelier/common/download";
import type { EngineFileDeps, OpenedEngines } from "../engines/engine-file.ts";
import { createSketchEngine } from "../engines/sketch-engine.ts";

/** The maximum of one output of an engine, which is held in memory. */
const ENGINE_OUTPUT_BYTES_MAX = 100 * 1024 * 1024;

/** Returns the engines that the file lists; without a file, those that need no configuration. */
export async function loadEngines(
	file: string | undefined,
	deps: Pick<EngineFileDeps, "clock" | "logger" | "env">,
): Promise<OpenedEngines> {
	const { clock, logger, env } = deps;
	if (file === undefined) {
		logger.info("the engine is sketch, which is not AI; docs/engines.md says how to connect a real one");
		return { engines: [createSketchEngine()], engineOrder: {} };
	}
	// Loaded only for connected engines: these modules load the libraries that measure their files.
	const { openEngines } = await import("../engines/engine-file.ts");
	return await openEngines(file, {
		env,
		clock,
		logger,
		downloadFor: (trustedOrigin) =>
			createDownload({ clock, trustedOrigins: [trustedOrigin], bytesMax: ENGINE_OUTPUT_BYTES_MAX }),
	});
}
