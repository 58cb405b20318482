/** What is kept about one person, in all servers, for whoever runs the bot. Exit codes: 0 done, 1 refused or failed, 2 not understood. */
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { loadConfig } from "../config.ts";
import { createResultStore } from "../services/delivery/result-store.ts";
import { guildAccount } from "../services/guilds/guild-accounts.ts";
import { createGuildSettings, SETTINGS_PREFIX } from "../services/guilds/guild-settings.ts";
import { accountKey } from "../services/ledger/journal.ts";
import { createLedger } from "../services/ledger/ledger.ts";
import { createPrivacyDesk } from "../services/privacy/privacy-desk.ts";
import { createProposals } from "../services/tasks/proposals.ts";
import { CorruptDocument } from "../services/store/keyv-store.ts";
import type { Store } from "../services/store/store.ts";
import { createTaskStore } from "../services/tasks/task-store.ts";
import { explain, openBotsStore, print, runProgram, warn } from "./program.ts";
import { UsageFault } from "./usage-fault.ts";

const USAGE = `What is kept about one person, in all servers. Works while the bot runs; reads the environment as the bot does.

  npm run privacy -- export USER    as JSON, a line for each server
  npm run privacy -- delete USER    what they asked for, as far as it has ended

USER is their id on Discord. Members do the same for one server with /privacy. What is kept, and why: docs/privacy.md.`;

const EXPORT_BYTES_MAX = 1024 ** 3;

async function main(typed: readonly string[]): Promise<0 | 1> {
	const [what, userId, ...more] = typed;
	if (what === undefined || what === "help" || what === "--help" || what === "-h") {
		await print(USAGE);
		return 0;
	}
	if (what !== "export" && what !== "delete") throw new UsageFault(`there is no command ${what}`);
	if (userId === undefined || !/^\d{1,20}$/.test(userId))
		throw new UsageFault("USER: expected an id of Discord, a number");
	if (more.length > 0) throw new UsageFault(`${more.join(" ")}: not understood`);
	const store = await openBotsStore();
	// oxlint-disable-next-line node/no-process-env -- this is where a program of its own begins
	const config = loadConfig(process.env);
	const clock = systemClock;
	try {
		const tasks = createTaskStore(store);
		const desk = createPrivacyDesk({
			store,
			tasks,
			proposals: createProposals({ store, clock }),
			results: createResultStore({
				folder: join(config.DATA_DIR, "results"),
				bytesMax: config.RESULTS_MAX_MB * 1024 * 1024,
				openTaskIds: () => tasks.openIds(),
				clock,
			}),
			ledger: createLedger({ store, clock }),
			settings: createGuildSettings(store, { clock }),
			clock,
			retentionDays: config.TASK_RETENTION_DAYS,
		});
		let exitCode: 0 | 1 = 0;
		let isKnown = false;
		for await (const guildId of what === "export" ? serversOf(store) : tasks.guildsOf(userId)) {
			const member = { guildId, userId };
			if (what === "export") {
				const found = await desk.collect(member, EXPORT_BYTES_MAX).catch(damageOf);
				if (found instanceof CorruptDocument) {
					exitCode = 1;
					isKnown = true;
					warn(`server ${guildId} is not exported: ${found.message}`);
					continue;
				}
				if (found.isEmpty) continue;
				await print(JSON.stringify(JSON.parse(found.text)));
			} else {
				const done = await desk.remove(member).catch(damageOf);
				if (done instanceof CorruptDocument) {
					exitCode = 1;
					warn(`server ${guildId}: all is deleted that can be read: ${done.message}`);
				} else await print(`server ${guildId}: ${done.removed} deleted, ${done.open} still being made`);
			}
			isKnown = true;
		}
		// Beside what may be a file of JSON.
		if (!isKnown) warn(what === "export" ? `Nothing is kept about ${userId}.` : `No tasks of ${userId} are kept.`);
		return exitCode;
	} finally {
		await store.close();
	}
}

function damageOf(error: unknown): CorruptDocument {
	if (error instanceof CorruptDocument) return error;
	throw error;
}

/** Every server in which anything was used or set: what somebody spent there, and why they are blocked, outlives their tasks. */
async function* serversOf(store: Store): AsyncGenerator<string> {
	const seen = new Set<string>();
	for (const prefix of [accountKey(guildAccount("")), SETTINGS_PREFIX]) {
		const damaged: string[] = [];
		for await (const { key } of store.scan(prefix, { onCorrupt: (each) => void damaged.push(each) })) {
			const guildId = key.slice(prefix.length);
			if (!seen.has(guildId)) yield guildId;
			seen.add(guildId);
		}
		for (const key of damaged) warn(`${key} cannot be read: what it says is missing here.`);
	}
}

await runProgram(main, (error) => explain(error, USAGE));
