/** Returns the output and exit code of a program that takes no arguments except `--help`; `undefined` without arguments. No I/O. */
function outputFor(
	args: readonly string[],
	usage: string,
): { readonly exitCode: 0 | 2; readonly text: string } | undefined {
	if (args.length === 0) return undefined;
	const unknown = args.filter((word) => word !== "--help" && word !== "-h");
	if (unknown.length === 0) return { exitCode: 0, text: usage };
	return { exitCode: 2, text: `Not understood: ${unknown.join(" ")}\n\n${usage}` };
}

/** Prints the usage, or an error for unknown arguments, and exits. Does nothing without arguments. */
export function rejectArgs(usage: string): void {
	const output = outputFor(process.argv.slice(2), usage);
	if (!output) return;
	(output.exitCode === 0 ? process.stdout : process.stderr).write(`${output.text}\n`);
	process.exit(output.exitCode);
}
