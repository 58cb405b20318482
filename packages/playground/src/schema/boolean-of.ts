/** Parses a boolean in a query or a form as Discord does; `undefined` for other text. */
export function parseBoolean(text: string): boolean | undefined {
	if (["True", "true", "1"].includes(text)) return true;
	return ["False", "false", "0"].includes(text) ? false : undefined;
}
