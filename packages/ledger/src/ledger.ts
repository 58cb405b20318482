/**
 * The ledger on a store. A change and its entries are one write of the account, by compare-and-set. An entry leaves the
 * account only once it is in the journal, so an operation that is in neither place never happened. * One write at a
 * time per account and process; operations that arrive meanwhile are decided together and share the next write.
 */
import assert from "node:assert/strict";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { DocumentChange, Store } from "@atelier/store/store";
import { EMPTY_ACCOUNT, balanceOf, openHold, type Account } from "./account.ts";
import { decide, expire, isFinal, markOf, movesOf, type Operation, type Verdict } from "./apply-operation.ts";
import { accountKey, createJournal, entriesOfWholePages, pageKey, pageOf, parseAccount } from "./journal.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import {
	LedgerRefusalError,
	type AccountId,
	type Balance,
	type ChangedDocument,
	type Entry,
	type Ledger,
	type Note,
} from "./operations.ts";

/** The most operations per write, to bound the document. */
export const OPERATIONS_PER_WRITE_MAX = 64;
/** Lost races against other processes before the change fails as an outage. */
const ATTEMPTS_MAX = 100;
/** The number of accounts whose last write is cached. */
const REMEMBERED_ACCOUNTS_MAX = 2000;

interface LoadedAccount {
	/** The stored text; `undefined` for an account that was never written. */
	readonly raw: string | undefined;
	readonly account: Account;
}

interface Request {
	readonly operation: Operation;
	readonly note: Note;
	/** Documents written in the same transaction. */
	readonly alsoWrite: readonly ChangedDocument[];
	readonly resolve: (balance: Balance) => void;
	readonly reject: (reason: unknown) => void;
}

/** Called for each request once its result is certain. */
type Answer = () => void;

/** The result of some requests: answers to send, and requests that wait for this write. */
interface Settled {
	readonly answers: readonly Answer[];
	readonly deferred: readonly Request[];
}

