/** For a program that takes no arguments: prints the usage for `--help`, or an error for any other argument, and exits. */
export function rejectArgs(usage: string): void {
	const args = process.argv.slice(2);
	if (args.length === 0) return;
	const unknown = args.filter((word) => word !== "--help" && word !== "-h");
	if (unknown.length === 0) process.stdout.write(`${usage}\n`);
	else process.stderr.write(`Not understood: ${unknown.join(" ")}\n\n${usage}\n`);
	process.exit(unknown.length === 0 ? 0 : 2);
}
