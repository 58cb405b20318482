/** Checks the store and the queue: opens them as the bot does, writes, and reads server settings that risk data loss. */
import { constants, existsSync, statSync } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pino, type Logger } from "pino";
import { openStore } from "@atelier/store/open-store";
import { connectToRedis } from "@atelier/store/redis-connection";
import { StoreNotUsableError, StoreRejectedError, StoreUnavailableError } from "@atelier/store/store-errors";
import type { Store } from "@atelier/store/store";
import { requireSuitableQueue } from "@atelier/store/redis-requirements";
import { OperatorError } from "@atelier/common/operator-error";
import { checkStoreOwner } from "../app/store-owner.ts";
import { commandHint } from "../config/command-hint.ts";
import type { Config } from "../config/load-config.ts";
import { explainSystemError } from "../config/startup-errors.ts";
import { readRestoreRecord } from "../services/backup/restore-record.ts";
import type { CheckResult } from "./check-result.ts";

const KEY = "health:doctor";
const STORE_ADVICE = "docs/deploy.md, Choose a store, lists the settings of the server.";
const QUEUE_ADVICE = "docs/scaling.md says what QUEUE_URL needs.";
/** Less is soon too little for results and the database. */
const DISK_LOW_BELOW_MIB = 512;
/** Less is too little for one result or for the database. */
const DISK_FULL_BELOW_MIB = 10;
/** Read permission of group and others. */
const OTHERS_MAY_READ = 0o044;
/** `statfs` types of network file systems, whose locks SQLite cannot rely on: NFS, SMB, CIFS, SMB2, 9P. */
const NETWORK_FILE_SYSTEMS = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997]);

type StoreConfig = Pick<Config, "STORE_URL" | "PROMPT_KEYS" | "DISCORD_TOKEN">;

export async function* checkStore(config: StoreConfig): AsyncGenerator<CheckResult> {
	const { STORE_URL: storeUrl, PROMPT_KEYS: encryption } = config;
	const path = /^sqlite:(.+)$/.exec(storeUrl)?.[1];
	if (storeUrl === "memory:") {
		yield { grade: "warn", text: "memory: all data is lost when the bot stops", advice: "Set STORE_URL." };
		return;
	}
	if (path !== undefined) yield* checkFolder(dirname(resolve(path)), { isForDatabase: true });
	const warnings: string[] = [];
	try {
		if (path !== undefined && !statSync(path, { throwIfNoEntry: false })) {
			yield { grade: "note", text: `${path} does not exist yet: the first start creates it` };
			return;
		}
		if (path !== undefined) yield* checkFileMode(path);
		const store = await openStore(storeUrl, { logger: warningCollector(warnings), encryption });
		try {
			for (const text of warnings) {
				yield { grade: text.startsWith("credits can be lost") ? "fix" : "warn", text, advice: STORE_ADVICE };
			}
			yield* checkOwner(store, config);
			yield await checkWrites(store);
			yield await checkRestore(store);
		} finally {
			await store.close();
		}
		if (path !== undefined) yield checkSqlite(path);
	} catch (error) {
		const isOfSqlite = path !== undefined && !(error instanceof StoreNotUsableError);
		const explanation = isOfSqlite ? explainSystemError(error) : undefined;
		yield explanation === undefined ? errorResult(error, STORE_ADVICE) : { grade: "fix", text: explanation };
	}
}

/** Reports a store that belongs to another bot, or to the playground: the start is rejected. */
async function* checkOwner(store: Store, config: StoreConfig): AsyncGenerator<CheckResult> {
	try {
		await checkStoreOwner(store, config);
	} catch (error) {
		if (!(error instanceof OperatorError)) throw error;
		yield { grade: "fix", text: error.message };
	}
}

async function checkWrites(store: Store): Promise<CheckResult> {
	const startedAtMs = performance.now();
	await store.set(KEY, {});
	await store.delete(KEY);
	return {
		grade: "ok",
		text: `a document was written and removed in ${Math.ceil(performance.now() - startedAtMs)} ms`,
	};
}

/** Checks for a restore that the operator has not confirmed. */
async function checkRestore(store: Store): Promise<CheckResult> {
	const { epoch, state, missing } = await readRestoreRecord(store);
	const text = `number of restores (epoch): ${epoch}; state: ${state}`;
	if (state === "open") return { grade: "ok", text };
	return {
		grade: "fix",
		text,
		details: missing ? [`events from ${timeOf(missing.fromMs)} to ${timeOf(missing.untilMs)} are missing`] : [],
		advice: `It was restored from a backup: ${commandHint("restore --help")} explains the next steps.`,
	};
}

