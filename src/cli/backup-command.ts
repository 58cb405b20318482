import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { stoppedCommandHint } from "../config/command-hint.ts";
import { loadConfig } from "../config/load-config.ts";
import { checkBackup, writeBackup } from "../services/backup/backup-file.ts";
import { readRestoreRecord, restoringError } from "../services/backup/restore-record.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { withAdapter, type CliContext, pluralize } from "./cli-context.ts";

export function defineBackup(backup: Command, context: CliContext): void {
	backup
		.description("Writes a consistent backup of the whole store and verifies the file. The bot may be running.")
		.argument("[file]", "path of the new file (default: DATA_DIR/backups/atelier-TIME.backup)")
		.option("--check", "only verify that the file is complete")
		.addHelpText(
			"after",
			`\nThe file contains prompts: protect it like the store. ${stoppedCommandHint("restore FILE")} restores it into any kind of store.`,
		)
		.action(async (file, { check }, command) => {
			if (check !== true) await backUpStore(file, context);
			else if (file === undefined) command.error("error: expected a file to check");
			else await verifyAndReport(file, "is complete", context);
		});
}

async function backUpStore(file: string | undefined, context: CliContext): Promise<void> {
	const config = loadConfig(context.env());
	await withAdapter(config, async (storage) => {
		const { epoch, state } = await readRestoreRecord(createKeyvStore(storage));
		if (state === "restoring") throw restoringError("repeat it, then back up.");
		const madeAtMs = context.clock.nowMs();
		const path = file ?? join(config.DATA_DIR, "backups", backupName("atelier", madeAtMs));
		await mkdir(dirname(path), { recursive: true });
		await writeBackup(path, { madeAtMs, epoch }, storage.snapshot());
		await verifyAndReport(path, "was written and verified", context);
	});
}

export function backupName(prefix: string, atMs: number): string {
	return `${prefix}-${new Date(atMs).toISOString().replaceAll(/[:.]/g, "-")}.backup`;
}

async function verifyAndReport(path: string, outcome: string, { print }: CliContext): Promise<void> {
	const { entries, madeAtMs } = await checkBackup(path);
	const { size } = await stat(path);
	const kilobytes = Math.ceil(size / 1024).toLocaleString("en");
	const madeAt = new Date(madeAtMs).toISOString();
	await print(`${path} ${outcome}: ${pluralize(entries, "document", "documents")} of ${madeAt}, ${kilobytes} KB.`);
}
