import { z } from "zod";
import { concurrency, type EngineKind } from "../engine-kind.ts";
import { SKETCH_MODELS } from "./models.ts";
import { createSketchEngine } from "./sketch-engine.ts";

const settings = z.strictObject({ concurrency });

/** The built-in engine beside others. */
export const sketchKind: EngineKind<z.infer<typeof settings>, never> = {
	kind: "sketch",
	settings,
	serving: z.never({ error: "expected another engine: sketch makes its own models and no others" }),
	ownModels: SKETCH_MODELS,
	async open({ name, settings: { concurrency: atATime } }, { clock }) {
		const engine = createSketchEngine({ clock });
		return { ...engine, name, ...(atATime !== undefined && { concurrency: atATime }) };
	},
};
