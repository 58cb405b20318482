/** A boolean as Discord reads it from text: in an address or in a form. Undefined where it is none. */
export function booleanOf(text: string): boolean | undefined {
	if (["True", "true", "1"].includes(text)) return true;
	return ["False", "false", "0"].includes(text) ? false : undefined;
}
