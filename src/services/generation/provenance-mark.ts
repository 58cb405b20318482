import { plainLine } from "../../i18n/quote.ts";
import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import type { GenerationRequest } from "./request.ts";

const PROMPT_CHARS_MAX = 1_000;

interface MarkingOptions {
	/** False if the operator has turned marks off. */
	readonly isOn: boolean;
	readonly botName: () => string;
}

/**
 * Returns a function that selects the provenance mark for the files of a request. The function returns `undefined` if the operator
 * has turned marks off.
 */
export function createProvenanceMarkSelector({
	isOn,
	botName,
}: MarkingOptions): (request: GenerationRequest) => ProvenanceMark | undefined {
	return ({ modelName, prompt, digitalSourceType = "trainedAlgorithmicMedia", isPromptInFiles = false }) => {
		if (!isOn) return undefined;
		return {
			sourceType: digitalSourceType,
			modelName,
			botName: botName(),
			...(isPromptInFiles && { prompt: plainLine(prompt, PROMPT_CHARS_MAX) }),
		};
	};
}
