import type { Command } from "@commander-js/extra-typings";
import { ConfigError } from "../config/config-error.ts";
import { loadConfig } from "../config/load-config.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { verifyEncryptionKeys, reencryptStore } from "@atelier/store/encrypted-store";
import { withAdapter, type CliContext, pluralize } from "./cli-context.ts";

export function defineRotateKeys(command: Command, context: CliContext): void {
	command
		.description(
			"Encrypts all prompts in the store with the first of PROMPT_KEYS. The other keys " +
				"can then be removed. The bot may be running.",
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
				const store = createKeyvStore(storage);
				await verifyEncryptionKeys(store, keys);
				const count = await reencryptStore(store, keys, plain ? "plain" : "firstKey");
				await context.print(`${pluralize(count, "document was", "documents were")} changed.`);
			});
		});
}
