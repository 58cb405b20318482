/**
 * How much does the ledger cost? Durable operations per second, compared with the raw store: the same transactions, each
 * waiting for the previous one of its account, in the same run; and with a naive `get` and `set`, one after the other. And: does a
 * page of the history cost more the older it is?
 *
 * The workloads: "one hot account" has 64 concurrent clients, each of "1000 accounts" has one, each of "1000 busy accounts" eight.
 *
 * Run: node tools/node24.mjs bench/ledger.ts [STORE_URL ...]   (default: a new SQLite file)
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@atelier/common/clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import type { Ledger } from "@atelier/ledger/ledger";
import { openStore } from "@atelier/store/open-store";
import type { DocumentWrite, Store } from "@atelier/store/store";
import { describeMachine, medianAndRange } from "./lib/statistics.ts";

const ROUNDS = 5;
const HOT_CLIENTS = 64;
const HOT_OPERATIONS = 12_000;
const ACCOUNTS = 1000;
const NAIVE_OPERATIONS = 4000;
const PAGE_ENTRIES = 10;
const PAGES = 10_000;
const PAGE_READS = 300;
const NOTE = { by: "member:1", reason: "bench", taskId: "1430000000000000000", mediaType: "image", model: "sketch" };

/** The writes of one account, one array for each transaction. Each transaction waits for the previous one. */
type Transactions = DocumentWrite[][];

interface LedgerRun {
	readonly msPerOperation: number;
	readonly transactionsByAccount: ReadonlyMap<string, Transactions>;
}

interface Recorder {
	readonly store: Store;
	readonly transactionsByAccount: Map<string, Transactions>;
}

/** Records the writes of the ledger: it writes with `compareAndSetAll` only, first the account. */
function createRecorder(inner: Store): Recorder {
	const transactionsByAccount = new Map<string, Transactions>();
	const compareAndSetAll: Store["compareAndSetAll"] = (changes, writes = []) => {
		const transaction = [...changes.map(({ key, next }) => ({ key, value: next })), ...writes];
		const accountId = transaction[0]?.key ?? "";
		const transactions = transactionsByAccount.get(accountId);
		if (transactions) transactions.push(transaction);
		else transactionsByAccount.set(accountId, [transaction]);
		return inner.compareAndSetAll(changes, writes);
	};
	return { store: { ...inner, compareAndSetAll }, transactionsByAccount };
}

/** Repeats the recorded writes under new keys of the same length, because overwriting existing ones would cost less. */
async function replay(store: Store, { transactionsByAccount }: LedgerRun, location: string): Promise<void> {
	await Promise.all(
		[...transactionsByAccount.values()].map(async (transactions) => {
			for (const transaction of transactions) {
				const writes = transaction.map(({ key, value }) => ({ key: key.replace(LOCATION, location), value }));
				const [first, ...others] = writes;
				if (first && others.length === 0) await store.set(first.key, first.value);
				else await store.compareAndSetAll([], writes);
			}
		}),
	);
}

const LOCATION = /bench-[0-9a-f]{8}/;

function newLocation(): string {
	return `bench-${randomUUID().slice(0, 8)}`;
}

/** Reserves and posts the cost of one task. */
async function spend(ledger: Ledger, account: string, client: string, operations: number): Promise<void> {
	for (let n = 0; n < operations; n += 2) {
		await ledger.reserve(account, `${client}-${n}`, 4, NOTE);
		await ledger.post(account, `${client}-${n}`, 4, NOTE);
	}
}

interface Workload {
	readonly name: string;
	readonly operations: number;
	readonly accounts: readonly string[];
	readonly clientsPerAccount: number;
}

const ACCOUNT_NAMES = Array.from({ length: ACCOUNTS }, (_, n) => String(n));

const WORKLOADS: readonly Workload[] = [
	{ name: "one hot account", operations: HOT_OPERATIONS, accounts: ["hot"], clientsPerAccount: HOT_CLIENTS },
	{ name: `${ACCOUNTS} accounts`, operations: ACCOUNTS * 20, accounts: ACCOUNT_NAMES, clientsPerAccount: 1 },
	{ name: `${ACCOUNTS} busy accounts`, operations: ACCOUNTS * 64, accounts: ACCOUNT_NAMES, clientsPerAccount: 8 },
];

async function measureLedger(store: Store, workload: Workload, location: string): Promise<LedgerRun> {
	const ids = workload.accounts.map((name) => `${location}:${name}`);
	const recorder = createRecorder(store);
	const ledger = createLedger({ store: recorder.store, clock: systemClock });
	await Promise.all(ids.map((id) => ledger.grant(id, "grant:1", 1_000_000, NOTE)));
	recorder.transactionsByAccount.clear();
	const operationsPerClient = Math.floor(workload.operations / ids.length / workload.clientsPerAccount / 2) * 2;
	const clients = Array.from({ length: workload.clientsPerAccount }, (_, client) => `c${client}`);
	const ms = await elapsedMs(() =>
		Promise.all(ids.flatMap((id) => clients.map((client) => spend(ledger, id, client, operationsPerClient)))),
	);
	const operations = operationsPerClient * ids.length * workload.clientsPerAccount;
	return { msPerOperation: ms / operations, transactionsByAccount: recorder.transactionsByAccount };
}

