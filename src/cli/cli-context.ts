/** The context of every subcommand: the environment, the bot's store, and a terminal. */
import { once } from "node:events";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Clock } from "@atelier/common/clock";
import { loadConfig, type Config } from "../config/load-config.ts";
import { openAdapter, openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { StoreNotUsableError } from "@atelier/store/store-errors";
import type { KvAdapter } from "@atelier/store/kv-adapter";

/** Redis sends a large response at once and may take minutes to prepare it. */
const RESPONSE_TIMEOUT_MS = 10 * 60_000;

export interface CliContext {
	readonly env: () => NodeJS.ProcessEnv;
	readonly clock: Clock;
	readonly print: (line: string) => Promise<void>;
	/** Prints to stderr, because the output may be a JSON file. */
	readonly warn: (line: string) => void;
	readonly openStore: (config: Config, options?: OpenOptions) => Promise<Store>;
	/** 1 if a subcommand failed or a check found a problem. Invalid arguments exit with 2 before that. */
	exitCode: 0 | 1;
}

export interface OpenOptions {
	/** Creates a missing store. By default a missing store is an error, because a new store would not be the one of the bot. */
	readonly mayCreate?: boolean;
}

/** Runs `work` on the store, which the bot may use at the same time. Sets the exit code to the one that `work` returns. */
export async function withStore(
	context: CliContext,
	work: (store: Store, config: Config) => Promise<0 | 1>,
	options?: OpenOptions,
): Promise<void> {
	const config = loadConfig(context.env());
	const store = await context.openStore(config, options);
	try {
		context.exitCode = await work(store, config);
	} finally {
		await store.close();
	}
}

export async function openConfiguredStore(config: Config, options?: OpenOptions): Promise<Store> {
	requireStore(config, options);
	return await openStore(config.STORE_URL, { encryption: config.PROMPT_KEYS });
}

/** Runs `work` on the storage below the documents, for commands that copy them unchanged. */
export async function withAdapter<Result>(
	config: Config,
	work: (storage: KvAdapter) => Promise<Result>,
	options?: OpenOptions,
): Promise<Result> {
	requireStore(config, options);
	const storage = await openAdapter(config.STORE_URL, { responseTimeoutMs: RESPONSE_TIMEOUT_MS });
	try {
		return await work(storage);
	} finally {
		await storage.disconnect();
	}
}

function requireStore({ STORE_URL: storeUrl }: Config, { mayCreate = false }: OpenOptions = {}): void {
	if (storeUrl === "memory:") {
		throw new StoreNotUsableError("STORE_URL is memory:, which only its own process can read.");
	}
	const path = /^sqlite:(.+)$/.exec(storeUrl)?.[1];
	// Unlike `existsSync`, this throws if the user may not read the folder.
	if (path !== undefined && !mayCreate && !statSync(path, { throwIfNoEntry: false })) {
		throw new StoreNotUsableError(
			`There is no store at ${resolve(path)}. Run this in the folder of the bot, or set DATA_DIR or STORE_URL as the bot does.`,
		);
	}
}

export async function print(line: string): Promise<void> {
	if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
}

export function warn(line: string): void {
	process.stderr.write(`${line}\n`);
}

/** Formats a number with its noun: `1 task`, `1,024 tasks`. */
export function pluralize(count: number, one: string, many: string): string {
	return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
