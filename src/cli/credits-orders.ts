/** What each order of an operator does, over a store that the bot may be using at the same time. */
import type { Clock } from "../clock.ts";
import { createCreditDesk, deskOperationId } from "../services/guilds/credit-desk.ts";
import { guildAccount } from "../services/guilds/guild-accounts.ts";
import { createGuildSettings } from "../services/guilds/guild-settings.ts";
import { movedCredits } from "../services/guilds/history.ts";
import { endOfDay } from "../services/guilds/period.ts";
import { createAuditor, type AccountAudit } from "../services/ledger/auditor.ts";
import { accountKey, createJournal, parseAccount, readAccountKey } from "../services/ledger/journal.ts";
import { createLedger } from "../services/ledger/ledger.ts";
import type { AccountId, Entry, Ledger } from "../services/ledger/operations.ts";
import { CorruptDocument } from "../services/store/keyv-store.ts";
import type { Store } from "../services/store/store.ts";
import { createTaskStore } from "../services/tasks/task-store.ts";
import type { CreditsOrder } from "./credits-arguments.ts";
import { counted } from "./counted.ts";
import { UsageFault } from "./usage-fault.ts";

const PAGE_ENTRIES = 200;
const ENTRIES_SHOWN = 10;
/** Keeps an operator's own ids apart from those of the bot. */
export const CLI_ID_PREFIX = "cli:";

interface CreditsDeps {
	readonly store: Store;
	readonly clock: Clock;
	readonly newId: () => string;
	readonly print: (line: string) => Promise<void>;
	/** Beside what is printed, for what is no part of it. */
	readonly warn: (line: string) => void;
}

/** Resolves to the exit code: 1 where an audit found something, or an export could not read something. */
export async function carryOut(order: Exclude<CreditsOrder, { kind: "help" }>, deps: CreditsDeps): Promise<0 | 1> {
	switch (order.kind) {
		case "grant":
		case "revoke":
			return await change(order, deps);
		case "show":
			return await show(order.guildId, deps);
		case "audit":
			return await audit(order.guildId, deps);
		case "export":
			return await exportJournal(order.guildId, deps);
	}
}

async function change(order: Extract<CreditsOrder, { kind: "grant" | "revoke" }>, deps: CreditsDeps): Promise<0> {
	const { store, clock, newId, print } = deps;
	const desk = createCreditDesk(createLedger({ store, clock }));
	const { guildId, amountCredits, reason, id = newId() } = order.change;
	const wanted = { guildId, amountCredits, reason, by: "operator", operationId: CLI_ID_PREFIX + id };
	const done = await findDone(store, guildAccount(guildId), deskOperationId(order.kind, wanted.operationId));
	const isKnown = (await store.get(accountKey(guildAccount(guildId)))) !== undefined;
	const balance =
		order.kind === "grant" ? await desk.grant(wanted, await expiryOf(order, deps)) : await desk.revoke(wanted);
	await print(
		done
			? `Nothing moved: id ${id} was done already at ${new Date(done.atMs).toISOString()}, and stays as it was then.`
			: `${order.kind === "grant" ? "Granted" : "Revoked"} ${inWords(amountCredits)}, id ${id}.`,
	);
	await print(`Server ${guildId} has ${inWords(balance.availableCredits)} free now.`);
	if (!isKnown) await print("This server has not used the bot yet: check its id.");
	return 0;
}

/** The entry of an operation that was done before, in the account or, once it is copied, in the journal. */
async function findDone(store: Store, account: AccountId, operationId: string): Promise<Entry | undefined> {
	const stored = await store.get(accountKey(account));
	const carried = stored && parseAccount(stored).entries.find((entry) => entry.operationId === operationId);
	return carried ?? (await createJournal(store).find(account, `operation:${operationId}`));
}

async function expiryOf(
	{ change: { guildId }, lastDay }: Extract<CreditsOrder, { kind: "grant" }>,
	{ store, clock }: CreditsDeps,
): Promise<{ readonly expiresAtMs?: number }> {
	if (lastDay === undefined) return {};
	const { timeZone } = await createGuildSettings(store, { clock }).read(guildId);
	const expiresAtMs = endOfDay(lastDay, timeZone);
	if (expiresAtMs <= clock.nowMs()) throw new UsageFault(`--expires: ${lastDay} is over`);
	return { expiresAtMs };
}

