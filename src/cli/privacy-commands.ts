/** Exports and removes the data about one person in all guilds. */
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { Config } from "../config/load-config.ts";
import { createResultStore } from "../services/delivery/result-store.ts";
import { guildAccount } from "../services/credits/guild-accounts.ts";
import { createGuildSettings, SETTINGS_PREFIX } from "../services/settings/guild-settings.ts";
import { accountKey } from "@atelier/ledger/journal";
import { createLedger } from "@atelier/ledger/ledger";
import { createReportedResults } from "../services/moderation/reported-results.ts";
import { createPrivacyService } from "../services/privacy/privacy-service.ts";
import { createUnconfirmedRequests } from "../services/tasks/unconfirmed-requests.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Store } from "@atelier/store/store";
import { createGalleryStore } from "../services/gallery/gallery-store.ts";
import { createTaskRemoval } from "../services/tasks/remove-task.ts";
import { createTaskStore, type TaskStore } from "../services/tasks/task-store.ts";
import { withStore, type CliContext } from "./cli-context.ts";
import { parseUserId } from "./parse-args.ts";

/** Far more than one member can store, so that no export is cut. */
const EXPORT_BYTES_MAX = 1024 ** 3;

export function definePrivacy(privacy: Command, context: CliContext): void {
	privacy
		.description(
			"Exports or deletes the data of one user in all servers. Works while the bot runs; reads the environment like the bot.",
		)
		.addHelpText(
			"after",
			"\nMembers do the same for one server with /privacy. docs/privacy.md lists the stored data and the reasons.",
		);
	privacy
		.command("export")
		.description("prints the data as JSON lines, one for each server")
		.argument("<user>", "the user's id on Discord", parseUserId)
		.action((userId) => withStore(context, (store, config) => exportAll(userId, depsOf(context, store, config))));
	privacy
		.command("delete")
		.description("deletes the user's finished tasks")
		.argument("<user>", "the user's id on Discord", parseUserId)
		.action((userId) => withStore(context, (store, config) => deleteAll(userId, depsOf(context, store, config))));
}

interface PrivacyDeps {
	readonly store: Store;
	readonly tasks: TaskStore;
	readonly privacy: ReturnType<typeof createPrivacyService>;
	readonly print: CliContext["print"];
	readonly warn: CliContext["warn"];
}

function depsOf({ clock, print, warn }: CliContext, store: Store, config: Config): PrivacyDeps {
	const tasks = createTaskStore(store);
	const gallery = createGalleryStore(store);
	const results = createResultStore({
		folder: join(config.DATA_DIR, "results"),
		bytesMax: config.RESULTS_MAX_MB * 1024 * 1024,
		openTaskIds: () => tasks.openIds(),
		clock,
	});
	const privacy = createPrivacyService({
		reported: createReportedResults(store),
		tasks,
		removeTask: createTaskRemoval({ tasks, results, gallery }),
		gallery,
		unconfirmedRequests: createUnconfirmedRequests({ store, clock }),
		ledger: createLedger({ store, clock }),
		settings: createGuildSettings(store, { clock }),
		clock,
		retentionDays: config.TASK_RETENTION_DAYS,
	});
	return { store, tasks, privacy, print, warn };
}

async function exportAll(userId: string, { store, privacy, print, warn }: PrivacyDeps): Promise<0 | 1> {
	let exitCode: 0 | 1 = 0;
	let isKnown = false;
	for await (const guildId of serversOf(store, warn)) {
		const found = await privacy.exportData({ guildId, userId }, EXPORT_BYTES_MAX).catch(damageOf);
		if (found instanceof CorruptDocumentError) {
			exitCode = 1;
			isKnown = true;
			warn(`server ${guildId} is not exported: ${found.message}`);
		} else if (!found.isEmpty) {
			isKnown = true;
			await print(JSON.stringify(JSON.parse(found.text)));
		}
	}
	if (!isKnown) warn(`No data are stored about ${userId}.`);
	return exitCode;
}

/** Favorites and unconfirmed requests may also be in servers where the user has no tasks. */
async function deleteAll(userId: string, { store, tasks, privacy, print, warn }: PrivacyDeps): Promise<0 | 1> {
	let exitCode: 0 | 1 = 0;
	let isKnown = false;
	const guildIds = new Set(await Array.fromAsync(tasks.guildsOf(userId)));
	for await (const guildId of serversOf(store, warn)) guildIds.add(guildId);
	for (const guildId of guildIds) {
		const done = await privacy.remove({ guildId, userId }).catch(damageOf);
		if (done instanceof CorruptDocumentError) {
			exitCode = 1;
			isKnown = true;
			warn(`server ${guildId}: only readable data were deleted: ${done.message}`);
		} else if (done.removed + done.open > 0) {
			isKnown = true;
			await print(`server ${guildId}: ${done.removed} deleted, ${done.open} still open`);
		}
	}
	if (!isKnown) warn(`No tasks of ${userId} are stored.`);
	return exitCode;
}

/** Returns the error of a corrupt document as a result. Rethrows any other error. */
function damageOf(error: unknown): CorruptDocumentError {
	if (error instanceof CorruptDocumentError) return error;
	throw error;
}

/** Yields every guild with usage or settings: charges and blocks of a member outlive their tasks. */
async function* serversOf(store: Store, warn: CliContext["warn"]): AsyncGenerator<string> {
	const seen = new Set<string>();
	for (const prefix of [accountKey(guildAccount("")), SETTINGS_PREFIX]) {
		const damaged: string[] = [];
		for await (const { key } of store.scan(prefix, { onCorrupt: (each) => void damaged.push(each) })) {
			const guildId = key.slice(prefix.length);
			if (!seen.has(guildId)) yield guildId;
			seen.add(guildId);
		}
		for (const key of damaged) warn(`${key} cannot be read; its contents are missing here.`);
	}
}
