import { Command, InvalidArgumentError } from "@commander-js/extra-typings";

/** Creates the command line of `npm run SCRIPT`. Invalid arguments end it with the reason, its usage and exit code 2. */
export function createProgram(script: string): Command {
	return new Command(`npm run ${script} --`)
		.showHelpAfterError()
		.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

export function parseNumber(text: string): number {
	if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError("Expected a number.");
	return Number(text);
}