/** The naive implementation: one operation after the other, without holds and without a history. */
async function measureNaive(store: Store, accounts: readonly string[], location: string): Promise<number> {
	const ms = await elapsedMs(async () => {
		for (let n = 0; n < NAIVE_OPERATIONS; n++) {
			const key = `account:${location}:${accounts[n % accounts.length]}`;
			const credits = (await store.get<{ credits: number }>(key))?.value.credits ?? 1_000_000;
			await store.set(key, { credits: credits - 4 });
		}
	});
	return ms / NAIVE_OPERATIONS;
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
	const startMs = performance.now();
	await work();
	return performance.now() - startMs;
}

function print(name: string, text: string): void {
	process.stdout.write(`${name.padEnd(46)} ${text}\n`);
}

const perSecond = (msEach: readonly number[]): string => `${medianAndRange(msEach.map((ms) => 1000 / ms))} per second`;

async function benchWorkload(store: Store, workload: Workload): Promise<void> {
	const ledgerMs: number[] = [];
	const rawMs: number[] = [];
	const naiveMs: number[] = [];
	let latest: LedgerRun | undefined;
	let writesPerOperation = 0;
	// Round 0 warms up. Odd rounds start with the raw store, which repeats the writes of the previous round.
	for (let round = 0; round <= ROUNDS; round++) {
		const isRawFirst = round % 2 === 1;
		const previous = latest;
		const measureRaw = async (run: LedgerRun): Promise<void> => {
			const writeCount = [...run.transactionsByAccount.values()].flat(2).length;
			writesPerOperation = writeCount / workload.operations;
			const ms = await elapsedMs(() => replay(store, run, newLocation()));
			if (round > 0) rawMs.push(ms / workload.operations);
		};
		if (isRawFirst && previous) await measureRaw(previous);
		latest = await measureLedger(store, workload, newLocation());
		if (round > 0) ledgerMs.push(latest.msPerOperation);
		if (!isRawFirst) await measureRaw(latest);
		const naive = await measureNaive(store, workload.accounts, newLocation());
		if (round > 0) naiveMs.push(naive);
	}
	print(`${workload.name}, ledger`, perSecond(ledgerMs));
	print(`${workload.name}, raw, the same ${writesPerOperation.toFixed(2)} writes each`, perSecond(rawMs));
	print(`${workload.name}, naive: get, set`, perSecond(naiveMs));
	const ratiosTo = (baseMs: readonly number[]) => baseMs.map((base, n) => base / (ledgerMs[n] ?? Number.NaN));
	print(`${workload.name}, ledger / raw`, `${medianAndRange(ratiosTo(rawMs), 2)}   target 0.40`);
	print(`${workload.name}, ledger / naive`, `${medianAndRange(ratiosTo(naiveMs), 1)}   target 10`);
}

async function benchHistory(store: Store): Promise<void> {
	const id = `${newLocation()}:history`;
	const ledger = createLedger({ store, clock: systemClock });
	const entryCount = PAGES * PAGE_ENTRIES;
	for (let first = 0; first < entryCount; first += 1000) {
		await Promise.all(Array.from({ length: 1000 }, (_, n) => ledger.adjust(id, `adjust:${first + n}`, 1, NOTE)));
	}
	const newest: number[] = [];
	const oldest: number[] = [];
	for (let read = 0; read < PAGE_READS; read++) {
		newest.push(await elapsedMs(() => ledger.history(id, { limit: PAGE_ENTRIES })));
		oldest.push(await elapsedMs(() => ledger.history(id, { limit: PAGE_ENTRIES, beforeSeq: PAGE_ENTRIES + 1 })));
	}
	print(`history of ${entryCount} entries, page 1, ms`, medianAndRange(newest, 3));
	print(`history of ${entryCount} entries, page ${PAGES}, ms`, medianAndRange(oldest, 3));
}

const folder = await mkdtemp(join(tmpdir(), "atelier-bench-"));
const givenUrls = process.argv.slice(2);
print("machine", `${describeMachine()}, ${ROUNDS} rounds in turn`);
try {
	for (const url of givenUrls.length > 0 ? givenUrls : [`sqlite:${join(folder, "bench.db")}`]) {
		const store = await openStore(url);
		process.stdout.write(`\n${url.slice(0, url.indexOf(":"))}\n`);
		for (const workload of WORKLOADS) await benchWorkload(store, workload);
		await benchHistory(store);
		await store.close();
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}
