/** What is kept about one person, in all servers, for whoever runs the bot. Exit codes: 0 done, 1 refused or failed, 2 not understood. */
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { loadConfig } from "../config.ts";
import { createResultStore } from "../services/delivery/result-store.ts";
import { createGuildSettings } from "../services/guilds/guild-settings.ts";
import { createLedger } from "../services/ledger/ledger.ts";
import { createPrivacyDesk } from "../services/privacy/privacy-desk.ts";
import { createProposals } from "../services/tasks/proposals.ts";
import { createTaskStore } from "../services/tasks/task-store.ts";
import { explain, openBotsStore, print, runProgram } from "./program.ts";
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
		for await (const guildId of tasks.guildsOf(userId)) {
			const member = { guildId, userId };
			if (what === "export") {
				const { text } = await desk.collect(member, EXPORT_BYTES_MAX);
				await print(JSON.stringify(JSON.parse(text)));
			} else {
				const { removed, open } = await desk.remove(member);
				await print(`server ${guildId}: ${removed} deleted, ${open} still being made`);
			}
		}
		return 0;
	} finally {
		await store.close();
	}
}

await runProgram(main, (error) => explain(error, USAGE));
