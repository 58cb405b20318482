/** A modal as a callback opened it. */
export interface Modal {
	readonly customId: string;
	readonly title: string;
	/** Numbered, as components are in answers. */
	readonly components: readonly object[];
}
