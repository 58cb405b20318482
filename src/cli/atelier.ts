/**
 * The program `atelier`: a list of subcommands, each loaded on use. Exit codes: 0 done, 1 failed or found a problem, 2
 * invalid arguments. docs/cli.md describes every subcommand.
 */
import { Command, CommanderError } from "@commander-js/extra-typings";
import { systemClock } from "@atelier/common/clock";
import { VERSION } from "@atelier/common/user-agent";
import { loadDotEnv } from "../config/env-file.ts";
import { keepNewFilesPrivate } from "../app/keep-new-files-private.ts";
import { openConfiguredStore, print, warn, type CliContext } from "./cli-context.ts";
import { explainError } from "./explain-error.ts";

type Define = (command: Command, context: CliContext) => void;

const SUBCOMMANDS: Readonly<Record<string, readonly [summary: string, load: () => Promise<Define>]>> = {
	doctor: ["check everything that the bot depends on", async () => (await import("./doctor-command.ts")).defineDoctor],
	credits: ["manage the credits of servers", async () => (await import("./credits-commands.ts")).defineCredits],
	tasks: ["list, show, cancel or redeliver tasks", async () => (await import("./tasks-commands.ts")).defineTasks],
	privacy: ["export or delete the data of one user", async () => (await import("./privacy-commands.ts")).definePrivacy],
	backup: ["back up the store", async () => (await import("./backup-command.ts")).defineBackup],
	restore: ["restore the store from a backup", async () => (await import("./restore-command.ts")).defineRestore],
	"rotate-keys": [
		"encrypt prompts with another key",
		async () => (await import("./rotate-keys-command.ts")).defineRotateKeys,
	],
	keys: ["manage the API keys of the studio", async () => (await import("./studio-account-commands.ts")).defineKeys],
	accounts: [
		"manage the accounts of the studio",
		async () => (await import("./studio-account-commands.ts")).defineAccounts,
	],
	studio: [
		"run the studio alone, without the bot",
		async () => (await import("./serve-studio-command.ts")).defineStudio,
	],
	playground: [
		"run the playground alone, for any bot",
		async () => (await import("./playground-command.ts")).definePlayground,
	],
};

/** Resolves to the exit code. */
export async function runAtelier(argv: readonly string[], context: CliContext): Promise<0 | 1 | 2> {
	const program = new Command("atelier")
		.version(VERSION)
		.description(
			"Operates Atelier from the command line. `npm start`, the container or the service runs the bot itself.",
		)
		.addHelpText(
			"after",
			"\nReads its configuration from the environment and .env, like the bot; docs/configuration.md lists every variable.\n" +
				"Exit codes: 0 success, 1 failure or a problem was found, 2 invalid arguments.",
		)
		.configureOutput({
			writeOut: (text) => void context.print(text.trimEnd()),
			writeErr: (text) => context.warn(text.trimEnd()),
		})
		.showHelpAfterError()
		.exitOverride();
	for (const [name, [summary, load]] of Object.entries(SUBCOMMANDS)) {
		const command = program.command(name).summary(summary);
		// `atelier NAME`, or `atelier help NAME`.
		if (argv.slice(0, 2).includes(name)) (await load())(command, context);
	}
	try {
		await program.parseAsync(argv, { from: "user" });
		return context.exitCode;
	} catch (error) {
		// The library has printed the usage error or the requested help.
		if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
		context.warn(explainError(error));
		return 1;
	}
}

function readEnvironment(): NodeJS.ProcessEnv {
	// oxlint-disable-next-line node/no-process-env -- the entry point of the program reads the environment
	const { env } = process;
	loadDotEnv(env);
	return env;
}

if (import.meta.main) {
	process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
		// The terminal was closed. SIGHUP ends the program in order.
		if (code === "EIO") return;
		// A reader that needs only the first lines closes the pipe; that is no failure.
		process.exit(code === "EPIPE" ? 0 : 1);
	});
	keepNewFilesPrivate();
	process.exitCode = await runAtelier(process.argv.slice(2), {
		env: readEnvironment,
		clock: systemClock,
		print,
		warn,
		openStore: openConfiguredStore,
		exitCode: 0,
	});
}
