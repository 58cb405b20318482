import type { EngineKind } from "./engine-factory.ts";
import { aceStepKind } from "./ace-step/ace-step-factory.ts";
import { aiHordeKind } from "./ai-horde/ai-horde-factory.ts";
import { comfyUiKind } from "./comfyui/comfyui-factory.ts";
import { falKind } from "./fal/fal-factory.ts";
import { mediaServiceKind } from "./media-service/media-service-factory.ts";
import { openAiImagesKind } from "./openai-images/openai-images-factory.ts";
import { replicateKind } from "./replicate/replicate-factory.ts";
import { sketchKind } from "./sketch-engine.ts";

/** All kinds of engines: a new one is a line here. */
export const ENGINE_KINDS: readonly EngineKind[] = [
	sketchKind,
	comfyUiKind,
	openAiImagesKind,
	aceStepKind,
	aiHordeKind,
	falKind,
	replicateKind,
	mediaServiceKind,
];
