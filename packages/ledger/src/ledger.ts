/**
 * The ledger over a store. A change and its entries are one write of the account, by compare-and-set. An entry leaves the
 * account only after it stands in the journal, so whoever finds it in neither place knows that it never happened.
 *
 * One write at a time for each account and process; what is asked meanwhile is decided together and shares the next one.
 */
import assert from "node:assert/strict";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { Change, Store } from "@atelier/store/store";
import { EMPTY_ACCOUNT, balanceOf, openHold, type Account } from "./account.ts";
import { decide, expire, isFinal, markOf, movesOf, type Operation, type Verdict } from "./decide.ts";
import { accountKey, createJournal, entriesOfWholePages, pageKey, pageOf, parseAccount } from "./journal.ts";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import {
	LedgerRefusalError,
	type AccountId,
	type Balance,
	type ChangedDocument,
	type Entry,
	type Ledger,
	type Note,
} from "./operations.ts";

/** Operations that share one write of their account: more would make its document large. */
export const OPERATIONS_PER_WRITE_MAX = 64;
/** Lost races against other processes before a change is given up as an outage. */
const ATTEMPTS_MAX = 100;
/** Accounts of which this process remembers what it last wrote. */
const REMEMBERED_ACCOUNTS_MAX = 2000;

interface LoadedAccount {
	/** The exact text in the store; undefined where the account was never written. */
	readonly raw: string | undefined;
	readonly account: Account;
}

interface Request {
	readonly operation: Operation;
	readonly note: Note;
	/** Written with the account in one step. */
	readonly beside: readonly ChangedDocument[];
	readonly resolve: (balance: Balance) => void;
	readonly reject: (reason: unknown) => void;
}

/** Told to each request once it is certain. */
type Answer = () => void;

/** What came of some requests: answers to tell, and who has to wait for what was written with these. */
interface Settled {
	readonly answers: readonly Answer[];
	readonly deferred: readonly Request[];
}

