import type { Command } from "@commander-js/extra-typings";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig } from "../config/load-config.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { verifyEncryptionKeys, reencryptStore } from "@atelier/store/encrypted-store";
import { openConfiguredStorage, type CliContext, pluralize } from "./cli-context.ts";

export function defineRotateKeys(command: Command, context: CliContext): void {
	command
		.description(
			"Encrypts what members typed with the first of PROMPT_KEYS, in a store that has it in another way; the other keys " +
				"can be taken out afterwards. The bot may be running.",
		)
		.option("--plain", "encrypt with none: PROMPT_KEYS is taken out afterwards, after stopping the bot for this")
		.addHelpText(
			"after",
			"\nWithout it everything is still read: what is written anew is encrypted with the first key.",
		)
		.action(async ({ plain = false }) => {
			const config = loadConfig(context.env());
			if (!config.PROMPT_KEYS) throw new ConfigError("PROMPT_KEYS is not set");
			const store = createKeyvStore(await openConfiguredStorage(config));
			try {
				await verifyEncryptionKeys(store, config.PROMPT_KEYS);
				const count = await reencryptStore(store, config.PROMPT_KEYS, plain);
				await context.print(`${pluralize(count, "document was", "documents were")} changed.`);
			} finally {
				await store.close();
			}
		});
}
