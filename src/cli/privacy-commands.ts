/** Exports and removes the data about one person in all servers. */
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { Config } from "../config/load-config.ts";
import { createResultStore } from "../services/delivery/result-store.ts";
import { guildAccount } from "../services/credits/guild-accounts.ts";
import { createSettingsStore, SETTINGS_PREFIX } from "../services/settings/settings-store.ts";
import { accountKey } from "@atelier/ledger/journal";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createReportStore, REPORTED_PREFIX } from "../services/moderation/report-store.ts";
import { createPrivacyService } from "../services/privacy/privacy-service.ts";
import { createRequestDrafts, type RequestDrafts } from "../services/tasks/request-drafts.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Store } from "@atelier/store/store";
import { createGalleryStore, FAVORITE_PREFIX } from "../services/gallery/gallery-store.ts";
import { createTaskRemoval } from "../services/tasks/remove-tasks.ts";
import { createTaskStore, GUILD_TASK_PREFIX } from "../services/tasks/task-store.ts";
import { withStore, type CliContext } from "./cli-context.ts";
import { parseUserId } from "./parse-args.ts";

/** Far more than one member can store, so that no export is cut. */
const EXPORT_BYTES_MAX = 1024 ** 3;
const PROGRESS_EVERY_SERVERS = 1000;

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
		.description("deletes the user's finished tasks, drafts and favorites")
		.argument("<user>", "the user's id on Discord", parseUserId)
		.action((userId) => withStore(context, (store, config) => deleteAll(userId, depsOf(context, store, config))));
}

interface PrivacyDeps {
	readonly store: Store;
	readonly drafts: Pick<RequestDrafts, "guildIds">;
	readonly privacy: ReturnType<typeof createPrivacyService>;
	readonly print: CliContext["print"];
	readonly warn: CliContext["warn"];
}

function depsOf({ clock, print, warn }: CliContext, store: Store, config: Config): PrivacyDeps {
	const taskStore = createTaskStore(store);
	const galleryStore = createGalleryStore(store);
	const drafts = createRequestDrafts({ store, clock });
	const results = createResultStore({
		folder: join(config.DATA_DIR, "results"),
		bytesMax: config.RESULTS_MAX_MB * 1024 * 1024,
		openTaskIds: () => taskStore.openIds(),
		clock,
	});
	const privacy = createPrivacyService({
		reportStore: createReportStore(store),
		taskStore,
		removeTask: createTaskRemoval({ taskStore, results, galleryStore }),
		galleryStore,
		drafts,
		ledger: createLedger({ store, clock }),
		settings: createSettingsStore(store, { clock }),
		clock,
		onCorrupt: (error) => warn(`${error.message}. It is missing here.`),
		retentionDays: config.TASK_RETENTION_DAYS,
		entriesScannedMax: Number.POSITIVE_INFINITY,
	});
	return { store, drafts, privacy, print, warn };
}

async function exportAll(userId: string, deps: PrivacyDeps): Promise<0 | 1> {
	const { privacy, print, warn } = deps;
	const exportFrom = async (guildId: string): Promise<boolean> => {
		const { text, isEmpty } = await privacy.exportData({ guildId, userId }, EXPORT_BYTES_MAX);
		if (!isEmpty) await print(JSON.stringify(JSON.parse(text)));
		return !isEmpty;
	};
	const { exitCode, isKnown } = await inServers(deps, exportFrom, (problem) =>
		warn(`${problem}. This server is not exported.`),
	);
	if (!isKnown) warn(`No data are stored about ${userId}.`);
	return exitCode;
}

async function deleteAll(userId: string, deps: PrivacyDeps): Promise<0 | 1> {
	const { privacy, print, warn } = deps;
	const deleteFrom = async (guildId: string): Promise<boolean> => {
		const { removed, open } = await privacy.remove({ guildId, userId });
		if (removed + open > 0) await print(`server ${guildId}: ${removed} deleted, ${open} still open`);
		return removed + open > 0;
	};
	const { exitCode, isKnown } = await inServers(deps, deleteFrom, (problem) =>
		warn(`${problem}. Only readable data were deleted.`),
	);
	if (!isKnown) warn(`No tasks of ${userId} are stored.`);
	return exitCode;
}

/** Continues after corrupt documents. `work` resolves to whether the server has data about the user. */
async function inServers(
	{ store, drafts, warn }: PrivacyDeps,
	work: (guildId: string) => Promise<boolean>,
	report: (problem: string) => void,
): Promise<{ readonly exitCode: 0 | 1; readonly isKnown: boolean }> {
	let exitCode: 0 | 1 = 0;
	let isKnown = false;
	let searchedCount = 0;
	for (const guildId of await serversOf(store, drafts)) {
		try {
			if (await work(guildId)) isKnown = true;
		} catch (error) {
			if (!(error instanceof CorruptDocumentError)) throw error;
			exitCode = 1;
			isKnown = true;
			report(`server ${guildId}: ${error.message}`);
		}
		if (++searchedCount % PROGRESS_EVERY_SERVERS === 0) warn(`searched ${searchedCount.toLocaleString("en")} servers`);
	}
	return { exitCode, isKnown };
}

/** The keys of data about members; each continues with the id of a server. */
const PREFIXES = [accountKey(guildAccount("")), SETTINGS_PREFIX, GUILD_TASK_PREFIX, FAVORITE_PREFIX, REPORTED_PREFIX];

/** Lists every server with data about members, also unreadable data: charges and blocks of a member outlive their tasks. */
async function serversOf(store: Store, drafts: PrivacyDeps["drafts"]): Promise<ReadonlySet<string>> {
	const guildIds = new Set(await Array.fromAsync(drafts.guildIds()));
	for (const prefix of PREFIXES) {
		const onKey = (key: string): void => void guildIds.add(key.slice(prefix.length).replace(/:.*/, ""));
		for await (const { key } of store.scan(prefix, { onCorrupt: onKey })) onKey(key);
	}
	return guildIds;
}
