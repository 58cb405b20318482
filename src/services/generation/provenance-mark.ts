import { plainLine } from "../../i18n/quote.ts";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import type { GenerationRequest } from "./request.ts";

const PROMPT_CHARS_MAX = 1_000;

/** Returns the provenance mark for the files of a request. */
export function provenanceMarkOf(
	{ modelName, prompt, digitalSourceType = "trainedAlgorithmicMedia", isPromptInFiles = false }: GenerationRequest,
	botName: string,
): ProvenanceMark {
	return {
		sourceType: digitalSourceType,
		modelName,
		botName,
		...(isPromptInFiles && { prompt: plainLine(prompt, PROMPT_CHARS_MAX) }),
	};
}
