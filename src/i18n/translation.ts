/** What a translation must have of its English source: a missing or extra key, or other parameters, fail the type check. */
export type Translation<Source> = {
	readonly [Key in keyof Source]: Source[Key] extends (params: infer Params) => string
		? (params: Params) => string
		: string;
};
