/** What the operator's programs have in common: the bot's own store, and a terminal. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { ConfigFault, loadConfig } from "../config.ts";
import { readEnvFile } from "../env-file.ts";
import { keepNewFilesPrivate } from "../private-files.ts";
import { say } from "../services/messages/messages.ts";
import { CorruptDocument } from "../services/store/keyv-store.ts";
import { openStore } from "../services/store/open-store.ts";
import type { Store } from "../services/store/store.ts";
import { StoreNotUsable, StoreUnavailable } from "../services/store/store-errors.ts";
import { explainSystemFailure } from "../start-failure.ts";
import { UserError } from "../services/user-error.ts";
import { UsageFault } from "./usage-fault.ts";

/** The store that the bot uses, as the environment says it: the bot may be using it at the same time. */
export async function openBotsStore(): Promise<Store> {
	readEnvFile();
	// oxlint-disable-next-line node/no-process-env -- this is where a program of its own begins
	const { STORE_URL: storeUrl, PROMPT_KEYS: sealing } = loadConfig(process.env);
	refuseStoreWithoutBooks(storeUrl);
	return await openStore(storeUrl, { sealing });
}

/** A store that opening would make anew is not the bot's. */
function refuseStoreWithoutBooks(storeUrl: string): void {
	if (storeUrl === "memory:") {
		throw new StoreNotUsable("STORE_URL is memory: such a store is seen by its own process only.");
	}
	const path = /^sqlite:(.+)$/.exec(storeUrl)?.[1];
	if (path !== undefined && !existsSync(path)) {
		throw new StoreNotUsable(`There is no store at ${path}. Set STORE_URL as the bot has it, and start the bot once.`);
	}
}

export async function print(line: string): Promise<void> {
	if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
}

export function warn(line: string): void {
	process.stderr.write(`${line}\n`);
}

/** Why an order was not carried out, where it is nothing that only its own program knows of. */
export function explain(error: unknown, usage: string): string {
	if (error instanceof UsageFault) return `${error.message}\n\n${usage}`;
	if (error instanceof UserError) return say("en", error.saying);
	if (error instanceof ConfigFault || error instanceof StoreNotUsable) return error.message;
	if (error instanceof StoreUnavailable) return `The store gave no answer (${error.message}). Nothing was changed.`;
	if (error instanceof CorruptDocument) return `${error.message}. Run the audit; nothing was changed.`;
	const words = explainSystemFailure(error);
	if (words !== undefined) return `Failed: ${words}`;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs a program to its exit code: what it says, 1 where it fails, 2 where it is not understood. */
export async function runProgram(
	main: (typed: readonly string[]) => Promise<0 | 1>,
	explainFailure: (error: unknown) => string,
): Promise<void> {
	process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
		// A terminal that was closed: SIGHUP says so too, and ends the program in order.
		if (code === "EIO") return;
		// Whoever reads only the first lines closes the pipe: that is no failure.
		process.exit(code === "EPIPE" ? 0 : 1);
	});
	keepNewFilesPrivate();
	try {
		process.exitCode = await main(process.argv.slice(2));
	} catch (error) {
		warn(explainFailure(error));
		process.exitCode = error instanceof UsageFault ? 2 : 1;
	}
}
