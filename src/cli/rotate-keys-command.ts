import { DatabaseSync } from "node:sqlite";
import type { Command } from "@commander-js/extra-typings";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { checkProofs, PROOF_KEY, reencryptStore } from "@atelier/store/encrypted-store";
import type { Encryption } from "@atelier/store/encryption";
import type { KvAdapter } from "@atelier/store/kv-adapter";
import { StoreInUseError } from "@atelier/store/store-lock";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig, type Config } from "../config/load-config.ts";
import { withAdapter, type CliContext, pluralize } from "./cli-context.ts";
import { lockForExclusiveUse } from "./exclusive-use.ts";

/** Another command may use the file at the same time. */
const BUSY_TIMEOUT_MS = 5000;

export function defineRotateKeys(command: Command, context: CliContext): void {
	command
		.description(
			"Encrypts all prompts in the store with the first of PROMPT_KEYS. The other keys can be removed once it " +
				"reports no unreadable document. The bot may be running.",
		)
		.option("--plain", "decrypt all prompts instead; stop the bot first, and remove PROMPT_KEYS afterwards")
		.addHelpText("after", "\nThe bot reads prompts with any of the keys, and writes with the first.")
		.action(async ({ plain = false }) => {
			const config = loadConfig(context.env());
			const { PROMPT_KEYS: keys } = config;
			if (!keys)
				throw new ConfigError(
					"PROMPT_KEYS is not set. docs/deploy.md, Encrypt members' texts, says how to create a key.",
				);
			await withAdapter(config, async (storage) => {
				context.exitCode = await rotateKeys(storage, config, { ...context, keys, plain });
			});
		});
}

async function rotateKeys(
	storage: KvAdapter,
	config: Config,
	{ keys, plain, ...context }: CliContext & { readonly keys: Encryption; readonly plain: boolean },
): Promise<0 | 1> {
	const { print, warn } = context;
	using _ = plain ? await lockForExclusiveUse(config, storage, context) : undefined;
	const store = createKeyvStore(storage);
	checkProofs((await store.get(PROOF_KEY))?.value, keys);
	const { changedCount, corruptKeys } = await reencryptStore(store, keys, plain ? "plain" : "firstKey");
	await print(`${pluralize(changedCount, "document was", "documents were")} changed.`);
	if (plain) await print("Remove PROMPT_KEYS now: with it, the next start encrypts again.");
	else await removePlainTexts(storage, config, context);
	if (corruptKeys.length === 0) return 0;
	const what = pluralize(
		corruptKeys.length,
		"document cannot be read and stays as it is",
		"documents cannot be read and stay as they are",
	);
	const advice = plain ? "" : " Keep the other keys until all documents can be read.";
	warn(`${what}: ${corruptKeys.join(", ")}.${advice}`);
	return 1;
}

/** Removes plain texts from parts of the SQLite file that its documents no longer use. */
async function removePlainTexts(storage: KvAdapter, config: Config, context: CliContext): Promise<void> {
	const path = /^sqlite:(.+)$/.exec(config.STORE_URL)?.[1];
	if (path === undefined) return;
	try {
		using _ = await lockForExclusiveUse(config, storage, context);
		using database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
		database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
	} catch (error) {
		if (!(error instanceof StoreInUseError)) throw error;
		const advice = "run this again while the bot is stopped.";
		await context.print(`Unused parts of the file can still contain plain texts: ${advice}`);
	}
}
