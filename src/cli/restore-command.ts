import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { commandHint } from "../config/command-hint.ts";
import { loadConfig, type Config } from "../config/load-config.ts";
import { scanApiKeys } from "../services/settings/api-keys.ts";
import { checkBackup, readBackup, writeBackup } from "../services/backup/backup-file.ts";
import { readRestoreRecord } from "../services/backup/restore-record.ts";
import { restore, resumeNewTasks, type RestoreResult } from "../services/backup/restore.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { checkProofs, PROOF_KEY, encryptStore } from "@atelier/store/encrypted-store";
import type { Store } from "@atelier/store/store";
import type { KvAdapter } from "@atelier/store/kv-adapter";
import { cancelRestoredTasks } from "@atelier/studio/task-cancellation";
import { backupName } from "./backup-command.ts";
import { withAdapter, type CliContext, pluralize } from "./cli-context.ts";
import { audit } from "./credits-commands.ts";
import { lockForExclusiveUse } from "./exclusive-use.ts";

const CHECKED_ON_SQLITE = "Checked: no bot and no studio holds the lock files of the store.";
const CHECKED_ON_SERVER =
	"No bot responds on PORT, and no studio renews its lease. Bots on other machines cannot be detected.";

export function defineRestore(command: Command, context: CliContext): void {
	command
		.description("Restores the store from a backup. First stop the bot and every other process that uses this store.")
		.argument("[file]", "the backup file, for an empty store")
		.option("--replace", "back up the current contents of the store, and replace them")
		.option("--open", "accept new tasks again; run it alone, after the restore")
		.addHelpText(
			"after",
			"\nEvents after the backup are lost. Tasks that were open in it are not submitted, charged or delivered again, " +
				"and new tasks are denied until you run it with --open: see docs/backup.md.",
		)
		.action(async (file, { replace = false, open: acceptsNewTasks = false }) => {
			if ((file === undefined) !== acceptsNewTasks) command.error("error: expected either a file or --open");
			const config = loadConfig(context.env());
			context.exitCode =
				file === undefined
					? await acceptNewTasks(config, context)
					: await restoreBackup(file, config, { ...context, mayReplace: replace });
		});
}

async function acceptNewTasks(config: Config, { print, warn }: CliContext): Promise<0 | 1> {
	const isOpen = await withAdapter(config, (storage) => resumeNewTasks(createKeyvStore(storage)));
	if (!isOpen) {
		warn("The bot already accepts new tasks.");
		return 1;
	}
	await print("New tasks are accepted again; a running bot needs a few seconds.");
	return 0;
}

async function restoreBackup(
	path: string,
	config: Config,
	{ mayReplace, ...context }: CliContext & { readonly mayReplace: boolean },
): Promise<0 | 1> {
	const { clock, print, warn } = context;
	const backupHeader = await checkBackup(path);
	await checkKeys(path, config);
	return await withAdapter(
		config,
		async (storage) => {
			using _ = await lockForExclusiveUse(config, storage, context);
			if (await hasDocuments(storage)) {
				if (!mayReplace) {
					warn("The store is not empty. Use --replace to replace its contents; nothing was changed.");
					return 1;
				}
				await backUpCurrentContents(storage, config, context);
			}
			const store = encryptStore(createKeyvStore(storage), config.PROMPT_KEYS);
			const deps = { storage, store, clock, cancelStudioTasks: cancelRestoredTasks };
			const restored = await restore({ ...backupHeader, entries: () => readBackup(path) }, deps);
			await print(config.STORE_URL.startsWith("sqlite:") ? CHECKED_ON_SQLITE : CHECKED_ON_SERVER);
			return await report(restored, { ...context, store });
		},
		{ mayCreate: true },
	);
}

/** Rejects a backup whose prompts cannot be decrypted before anything is replaced. */
async function checkKeys(path: string, { PROMPT_KEYS }: Config): Promise<void> {
	const backup = createMemoryAdapter();
	for await (const { key, text } of readBackup(path)) {
		if (key === PROOF_KEY) await backup.set(key, text);
	}
	checkProofs((await createKeyvStore(backup).get(PROOF_KEY))?.value, PROMPT_KEYS);
}

async function hasDocuments(storage: KvAdapter): Promise<boolean> {
	for await (const _ of storage.scan("")) return true;
	return false;
}

/** Backs up the current contents, unless they are those of an interrupted restore. */
async function backUpCurrentContents(
	storage: KvAdapter,
	{ DATA_DIR }: Config,
	{ clock, print }: CliContext,
): Promise<void> {
	const { epoch, state } = await readRestoreRecord(createKeyvStore(storage));
	if (state === "restoring") return;
	const madeAtMs = clock.nowMs();
	const path = join(DATA_DIR, "backups", backupName("before-restore", madeAtMs));
	await mkdir(dirname(path), { recursive: true });
	await writeBackup(path, { madeAtMs, epoch }, storage.snapshot());
	await print(`The previous contents of the store are in ${path}.`);
}

async function report(result: RestoreResult, context: CliContext & { readonly store: Store }): Promise<0 | 1> {
	const { documents, openTasks, openStudioTasks, corruptKeys, record } = result;
	const { print, store } = context;
	await print(
		`${pluralize(documents, "document was", "documents were")} restored; number of restores (epoch): ${record.epoch}.`,
	);
	if (openTasks > 0)
		await print(
			`${pluralize(openTasks, "open task", "open tasks")}: tasks that were not submitted end, and their credits return; the others are polled.`,
		);
	if (openStudioTasks > 0)
		await print(
			`${pluralize(openStudioTasks, "open task of the studio is", "open tasks of the studio are")} canceled, with credits back.`,
		);
	if (corruptKeys.length > 0)
		await print(
			`${pluralize(corruptKeys.length, "open task", "open tasks")} cannot be read, and stay as they are: ${corruptKeys.join(", ")}.`,
		);
	const apiKeys = await Array.fromAsync(scanApiKeys(store));
	if (apiKeys.length > 0)
		await print(
			"These API keys are valid again, also if they were revoked since. The dashboard of the server revokes them:",
		);
	for (const { guildId, name, prefix, createdAtMs } of apiKeys)
		await print(`  server ${guildId}: ${name} (${prefix}…), created at ${new Date(createdAtMs).toISOString()}`);
	const auditExitCode = await audit(undefined, context);
	const { fromMs = 0, untilMs = 0 } = record.missing ?? {};
	const missing = `${new Date(fromMs).toISOString()} to ${new Date(untilMs).toISOString()}`;
	await print(`Events from ${missing} are missing: credits spent then can be spent again.`);
	await print("Compare with the bill of your media service and with purchases on Discord, correct with");
	await print(`${commandHint("credits")}, then run ${commandHint("restore --open")}. Until then new tasks are denied.`);
	return auditExitCode;
}
