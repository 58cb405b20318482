/** A modal that a callback opened. */
export interface Modal {
	readonly customId: string;
	readonly title: string;
	/** Numbered, as in responses. */
	readonly components: readonly object[];
}