export function createLedger({ store, clock }: { readonly store: Store; readonly clock: Clock }): Ledger {
	const journal = createJournal(store);
	// Saves the read and the check of an account before each change, which is about a third of its cost (docs/performance.md).
	// Others may have written since: the compare-and-set tells.
	const lastWritten = new LRUCache<AccountId, LoadedAccount>({ max: REMEMBERED_ACCOUNTS_MAX });
	const waiting = new Map<AccountId, Request[]>();

	async function load(id: AccountId): Promise<LoadedAccount> {
		const stored = await store.get(accountKey(id));
		return stored ? { raw: stored.raw, account: parseAccount(stored) } : { raw: undefined, account: EMPTY_ACCOUNT };
	}

	function change(
		id: AccountId,
		operation: Operation,
		note: Note,
		beside: readonly ChangedDocument[] = NOTHING_BESIDE,
	): Promise<Balance> {
		return new Promise((resolve, reject) => {
			if ("operationId" in operation) assertFree(operation.operationId);
			const request = { operation, note, beside, resolve, reject };
			const queue = waiting.get(id);
			if (queue) {
				queue.push(request);
				return;
			}
			const opened = [request];
			waiting.set(id, opened);
			queueMicrotask(() => void serve(id, opened));
		});
	}

	async function serve(id: AccountId, queue: Request[]): Promise<void> {
		while (queue.length > 0) {
			const requests = queue.splice(0, OPERATIONS_PER_WRITE_MAX);
			try {
				const settled = await settle(id, requests);
				queue.unshift(...settled.deferred);
				for (const answer of settled.answers) answer();
			} catch (error) {
				// What the store did is unknown, and so is what it holds now.
				lastWritten.delete(id);
				for (const { reject } of requests) reject(error);
			}
		}
		waiting.delete(id);
	}

	async function settle(id: AccountId, requests: readonly Request[]): Promise<Settled> {
		const remembered = lastWritten.get(id);
		const atOnce = remembered && (await attempt(id, remembered, requests, { mayBeOld: true }));
		if (atOnce) return atOnce;
		for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
			const settled = await attempt(id, await load(id), requests, { mayBeOld: false });
			if (settled) return settled;
		}
		throw new Error(`the account ${id} is too busy`);
	}

	/** Undefined: another process was first, or may have been. */
	async function attempt(
		id: AccountId,
		loaded: LoadedAccount,
		requests: readonly Request[],
		{ mayBeOld }: { readonly mayBeOld: boolean },
	): Promise<Settled | undefined> {
		const { account: before } = loaded;
		const nowMs = clock.nowMs();
		const carried = marksOf(before.entries);
		// After the account, never before: an entry moves from it to the journal and never back.
		const asked = requests.filter((request) => mayHaveBeen(before, carried, request));
		const lookups = asked.length === 0 ? NO_LOOKUPS : await findPasts(id, asked);
		// That a write came second does not say to what. What has lost to the account finds its keys as they were, and is tried again.
		const isTaken = mayBeOld ? [] : await Promise.all(requests.map(({ beside }) => isAnyOther(beside)));
		const documents: Change[] = [];
		// Also where everything is then refused: a write that is still under way from before the end must not come true.
		const first = expire(before, nowMs);
		let account = first;
		let movesFirst: ReturnType<typeof movesOf> | undefined;
		const deferred: Request[] = [];
		const answers = requests.map((request, index): Answer => {
			const { operation, note, beside, resolve, reject } = request;
			const lookup = lookups.get(request);
			if (lookup?.kind === "unreadable") return () => reject(lookup.reason);
			try {
				const past = carried.get(markOf(operation)) ?? lookup?.past;
				const told = { ...note, atMs: nowMs };
				const verdict = isTaken[index] ? NOT_NEW : beginning(decide(account, operation, past, told), beside);
				if (verdict.kind === "moved") {
					// Whoever asks again while this write is under way reads the account from before it, and must not be refused
					// what this write then makes true. So nothing goes together with what alone makes it possible.
					if (account !== first && !(movesFirst ??= movesOf(first))(operation, told)) {
						deferred.push(request);
						return () => {};
					}
					for (const [mark, entry] of marksOf(verdict.account.entries.slice(account.entries.length)))
						carried.set(mark, entry);
					account = verdict.account;
				}
				const balance = balanceOf(account);
				if (verdict.kind === "moved") {
					for (const { key, expectedRaw, valueWith } of beside)
						documents.push({ key, expectedRaw, next: valueWith(balance) });
				}
				if (verdict.kind !== "refused") return () => resolve(balance);
				return () => reject(new LedgerRefusalError(verdict.code, id, balance));
			} catch (error) {
				return () => reject(error);
			}
		});
		// What moves nothing is not checked by a write, so it counts only on what was just read.
		if (account === before) return mayBeOld ? undefined : { answers, deferred };
		return (await write(id, loaded, account, documents)) ? { answers, deferred } : undefined;
	}

	async function isAnyOther(documents: readonly ChangedDocument[]): Promise<boolean> {
		const found = await Promise.all(documents.map(({ key }) => store.get(key)));
		return documents.some(({ expectedRaw }, index) => found[index]?.raw !== expectedRaw);
	}

	/** What the journal knows of these operations. */
	async function findPasts(id: AccountId, requests: readonly Request[]): Promise<ReadonlyMap<Request, Lookup>> {
		return new Map(await Promise.all(requests.map(async (request) => [request, await findPast(id, request)] as const)));
	}

	async function findPast(id: AccountId, { operation }: Request): Promise<Lookup> {
		try {
			return { kind: "read", past: await journal.find(id, markOf(operation)) };
		} catch (reason) {
			return { kind: "unreadable", reason };
		}
	}

	async function write(
		id: AccountId,
		{ raw, account: before }: LoadedAccount,
		after: Account,
		documents: readonly Change[],
	): Promise<boolean> {
		// An entry of a written account is final, so a copy of it stays true whatever comes of this write.
		const copied = entriesOfWholePages(before);
		if (copied.length > 0) await journal.append(id, copied);
		const next = { ...after, entries: after.entries.slice(copied.length) };
		const written = await writeWith(documents, { key: accountKey(id), expectedRaw: raw, next });
		if (written === undefined) {
			lastWritten.delete(id);
			return false;
		}
		lastWritten.set(id, { raw: written, account: next });
		return true;
	}

	async function writeWith(documents: readonly Change[], account: Change): Promise<string | undefined> {
		if (documents.length === 0) return await store.compareAndSet(account.key, account.expectedRaw, account.next);
		return (await store.compareAndSetAll([account, ...documents]))?.[0];
	}

	async function readPages(id: AccountId, seqs: readonly number[]): Promise<ReadonlyMap<number, Entry>> {
		const pages = [...new Set(seqs.map(pageOf))];
		const read = await Promise.all(
			pages.map(async (page) => {
				const entries = await journal.page(id, page);
				if (!entries) throw new CorruptDocumentError(pageKey(id, page), new Error("a journal has no gaps"));
				return entries;
			}),
		);
		return new Map(read.flat().map((entry) => [entry.seq, entry]));
	}

	return {
		grant: (id, operationId, amountCredits, note, options = {}) =>
			change(id, { kind: "grant", operationId, amountCredits, ...options }, note),
		adjust: (id, operationId, amountCredits, note) => change(id, { kind: "adjust", operationId, amountCredits }, note),
		reserve: (id, holdId, amountCredits, note, { overdraftCredits = 0, isUnheardOf = false, beside = [] } = {}) =>
			change(
				id,
				{ kind: "reserve", holdId, amountCredits, overdraftCredits, isUnheardOf },
				note,
				beside.map(({ key, value }) => ({ key, expectedRaw: undefined, valueWith: () => value })),
			),
		post: (id, holdId, amountCredits, note, beside) =>
			change(id, { kind: "post", holdId, amountCredits }, note, beside && [beside]),
		void: (id, holdId, note, beside) => change(id, { kind: "void", holdId }, note, beside && [beside]),
		balance: async (id) => balanceOf(expire((await load(id)).account, clock.nowMs())),
		async history(id, { limit, beforeSeq }) {
			const { account } = await load(id);
			const newest = Math.min(account.seq, (beforeSeq ?? Number.POSITIVE_INFINITY) - 1);
			const seqs = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, n) => newest - n);
			const carried = new Map(account.entries.map((entry) => [entry.seq, entry]));
			const older = await readPages(
				id,
				seqs.filter((seq) => !carried.has(seq)),
			);
			return seqs.map((seq) => carried.get(seq) ?? older.get(seq)).filter((entry) => entry !== undefined);
		},
	};
}

