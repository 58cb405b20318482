import type { EngineKind } from "./engine-kind.ts";
import { aceStepKind } from "./ace-step.ts";
import { aiHordeKind } from "./ai-horde.ts";
import { comfyUiKind } from "./comfyui/comfyui-engine.ts";
import { falKind } from "./fal.ts";
import { mediaServiceKind } from "./media-service.ts";
import { openAiImagesKind } from "./openai-images.ts";
import { replicateKind } from "./replicate.ts";
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
