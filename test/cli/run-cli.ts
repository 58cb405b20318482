import { systemClock, type Clock } from "@atelier/common/clock";
import { runAtelier } from "../../src/cli/atelier.ts";
import { openConfiguredStore } from "../../src/cli/cli-context.ts";
import type { Store } from "@atelier/store/store";

interface Given {
	readonly env?: Readonly<Record<string, string>>;
	/** Replaces the store that the environment names. */
	readonly store?: Store;
	readonly clock?: Clock;
}

/** Runs the program in this process: arguments in, output and exit code out. */
export async function runCli(argv: readonly string[], { env = {}, store, clock = systemClock }: Given = {}) {
	const stdout: string[] = [];
	const stderr: string[] = [];
	const code = await runAtelier(argv, {
		env: () => ({ ...env }),
		clock,
		print: async (line) => void stdout.push(line),
		warn: (line) => void stderr.push(line),
		openStore: async (config, options) =>
			store ? { ...store, close: async () => {} } : await openConfiguredStore(config, options),
		exitCode: 0,
	});
	return { code, stdout, stderr: stderr.join("\n") };
}
