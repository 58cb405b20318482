/** The actions of the buttons under a task's message. */
export type TaskAction =
	| "cancel"
	/** Requests a ping when the task is done. */
	| "ping"
	| "regenerate"
	| "vary"
	| "edit"
	| "improve"
	| "animate"
	/** Uses the image as an input of a new request. */
	| "input"
	| "upscale"
	| "favorite"
	| "report"
	| "delete"
	/** The last three belong to a draft. */
	| "confirm"
	| "editDraft"
	| "decline";

export interface TaskButton {
	readonly action: TaskAction;
	readonly label: string;
	readonly isDisabled?: boolean;
}

/** The actions on one image. */
export const IMAGE_ACTIONS = ["vary", "animate", "input", "upscale"] as const satisfies readonly TaskAction[];
export type ImageAction = (typeof IMAGE_ACTIONS)[number];