/** What the ledger names itself: nobody else gives these ids, or two operations would have one. */
const OWN_ID = /^(?:reserve|post|void|expire):/;

function assertFree(operationId: string): void {
	assert(!OWN_ID.test(operationId), `not the id of an operation: ${operationId}`);
}

const NO_LOOKUPS: ReadonlyMap<Request, Lookup> = new Map();
const NOTHING_BESIDE: readonly ChangedDocument[] = [];
const NOT_NEW = { kind: "refused", code: "not_new" } as const satisfies Verdict;

/** A hold that is open did not come to be with these documents, nor did one end with them that has ended. */
function beginning(verdict: Verdict, beside: readonly ChangedDocument[]): Verdict {
	return verdict.kind === "already" && beside.length > 0 ? NOT_NEW : verdict;
}

type Lookup =
	| { readonly kind: "read"; readonly past: Entry | undefined }
	| { readonly kind: "unreadable"; readonly reason: unknown };

type Marks = Map<string, Entry>;

/** Whether the journal has to be asked for an operation: a hold that is open in the account has not ended. */
function mayHaveBeen(account: Account, carried: Marks, { operation }: Request): boolean {
	if ("isUnheardOf" in operation && operation.isUnheardOf) return false;
	return !carried.has(markOf(operation)) && !("holdId" in operation && openHold(account, operation.holdId));
}

/** The final entries among those that an account carries, by their marks. */
function marksOf(entries: readonly Entry[]): Marks {
	const marks: Marks = new Map();
	for (const entry of entries) {
		const mark = isFinal(entry) ? markOf(entry) : undefined;
		if (mark !== undefined) marks.set(mark, entry);
	}
	return marks;
}
