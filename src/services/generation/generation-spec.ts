import type { MediaType } from "@atelier/media-protocol/model";
import type { TaskSource } from "../tasks/task.ts";
import type { GenerationInput } from "./request.ts";

/** A generation as its member asked for it, before the settings of the server are applied. */
export interface GenerationSpec {
	readonly mediaType: MediaType;
	/** `null` selects a model that accepts the input. */
	readonly model: string | null;
	readonly input: GenerationInput;
	readonly style: string | null;
	/** True for slash commands: the defaults of the channel replace a model or style that the member did not choose. */
	readonly usesChannelDefaults?: boolean;
	/** The result of another member that is used. */
	readonly source?: TaskSource | undefined;
}
