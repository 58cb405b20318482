import type { ProvenanceMark } from "@atelier/media-files/mark-file";
import { plainLine } from "../../i18n/quote.ts";
import type { Task } from "./task.ts";

const PROMPT_CHARS_MAX = 1_000;

/** Returns the provenance mark for the files of a task. */
export function buildProvenanceMark({ request, presentation }: Task, botName: string): ProvenanceMark {
	const { modelName, prompt, digitalSourceType = "trainedAlgorithmicMedia" } = request;
	return {
		sourceType: digitalSourceType,
		modelName,
		botName,
		...(presentation.isPromptInFiles && { prompt: plainLine(prompt, PROMPT_CHARS_MAX) }),
	};
}
