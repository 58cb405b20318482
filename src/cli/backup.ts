/** Makes a backup of the store, while the bot runs or not. Exit codes: 0 done, 1 refused or failed, 2 not understood. */
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../clock.ts";
import { loadConfig } from "../config.ts";
import { readEnvFile } from "../env-file.ts";
import { checkBackup, writeBackup } from "../services/backup/backup-file.ts";
import { readEpoch } from "../services/backup/epoch.ts";
import { createKeyvStore } from "../services/store/keyv-store.ts";
import { StoreNotUsable } from "../services/store/store-errors.ts";
import { explainBackup, nameOf, openBotsStorage } from "./backup-programs.ts";
import { counted } from "./counted.ts";
import { print, runProgram } from "./program.ts";
import { UsageFault } from "./usage-fault.ts";

const USAGE = `Backs up everything that the store holds, as it was at one moment, and reads the file back. The bot may be running.

  npm run backup                    writes DATA_DIR/backups/atelier-TIME.backup
  npm run backup -- FILE            writes FILE, which must not be there yet
  npm run backup -- --check FILE    only looks whether FILE is whole

The file has what members typed in it: keep it as you keep the store. \`npm run restore\` puts it back, into any kind of store.`;

async function main(typed: readonly string[]): Promise<0 | 1> {
	const { values, positionals } = read(typed);
	if (values.help === true) {
		await print(USAGE);
		return 0;
	}
	if (positionals.length > 1) throw new UsageFault("expected one file");
	if (values.check === true) {
		if (positionals[0] === undefined) throw new UsageFault("expected a file to check");
		return await report(positionals[0], "is whole");
	}
	readEnvFile();
	// oxlint-disable-next-line node/no-process-env -- this is where a program of its own begins
	const config = loadConfig(process.env);
	const storage = await openBotsStorage(config);
	try {
		const store = createKeyvStore(storage);
		const { epoch, state } = await readEpoch(store);
		if (state === "restoring")
			throw new StoreNotUsable("The store is being restored: there is nothing whole to back up.");
		const madeAtMs = systemClock.nowMs();
		const path = positionals[0] ?? join(config.DATA_DIR, "backups", nameOf("atelier", madeAtMs));
		await mkdir(dirname(path), { recursive: true });
		await writeBackup(path, { madeAtMs, epoch }, storage.snapshot());
		return await report(path, "was written, and read back");
	} finally {
		await storage.disconnect();
	}
}

async function report(path: string, what: string): Promise<0> {
	const { entries, madeAtMs } = await checkBackup(path);
	const { size } = await stat(path);
	const kilobytes = Math.ceil(size / 1024).toLocaleString("en");
	const made = new Date(madeAtMs).toISOString();
	await print(`${path} ${what}: ${counted(entries, "document", "documents")} of ${made}, ${kilobytes} KB.`);
	return 0;
}

function read(typed: readonly string[]) {
	const options = { check: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
	try {
		return parseArgs({ args: [...typed], allowPositionals: true, options });
	} catch (error) {
		throw new UsageFault(error instanceof Error ? error.message : String(error), { cause: error });
	}
}

await runProgram(main, (error) => explainBackup(error, USAGE));