export function createLedger({ store, clock }: { readonly store: Store; readonly clock: Clock }): Ledger {
	const journal = createJournal(store);
	// Caches the last write of an account, which saves about a third of the cost of a change (docs/performance.md). A
	// concurrent write of another process is detected by the compare-and-set.
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
		alsoWrite: readonly ChangedDocument[] = NO_DOCUMENTS,
	): Promise<Balance> {
		return new Promise((resolve, reject) => {
			if ("operationId" in operation) assertFree(operation.operationId);
			const request = { operation, note, alsoWrite, resolve, reject };
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
				// The outcome of the write is unknown, so the cached text may be stale.
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
		throw new Error(`too many concurrent changes of account ${id}`);
	}

	/** `undefined` if another process wrote first, or may have. */
	async function attempt(
		id: AccountId,
		loaded: LoadedAccount,
		requests: readonly Request[],
		{ mayBeOld }: { readonly mayBeOld: boolean },
	): Promise<Settled | undefined> {
		const { account: before } = loaded;
		const nowMs = clock.nowMs();
		const carried = marksOf(before.entries);
		// Read after the account, never before: an entry moves from the account to the journal, never back.
		const asked = requests.filter((request) => mayHaveBeen(before, carried, request));
		const lookups = asked.length === 0 ? NO_LOOKUPS : await findPasts(id, asked);
		// A refused write does not say which document changed. Requests whose own documents are unchanged are retried.
		const isTaken = mayBeOld ? [] : await Promise.all(requests.map(({ alsoWrite }) => isAnyOther(alsoWrite)));
		const documents: DocumentChange[] = [];
		// Written even if everything is then refused, to invalidate an older write that is still in progress.
		const first = expire(before, nowMs);
		let account = first;
		let movesFirst: ReturnType<typeof movesOf> | undefined;
		const deferred: Request[] = [];
		const answers = requests.map((request, index): Answer => {
			const { operation, note, alsoWrite, resolve, reject } = request;
			const lookup = lookups.get(request);
			if (lookup?.kind === "unreadable") return () => reject(lookup.reason);
			try {
				const past = carried.get(markOf(operation)) ?? lookup?.past;
				const entryNote = { ...note, atMs: nowMs };
				const verdict = isTaken[index] ? NOT_NEW : beginning(decide(account, operation, past, entryNote), alsoWrite);
				if (verdict.kind === "moved") {
					// A request that is repeated during this write reads the account before it, and must not be refused
					// because of it. So a write never combines an operation with another that enables it.
					if (account !== first && !(movesFirst ??= movesOf(first))(operation, entryNote)) {
						deferred.push(request);
						return () => {};
					}
					for (const [mark, entry] of marksOf(verdict.account.entries.slice(account.entries.length)))
						carried.set(mark, entry);
					account = verdict.account;
				}
				const balance = balanceOf(account);
				if (verdict.kind === "moved") {
					for (const { key, expectedRaw, valueWith } of alsoWrite)
						documents.push({ key, expectedRaw, next: valueWith(balance) });
				}
				if (verdict.kind !== "refused") return () => resolve(balance);
				return () => reject(new LedgerRefusalError(verdict.code, id, balance));
			} catch (error) {
				return () => reject(error);
			}
		});
		// An operation without a change is not checked by the write, so it counts only on a fresh read.
		if (account === before) return mayBeOld ? undefined : { answers, deferred };
		return (await write(id, loaded, account, documents)) ? { answers, deferred } : undefined;
	}

	async function isAnyOther(documents: readonly ChangedDocument[]): Promise<boolean> {
		const found = await Promise.all(documents.map(({ key }) => store.get(key)));
		return documents.some(({ expectedRaw }, index) => found[index]?.raw !== expectedRaw);
	}

	/** Returns the journal's entries for these operations. */
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
		documents: readonly DocumentChange[],
	): Promise<boolean> {
		// An entry in a stored account is final, so its copy stays valid whatever happens to this write.
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

	async function writeWith(documents: readonly DocumentChange[], account: DocumentChange): Promise<string | undefined> {
		if (documents.length === 0) return await store.compareAndSet(account.key, account.expectedRaw, account.next);
		return (await store.compareAndSetAll([account, ...documents]))?.[0];
	}

	async function readPages(id: AccountId, seqs: readonly number[]): Promise<ReadonlyMap<number, Entry>> {
		const pages = [...new Set(seqs.map(pageOf))];
		const read = await Promise.all(
			pages.map(async (page) => {
				const entries = await journal.page(id, page);
				if (!entries) throw new CorruptDocumentError(pageKey(id, page), new Error("gap in the journal"));
				return entries;
			}),
		);
		return new Map(read.flat().map((entry) => [entry.seq, entry]));
	}

	return {
		grant: (id, operationId, amountCredits, note, options = {}) =>
			change(id, { kind: "grant", operationId, amountCredits, ...options }, note),
		adjust: (id, operationId, amountCredits, note) => change(id, { kind: "adjust", operationId, amountCredits }, note),
		reserve: (id, holdId, amountCredits, note, { overdraftCredits = 0, isNewId = false, alsoWrite = [] } = {}) =>
			change(
				id,
				{ kind: "reserve", holdId, amountCredits, overdraftCredits, isNewId },
				note,
				alsoWrite.map(({ key, value }) => ({ key, expectedRaw: undefined, valueWith: () => value })),
			),
		post: (id, holdId, amountCredits, note, alsoWrite) =>
			change(id, { kind: "post", holdId, amountCredits }, note, alsoWrite && [alsoWrite]),
		void: (id, holdId, note, alsoWrite) => change(id, { kind: "void", holdId }, note, alsoWrite && [alsoWrite]),
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

/** Ids that the ledger assigns itself; callers must not use them. */
const OWN_ID = /^(?:reserve|post|void|expire):/;

function assertFree(operationId: string): void {
	assert(!OWN_ID.test(operationId), `not the id of an operation: ${operationId}`);
}

const NO_LOOKUPS: ReadonlyMap<Request, Lookup> = new Map();
const NO_DOCUMENTS: readonly ChangedDocument[] = [];
const NOT_NEW = { kind: "refused", code: "not_new" } as const satisfies Verdict;

/** An existing open hold was not created with these documents, nor was a resolved hold resolved with them. */
function beginning(verdict: Verdict, alsoWrite: readonly ChangedDocument[]): Verdict {
	return verdict.kind === "already" && alsoWrite.length > 0 ? NOT_NEW : verdict;
}

type Lookup =
	| { readonly kind: "read"; readonly past: Entry | undefined }
	| { readonly kind: "unreadable"; readonly reason: unknown };

type Marks = Map<string, Entry>;

/** Returns whether the journal may know the operation: an open hold in the account was not resolved before. */
function mayHaveBeen(account: Account, carried: Marks, { operation }: Request): boolean {
	if ("isNewId" in operation && operation.isNewId) return false;
	return !carried.has(markOf(operation)) && !("holdId" in operation && openHold(account, operation.holdId));
}

/** Returns the final entries inside of an account by their key. */
function marksOf(entries: readonly Entry[]): Marks {
	const marks: Marks = new Map();
	for (const entry of entries) {
		const mark = isFinal(entry) ? markOf(entry) : undefined;
		if (mark !== undefined) marks.set(mark, entry);
	}
	return marks;
}
