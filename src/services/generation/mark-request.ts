import { plainLine } from "../../i18n/quote.ts";
import type { MediaMark } from "../delivery/provenance/xmp.ts";
import type { GenerationRequest } from "./request.ts";

const PROMPT_CHARS_MAX = 1_000;

interface MarkingOptions {
	readonly isOn: boolean;
	readonly botName: () => string;
}

/** Returns the mark of the files of a request, or `undefined` if the operator has turned marks off. */
export function createMarking({
	isOn,
	botName,
}: MarkingOptions): (request: GenerationRequest) => MediaMark | undefined {
	return ({ modelName, prompt, digitalSourceType = "trainedAlgorithmicMedia", isPromptInFiles = false }) =>
		isOn
			? {
					sourceType: digitalSourceType,
					modelName,
					botName: botName(),
					...(isPromptInFiles && { prompt: plainLine(prompt, PROMPT_CHARS_MAX) }),
				}
			: undefined;
}