function timeOf(atMs: number): string {
	return new Date(atMs).toISOString();
}

/** Checks `journal_mode`, which the file stores. `synchronous` belongs to a connection, and Atelier sets its own. */
function checkSqlite(path: string): CheckResult {
	const database = new DatabaseSync(path, { readOnly: true });
	try {
		const mode = String(database.prepare("PRAGMA journal_mode").get()?.["journal_mode"]);
		const text = `SQLite, journal_mode ${mode}`;
		// Opening the store has set WAL: another mode means that the file system rejected it.
		if (mode === "wal") return { grade: "ok", text };
		const advice = "This file system does not support SQLite's write-ahead log: move the database to a local disk.";
		return { grade: "warn", text, advice };
	} finally {
		database.close();
	}
}

export async function* checkQueue(queueUrl: string): AsyncGenerator<CheckResult> {
	try {
		const connection = await connectToRedis(queueUrl, { logger: pino({ level: "silent" }), role: "queue" });
		try {
			await connection.run((client) => client.ping());
			await requireSuitableQueue(connection);
			yield { grade: "ok", text: `Redis at ${connection.address} responds and meets the queue's requirements` };
		} finally {
			connection.close();
		}
	} catch (error) {
		yield errorResult(error, QUEUE_ADVICE);
	}
}

/** Warns if other users may read the database, which contains prompts and tokens. Atelier creates it for its owner only. */
async function* checkFileMode(path: string): AsyncGenerator<CheckResult> {
	if (process.platform === "win32") return;
	const { mode } = await stat(path);
	if ((mode & OTHERS_MAY_READ) === 0) return;
	const text = `${path} can be read by other users of this machine, and has prompts and tokens in it`;
	yield { grade: "warn", text, advice: `chmod 600 ${path}*` };
}

interface FileSystem {
	readonly type: number;
	readonly bavail: number;
	readonly bsize: number;
}

interface FolderOptions {
	/** SQLite needs a file system with reliable locks. */
	readonly isForDatabase?: boolean;
	/** Replaced by tests. */
	readonly readFileSystem?: (path: string) => Promise<FileSystem>;
}

/** Checks that the folder, or its nearest existing parent, is writable and has free space, and for a database that it is local. */
export async function* checkFolder(
	folder: string,
	{ isForDatabase = false, readFileSystem = statfs }: FolderOptions = {},
): AsyncGenerator<CheckResult> {
	let nearest = resolve(folder);
	while (!existsSync(nearest)) nearest = dirname(nearest);
	try {
		await access(nearest, constants.W_OK);
	} catch {
		yield {
			grade: "fix",
			text: `${nearest} cannot be written`,
			advice: "Grant the permission, or configure another folder.",
		};
		return;
	}
	const { type, bavail, bsize } = await readFileSystem(nearest);
	const freeMiB = Math.floor((bavail * bsize) / 1024 / 1024);
	const advice = "Free some disk space: results and the database need it.";
	if (freeMiB < DISK_FULL_BELOW_MIB) {
		yield { grade: "fix", text: `the disk of ${resolve(folder)} is full: ${freeMiB} MiB are free`, advice };
	} else {
		const text = `${resolve(folder)} can be written, ${freeMiB.toLocaleString("en")} MiB are free`;
		yield freeMiB < DISK_LOW_BELOW_MIB ? { grade: "warn", text, advice } : { grade: "ok", text };
	}
	if (isForDatabase && NETWORK_FILE_SYSTEMS.has(type)) {
		const text = `${nearest} is on a network share, whose locks cannot be trusted`;
		yield { grade: "fix", text, advice: "Keep a SQLite database on a local disk, or use another store." };
	}
}

function errorResult(error: unknown, advice: string): CheckResult {
	const isStoreError =
		error instanceof StoreNotUsableError ||
		error instanceof StoreUnavailableError ||
		error instanceof StoreRejectedError;
	if (isStoreError) return { grade: "fix", text: error.message, advice };
	const message = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "";
	return { grade: "fix", text: `it fails: ${message}`, advice };
}

/** Collects the warnings that opening the store logs. */
function warningCollector(warnings: string[]): Logger {
	const destination = {
		write: (line: string): void => {
			const { msg } = JSON.parse(line) as { readonly msg: string };
			warnings.push(msg);
		},
	};
	return pino({ level: "warn" }, destination);
}
