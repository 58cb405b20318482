/** Encrypts what members typed with another key, or with none. Exit codes: 0 done, 1 refused or failed, 2 not understood. */
import { loadConfig } from "../config.ts";
import { readEnvFile } from "../env-file.ts";
import { createKeyvStore } from "../services/store/keyv-store.ts";
import { proveSealing, resealStore } from "../services/store/sealed-store.ts";
import { openBotsStorage } from "./backup-programs.ts";
import { counted } from "./counted.ts";
import { explain, print, runProgram } from "./program.ts";
import { UsageFault } from "./usage-fault.ts";

const USAGE = `Encrypts what members typed, in a store that has it in another way. The bot may be running.

  npm run reseal              with the first of PROMPT_KEYS; the others can be taken out afterwards
  npm run reseal -- --plain   with none; PROMPT_KEYS is taken out afterwards, after stopping the bot for this

Without it everything is still read: what is written anew is encrypted with the first key.`;

async function main(typed: readonly string[]): Promise<0 | 1> {
	const [what, ...more] = typed;
	if (what === "--help" || what === "-h" || what === "help") {
		await print(USAGE);
		return 0;
	}
	if (more.length > 0 || (what !== undefined && what !== "--plain"))
		throw new UsageFault(`${typed.join(" ")}: not understood`);
	readEnvFile();
	// oxlint-disable-next-line node/no-process-env -- this is where a program of its own begins
	const config = loadConfig(process.env);
	if (!config.PROMPT_KEYS) throw new UsageFault("PROMPT_KEYS is not set");
	const store = createKeyvStore(await openBotsStorage(config));
	try {
		await proveSealing(store, config.PROMPT_KEYS);
		const count = await resealStore(store, config.PROMPT_KEYS, what === "--plain");
		await print(`${counted(count, "document was", "documents were")} changed.`);
		return 0;
	} finally {
		await store.close();
	}
}

await runProgram(main, (error) => explain(error, USAGE));
