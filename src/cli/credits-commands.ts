/** Shows and changes the credits of any server. The bot may use the store at the same time. */
import { randomUUID } from "node:crypto";
import type { Command } from "@commander-js/extra-typings";
import { OPERATOR } from "../services/access/change-author.ts";
import { CreditChangeUncertainError, createCreditService } from "../services/credits/credit-service.ts";
import { guildAccount } from "../services/credits/guild-accounts.ts";
import { createSettingsStore } from "../services/settings/settings-store.ts";
import { signedCredits } from "../services/credits/history.ts";
import { endOfDay } from "../services/period.ts";
import { createAuditor, type AccountAudit } from "@atelier/ledger/audit-store";
import { accountKey, parseAccountKey } from "@atelier/ledger/journal";
import { createLedger } from "@atelier/ledger/create-ledger";
import type { AccountId, Entry, Ledger } from "@atelier/ledger/ledger";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import type { Store } from "@atelier/store/store";
import { createTaskStore, createHoldTaskLookup } from "../services/tasks/task-store.ts";
import { withStore, type CliContext, pluralize } from "./cli-context.ts";
import { parseCredits, parseDay, parseGuildId, parseOperationId, parseReason } from "./parse-args.ts";

const PAGE_ENTRIES = 200;
const ENTRIES_SHOWN = 10;
/** Keeps an operator's own ids apart from those of the bot. */
const CLI_ID_PREFIX = "cli:";

export function defineCredits(credits: Command, context: CliContext): void {
	credits
		.description("Manages the credits of servers. Works while the bot runs; reads STORE_URL like the bot.")
		.addHelpText(
			"after",
			"\nGUILD is the server's id. A command that is repeated with the same --id takes effect once.",
		);
	const defineChange = (kind: "grant" | "revoke", description: string) =>
		credits
			.command(kind)
			.description(description)
			.argument("<guild>", "the server's id", parseGuildId)
			.argument("<amount>", "number of credits", parseCredits)
			.requiredOption("--reason <text>", "required: why, in quotation marks; the history shows it", parseReason)
			.option("--id <id>", "id of the change; a repeat with the same id has no effect", parseOperationId);
	defineChange("grant", "grants credits to a server")
		.option("--expires <day>", "unspent credits expire at the end of this day, in the server's time zone", parseDay)
		.action((guildId, amountCredits, { reason, expires, id }, command) =>
			withStore(context, async (store) => {
				const expiresAtMs =
					expires === undefined
						? undefined
						: endOfDay(expires, (await createSettingsStore(store, context).read(guildId)).timeZone);
				if (expiresAtMs !== undefined && expiresAtMs <= context.clock.nowMs())
					command.error(`error: --expires: ${expires} is in the past`);
				const change = { kind: "grant", guildId, amountCredits, reason, id, expiresAtMs } as const;
				return await changeCredits(change, { ...context, store });
			}),
		);
	defineChange("revoke", "removes available credits from a server").action((guildId, amountCredits, options) =>
		withStore(context, (store) =>
			changeCredits({ kind: "revoke", guildId, amountCredits, id: undefined, ...options }, { ...context, store }),
		),
	);
	credits
		.command("show")
		.description("shows a server's balance, settings and latest entries")
		.argument("<guild>", "the server's id", parseGuildId)
		.action((guildId) => withStore(context, (store) => showServer(guildId, { ...context, store })));
	credits
		.command("audit")
		.description("recomputes all balances from the journal; exits with 1 if one differs")
		.argument("[guild]", "the server's id (default: all servers)", parseGuildId)
		.action((guildId) => withStore(context, (store) => audit(guildId, { ...context, store })));
	credits
		.command("export")
		.description("prints the journal as JSON lines, oldest first")
		.argument("[guild]", "the server's id (default: all servers)", parseGuildId)
		.action((guildId) => withStore(context, (store) => exportJournal(guildId, { ...context, store })));
}

type CreditsDeps = Pick<CliContext, "clock" | "print" | "warn"> & { readonly store: Store };

interface CreditCommand {
	readonly kind: "grant" | "revoke";
	readonly guildId: string;
	readonly amountCredits: number;
	readonly reason: string;
	/** Makes a repeated change idempotent. Defaults to a new id. */
	readonly id: string | undefined;
	readonly expiresAtMs?: number | undefined;
}

async function changeCredits(change: CreditCommand, { store, clock, print, warn }: CreditsDeps): Promise<0 | 1> {
	const service = createCreditService({ ledger: createLedger({ store, clock }), mayManagersGrant: false });
	const { kind, guildId, amountCredits, reason, id = randomUUID(), expiresAtMs } = change;
	const serviceChange = { guildId, amountCredits, reason, by: OPERATOR, operationId: CLI_ID_PREFIX + id };
	const hasAccount = (await store.get(accountKey(guildAccount(guildId)))) !== undefined;
	const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
	try {
		const balance = kind === "grant" ? await service.grant(serviceChange, expiry) : await service.revoke(serviceChange);
		// Also true for a repeat.
		await print(
			`The ${kind === "grant" ? "grant" : "revocation"} of ${formatCredits(amountCredits)} with --id ${id} is done; a repeat changes nothing.`,
		);
		await print(`Server ${guildId} has ${formatCredits(balance.availableCredits)} available.`);
		if (!hasAccount) await print("This server has not used the bot yet: check its id.");
		return 0;
	} catch (error) {
		if (!(error instanceof CreditChangeUncertainError)) throw error;
		const cause = error.cause instanceof Error ? error.cause.message : String(error.cause);
		warn(`The outcome is unknown (${cause}). Repeat it with --id ${id}, which takes effect once.`);
		return 1;
	}
}

