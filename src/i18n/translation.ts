/**
 * The type of a translation: a missing or extra key, or other parameters than the English source, fail the type check.
 */
export type Translation<Source> = {
	readonly [Key in keyof Source]: Source[Key] extends (params: infer Params) => string
		? (params: Params) => string
		: string;
};
