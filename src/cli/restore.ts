/** Puts the store back to what a backup holds. Exit codes: 0 done, 1 refused or failed, 2 not understood. */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../clock.ts";
import { loadConfig, type Config } from "../config.ts";
import { readEnvFile } from "../env-file.ts";
import { checkBackup, readBackup, writeBackup } from "../services/backup/backup-file.ts";
import { readEpoch } from "../services/backup/epoch.ts";
import { restore, takeNewTasksAgain, type Restored } from "../services/backup/restore.ts";
import { createKeyvStore } from "../services/store/keyv-store.ts";
import { createMemoryStorage } from "../services/store/memory-storage.ts";
import { checkProof, PROOF_KEY, sealStore } from "../services/store/sealed-store.ts";
import { lockStore, StoreInUseError } from "../services/store/store-lock.ts";
import type { Store } from "../services/store/store.ts";
import type { TextStorage } from "../services/store/text-storage.ts";
import { endRestoredTasks } from "../studio/end-restored.ts";
import { explainBackup, nameOf, openBotsStorage, openStorageOf } from "./backup-programs.ts";
import { carryOut as carryOutCreditsOrder } from "./credits-orders.ts";
import { counted } from "./counted.ts";
import { isRunning, originOf } from "./is-running.ts";
import { print, runProgram, warn } from "./program.ts";
import { UsageFault } from "./usage-fault.ts";

const USAGE = `Puts the store back to what a backup holds. Stop the bot first, and every other process on this store.

  npm run restore -- FILE              into a store with nothing in it
  npm run restore -- FILE --replace    what the store holds is backed up, and replaced
  npm run restore -- --open            new tasks are taken again

The backup does not know what happened since. So nothing that was open in it is sent, charged or shown a second time, and
nothing new is taken until you have looked at what is missing and said --open: see docs/backup.md.`;

async function main(typed: readonly string[]): Promise<0 | 1> {
	const { values, positionals } = read(typed);
	const [path, ...more] = positionals;
	if (values.help === true || (path === undefined && values.open !== true)) {
		await print(USAGE);
		return values.help === true ? 0 : 1;
	}
	if (more.length > 0) throw new UsageFault("expected one file");
	if (path !== undefined && values.open === true) throw new UsageFault("--open comes after the restore, by itself");
	readEnvFile();
	// oxlint-disable-next-line node/no-process-env -- this is where a program of its own begins
	const config = loadConfig(process.env);
	return path === undefined ? await open(config) : await putBack(path, config, values.replace === true);
}

async function open(config: Config): Promise<0 | 1> {
	const storage = await openBotsStorage(config);
	try {
		const isOpen = await takeNewTasksAgain(createKeyvStore(storage));
		await print(isOpen ? "New tasks are taken again, within a few seconds where the bot runs." : "Nothing was paused.");
		return isOpen ? 0 : 1;
	} finally {
		await storage.disconnect();
	}
}

async function putBack(path: string, config: Config, mayReplace: boolean): Promise<0 | 1> {
	const past = await checkBackup(path);
	await checkKeys(path, config);
	if (!config.STORE_URL.startsWith("sqlite:") && (await isRunning(config))) {
		await print(`Atelier runs at ${originOf(config)}. Stop it first; nothing was changed.`);
		return 1;
	}
	const storage = await openStorageOf(config);
	try {
		using locks = new DisposableStack();
		for (const user of ["bot", "studio"] as const) locks.use(lockStore(config.STORE_URL, user));
		if (await holdsSomething(storage)) {
			if (!mayReplace) {
				await print("The store holds something already. Say --replace to replace it; nothing was changed.");
				return 1;
			}
			await keepPresent(storage, config);
		}
		const entries = () => readBackup(path);
		const store = sealStore(createKeyvStore(storage), config.PROMPT_KEYS);
		const deps = { storage, store, clock: systemClock, endStudioTasks: endRestoredTasks };
		return await report(await restore({ ...past, entries }, deps), store);
	} catch (error) {
		if (!(error instanceof StoreInUseError)) throw error;
		await print(`Nothing was changed: ${error.message}`);
		return 1;
	} finally {
		await storage.disconnect();
	}
}

/** A backup whose words cannot be read is refused before anything is replaced. */
async function checkKeys(path: string, { PROMPT_KEYS }: Config): Promise<void> {
	const backup = createMemoryStorage();
	for await (const { key, text } of readBackup(path)) {
		if (key === PROOF_KEY) await backup.set(key, text);
	}
	checkProof((await createKeyvStore(backup).get(PROOF_KEY))?.value, PROMPT_KEYS);
}

async function holdsSomething(storage: TextStorage): Promise<boolean> {
	for await (const _ of storage.scan("")) return true;
	return false;
}

/** One that was cut short in the middle of a restore holds nothing worth keeping. */
async function keepPresent(storage: TextStorage, { DATA_DIR }: Config): Promise<void> {
	const { epoch, state } = await readEpoch(createKeyvStore(storage));
	if (state === "restoring") return;
	const madeAtMs = systemClock.nowMs();
	const path = join(DATA_DIR, "backups", nameOf("before-restore", madeAtMs));
	await mkdir(dirname(path), { recursive: true });
	await writeBackup(path, { madeAtMs, epoch }, storage.snapshot());
	await print(`What the store held is in ${path}.`);
}

async function report(done: Restored, store: Store): Promise<0 | 1> {
	const { documents, openTasks, openStudioTasks, record } = done;
	await print(`${counted(documents, "document was", "documents were")} put back; this is epoch ${record.epoch}.`);
	if (openTasks > 0)
		await print(
			`${counted(openTasks, "open task", "open tasks")}: what had not been sent ends with its credits back, the rest is followed.`,
		);
	if (openStudioTasks > 0)
		await print(
			`${counted(openStudioTasks, "open task of the studio is", "open tasks of the studio are")} canceled, with credits back.`,
		);
	const deps = { store, clock: systemClock, newId: randomUUID, print, warn };
	const audited = await carryOutCreditsOrder({ kind: "audit", guildId: undefined }, deps);
	const { fromMs = 0, untilMs = 0 } = record.missing ?? {};
	const missing = `${new Date(fromMs).toISOString()} to ${new Date(untilMs).toISOString()}`;
	await print(`Missing is what happened from ${missing}: what was spent then can be spent again.`);
	await print("Compare with your media service's bill and with Discord's purchases of that time, correct with");
	await print("`npm run credits`, then say `npm run restore -- --open`. Until then nothing new is taken.");
	return audited;
}

function read(typed: readonly string[]) {
	const flag = { type: "boolean" } as const;
	const options = { replace: flag, open: flag, help: { ...flag, short: "h" } } as const;
	try {
		return parseArgs({ args: [...typed], allowPositionals: true, options });
	} catch (error) {
		throw new UsageFault(error instanceof Error ? error.message : String(error), { cause: error });
	}
}

await runProgram(main, (error) => explainBackup(error, USAGE));