async function show(guildId: string, { store, clock, print }: CreditsDeps): Promise<0> {
	const ledger = createLedger({ store, clock });
	const account = guildAccount(guildId);
	const { postedCredits, heldCredits, availableCredits, expiring } = await ledger.balance(account);
	const entries = await ledger.history(account, { limit: ENTRIES_SHOWN });
	if (entries.length === 0) {
		await print(`Server ${guildId} has not used the bot yet. Its first credits come when it does.`);
		return 0;
	}
	await print(`Server ${guildId}`);
	await print(`  free       ${inWords(availableCredits)}`);
	for (const { credits, expiresAtMs } of expiring) {
		await print(`             ${inWords(credits)} of them until ${new Date(expiresAtMs).toISOString()}`);
	}
	await print(`  set aside  ${inWords(heldCredits)} for what is being made`);
	await print(`  owned      ${inWords(postedCredits)}`);
	await print("  settings");
	const settings = JSON.stringify(await createGuildSettings(store, { clock }).read(guildId), undefined, 2);
	for (const line of settings.split("\n")) await print(`    ${line}`);
	await print(`  newest entries of ${entries[0]?.seq ?? 0}`);
	for (const entry of entries) await print(`    ${lineOf(entry)}`);
	return 0;
}

function lineOf(entry: Entry): string {
	const { seq, atMs, kind, amountCredits, postedAfterCredits, by, reason, model } = entry;
	const moved = movedCredits(entry);
	const amount = moved === 0 ? `(${amountCredits})` : `${moved > 0 ? "+" : ""}${moved}`;
	const what = model === undefined ? reason : `${model}: ${reason}`;
	return `${seq}  ${new Date(atMs).toISOString()}  ${kind} ${amount} -> ${postedAfterCredits}  ${by}  ${what}`;
}

async function audit(guildId: string | undefined, { store, print }: CreditsDeps): Promise<0 | 1> {
	const auditor = createAuditor({ store, tasks: createTaskStore(store) });
	async function* audits(): AsyncGenerator<AccountAudit> {
		if (guildId === undefined) yield* auditor.all();
		else for await (const account of accountsOf(store, guildId)) yield await auditor.account(account);
	}
	let accounts = 0;
	let entries = 0;
	let found = 0;
	for await (const { account, entries: count, findings } of audits()) {
		accounts++;
		entries += count;
		found += findings.length;
		for (const { rule, subject, expected, found: actual } of findings) {
			await print(`${account}  ${rule}: ${subject}: expected ${expected}, found ${actual}`);
		}
	}
	if (guildId !== undefined && entries === 0 && found === 0) {
		await print(`Server ${guildId} has no account: it has not used the bot yet, or its id is another.`);
		return 1;
	}
	const read = `${counted(accounts, "account", "accounts")} with ${counted(entries, "entry", "entries")}`;
	await print(
		found === 0
			? `Audited ${read}: all is well.`
			: `Audited ${read}: ${counted(found, "thing differs", "things differ")}. Nothing was changed.`,
	);
	return found === 0 ? 0 : 1;
}

/** An account that cannot be read is named, and the others are still exported. */
async function exportJournal(guildId: string | undefined, deps: CreditsDeps): Promise<0 | 1> {
	const { store, clock, print, warn } = deps;
	const ledger = createLedger({ store, clock });
	let exitCode: 0 | 1 = 0;
	for await (const account of accountsOf(store, guildId)) {
		try {
			for await (const entry of entriesForward(ledger, account)) await print(JSON.stringify({ account, ...entry }));
		} catch (error) {
			if (!(error instanceof CorruptDocument)) throw error;
			exitCode = 1;
			warn(`${account} is not exported in full: ${error.message}`);
		}
	}
	return exitCode;
}

/** Those of one server, its balance first and then its limits on use, or all there are; damaged ones too. */
async function* accountsOf(store: Store, guildId: string | undefined): AsyncGenerator<AccountId> {
	if (guildId !== undefined) yield guildAccount(guildId);
	const damaged: string[] = [];
	const prefix = accountKey(guildId === undefined ? "" : `use:${guildId}:`);
	for await (const { key } of store.scan(prefix, { onCorrupt: (each) => void damaged.push(each) })) {
		yield readAccountKey(key);
	}
	for (const key of damaged) yield readAccountKey(key);
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

function inWords(count: number): string {
	return counted(count, "credit", "credits");
}
