import type { EngineKind } from "./engine-kind.ts";
import { aceStepKind } from "./ace-step/ace-step-kind.ts";
import { aiHordeKind } from "./ai-horde/ai-horde-kind.ts";
import { comfyUiKind } from "./comfyui/comfyui-kind.ts";
import { falKind } from "./fal/fal-kind.ts";
import { mediaServiceKind } from "./media-service/media-service-kind.ts";
import { openAiImagesKind } from "./openai-images/openai-images-kind.ts";
import { replicateKind } from "./replicate/replicate-kind.ts";
import { sketchKind } from "./sketch-engine.ts";

/** Every kind of engine there is: a new one is a line here. */
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
