/** What backing up and restoring have in common: the store below its documents. */
import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { hasCode } from "../has-code.ts";
import { BackupDamaged, BackupExistsError } from "../services/backup/backup-file.ts";
import { openStorage } from "../services/store/open-store.ts";
import { StoreNotUsable } from "../services/store/store-errors.ts";
import type { TextStorage } from "../services/store/text-storage.ts";
import { explain } from "./program.ts";

/** Redis gives everything in one answer, for which it may think a while. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

/** The store that the configuration names, where there is one already. */
export async function openBotsStorage(config: Config): Promise<TextStorage> {
	const path = /^sqlite:(.+)$/.exec(config.STORE_URL)?.[1];
	if (path !== undefined && !existsSync(path)) throw new StoreNotUsable(`There is no store at ${path}.`);
	return await openStorageOf(config);
}

/** The same, made anew where there is none. */
export async function openStorageOf({ STORE_URL }: Config): Promise<TextStorage> {
	if (STORE_URL === "memory:") {
		throw new StoreNotUsable("STORE_URL is memory: such a store is seen by its own process only.");
	}
	return await openStorage(STORE_URL, { answerTimeoutMs: ANSWER_TIMEOUT_MS });
}

export function nameOf(what: string, atMs: number): string {
	return `${what}-${new Date(atMs).toISOString().replaceAll(/[:.]/g, "-")}.backup`;
}

export function explainBackup(error: unknown, usage: string): string {
	if (error instanceof BackupDamaged) return `The file cannot be used: ${error.message}. Nothing was changed.`;
	if (error instanceof BackupExistsError) return error.message;
	if (hasCode(error, "ENOENT")) return `${error.message}. Nothing was changed.`;
	return explain(error, usage);
}