async function showServer(guildId: string, { store, clock, print }: CreditsDeps): Promise<0> {
	const ledger = createLedger({ store, clock });
	const account = guildAccount(guildId);
	const { postedCredits, heldCredits, availableCredits, expiring } = await ledger.balance(account);
	const entries = await ledger.history(account, { limit: ENTRIES_SHOWN });
	if (entries.length === 0) {
		await print(`Server ${guildId} has not used the bot yet. It receives its first credits with its first use.`);
		return 0;
	}
	await print(`Server ${guildId}`);
	await print(`  available  ${formatCredits(availableCredits)}`);
	for (const { credits, expiresAtMs } of expiring) {
		await print(`             ${formatCredits(credits)} of them until ${new Date(expiresAtMs).toISOString()}`);
	}
	await print(`  held       ${formatCredits(heldCredits)} for open tasks`);
	await print(`  posted     ${formatCredits(postedCredits)}`);
	await print("  settings");
	const settings = JSON.stringify(await createSettingsStore(store, { clock }).read(guildId), undefined, 2);
	for (const line of settings.split("\n")) await print(`    ${line}`);
	await print(`  newest entries of ${entries[0]?.seq ?? 0}`);
	for (const entry of entries) await print(`    ${formatEntry(entry)}`);
	return 0;
}

function formatEntry(entry: Entry): string {
	const { seq, atMs, kind, postedAfterCredits, by, reason, model } = entry;
	const description = model === undefined ? reason : `${model}: ${reason}`;
	return `${seq}  ${new Date(atMs).toISOString()}  ${kind} ${formatAmount(entry)} -> ${postedAfterCredits}  ${by}  ${description}`;
}

/** Puts the amount of a hold in brackets, because it leaves the posted credits as they are. */
function formatAmount(entry: Entry): string {
	const signedAmount = signedCredits(entry);
	if (signedAmount === 0) return `(${entry.amountCredits})`;
	return signedAmount > 0 ? `+${signedAmount}` : String(signedAmount);
}

/** Audits the accounts of a server, or all accounts. Also runs at the end of a restore. */
export async function audit(guildId: string | undefined, { store, print, warn }: CreditsDeps): Promise<0 | 1> {
	const auditor = createAuditor({ store, holdTaskState: createHoldTaskLookup(createTaskStore(store)) });
	async function* audits(): AsyncGenerator<AccountAudit> {
		if (guildId === undefined) yield* auditor.all();
		else for await (const account of accountsOf(store, guildId)) yield await auditor.account(account);
	}
	let accounts = 0;
	let entries = 0;
	let differences = 0;
	for await (const { account, entryCount, findings } of audits()) {
		accounts++;
		entries += entryCount;
		differences += findings.length;
		for (const { rule, subject, expected, found: actual } of findings) {
			await print(`${account}  ${rule}: ${subject}: expected ${expected}, found ${actual}`);
		}
	}
	if (guildId !== undefined && entries === 0 && differences === 0) {
		warn(`Server ${guildId} has no account: it has not used the bot yet, or the id is wrong.`);
		return 1;
	}
	const auditedText = `${pluralize(accounts, "account", "accounts")} with ${pluralize(entries, "entry", "entries")}`;
	await print(
		differences === 0
			? `Audited ${auditedText}: no differences.`
			: `Audited ${auditedText}: ${pluralize(differences, "difference", "differences")}. Nothing was changed.`,
	);
	return differences === 0 ? 0 : 1;
}

/** Names an account that cannot be read, and exports the others. */
async function exportJournal(guildId: string | undefined, deps: CreditsDeps): Promise<0 | 1> {
	const { store, clock, print, warn } = deps;
	const ledger = createLedger({ store, clock });
	let exitCode: 0 | 1 = 0;
	for await (const account of accountsOf(store, guildId)) {
		try {
			for await (const entry of entriesForward(ledger, account)) await print(JSON.stringify({ account, ...entry }));
		} catch (error) {
			if (!(error instanceof CorruptDocumentError)) throw error;
			exitCode = 1;
			warn(`${account} is not exported in full: ${error.message}`);
		}
	}
	return exitCode;
}

/** Yields the accounts of a server, its balance first, or all accounts; damaged ones too. */
async function* accountsOf(store: Store, guildId: string | undefined): AsyncGenerator<AccountId> {
	if (guildId !== undefined) yield guildAccount(guildId);
	const damaged: string[] = [];
	const prefix = accountKey(guildId === undefined ? "" : `use:${guildId}:`);
	for await (const { key } of store.scan(prefix, { onCorrupt: (each) => void damaged.push(each) })) {
		yield parseAccountKey(key);
	}
	for (const key of damaged) yield parseAccountKey(key);
}

async function* entriesForward(ledger: Pick<Ledger, "history">, account: AccountId): AsyncGenerator<Entry> {
	const [newest] = await ledger.history(account, { limit: 1 });
	const entries = newest?.seq ?? 0;
	for (let from = 1; from <= entries; from += PAGE_ENTRIES) {
		const limit = Math.min(PAGE_ENTRIES, entries - from + 1);
		const page = await ledger.history(account, { limit, beforeSeq: from + limit });
		yield* page.toReversed();
	}
}

function formatCredits(count: number): string {
	return pluralize(count, "credit", "credits");
}
