/**
 * The ledger on a store. A change and its entries are one write of the account, by compare-and-set. Full pages of entries
 * move to the journal in the same transaction, so an operation that is in neither place never happened. Each process
 * writes an account once at a time; operations that arrive meanwhile share the next write.
 */
import assert from "node:assert/strict";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import { createKeyedMutex } from "@atelier/common/keyed-mutex";
import type { DocumentChange, Store } from "@atelier/store/store";
import { EMPTY_ACCOUNT, balanceOf, openHold, type Account } from "./account.ts";
import { decide, expire, finalKeyOf, idempotencyKeyOf, type Operation, type Verdict } from "./apply-operation.ts";
import { accountKey, createJournal, moveFullPages, pageKey, pageOf, parseAccount } from "./journal.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import {
	LedgerRejectedError,
	type AccountId,
	type Balance,
	type ChangedDocument,
	type EndOptions,
	type Entry,
	type Ledger,
	type NewDocument,
	type Note,
} from "./operations.ts";

/** The most operations per write, to bound the document. */
export const OPERATIONS_PER_WRITE_MAX = 64;
/** The number of times a write may lose against other processes before its operations fail. */
const ATTEMPTS_MAX = 100;
const CACHED_ACCOUNTS_MAX = 2000;

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

/** The operation in a limit of the account. */
interface LimitOperation {
	readonly account: AccountId;
	readonly operation: Extract<Operation, { kind: "reserve" | "post" | "void" }>;
}

/** Resolves or rejects a request, once the write is certain. */
type Respond = () => void;

interface Outcome {
	readonly responses: readonly Respond[];
	/** Requests for the next write. */
	readonly deferred: readonly Request[];
}

/**
 * An attempt takes the account from the cache, from a first read, or from a later read. A later one also reads the documents of the
 * requests, because one of them may be the reason why the attempt before did not succeed.
 */
type Source = "cache" | "firstRead" | "laterRead";

export function createLedger({ store, clock }: { readonly store: Store; readonly clock: Clock }): Ledger {
	const journal = createJournal(store);
	// Caches the last write of an account, which saves about a third of the cost of a change (docs/performance.md). A
	// concurrent write of another process is detected by the compare-and-set.
	const lastWritten = new LRUCache<AccountId, LoadedAccount>({ max: CACHED_ACCOUNTS_MAX });
	const queues = new Map<AccountId, Request[]>();
	const mutex = createKeyedMutex();

	async function load(id: AccountId): Promise<LoadedAccount> {
		const stored = await store.get(accountKey(id));
		return stored ? { raw: stored.raw, account: parseAccount(stored) } : { raw: undefined, account: EMPTY_ACCOUNT };
	}

	function enqueue(
		id: AccountId,
		operation: Operation,
		note: Note,
		alsoWrite: readonly ChangedDocument[] = NO_DOCUMENTS,
	): Promise<Balance> {
		return new Promise((resolve, reject) => {
			if ("operationId" in operation) assertNotReserved(operation.operationId);
			const request = { operation, note, alsoWrite, resolve, reject };
			const queue = queues.get(id);
			if (queue) {
				queue.push(request);
				return;
			}
			const newQueue = [request];
			queues.set(id, newQueue);
			queueMicrotask(() => void drain(id, newQueue));
		});
	}

	/**
	 * Executes an operation in an account and in its limits: the changed limits are among the documents that are written together with
	 * the account. Starts again with the current limits if another operation changed one meanwhile.
	 */
	async function executeWithLimits(
		id: AccountId,
		operation: Operation,
		note: Note,
		alsoWrite: readonly ChangedDocument[],
		limits: readonly LimitOperation[],
	): Promise<Balance> {
		for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
			const changes = await changeLimits(limits, note, alsoWrite);
			try {
				return await enqueue(id, operation, note, [...alsoWrite, ...changes]);
			} catch (error) {
				const isNotNew = error instanceof LedgerRejectedError && error.code === "not_new";
				if (!isNotNew || !(await haveChanged(changes))) throw error;
			}
		}
		throw new Error(`too many concurrent changes of the limits of account ${id}`);
	}

	/** Returns the documents of the changed limits. Throws the rejection of the first one that does not suffice. */
	async function changeLimits(
		limits: readonly LimitOperation[],
		note: Note,
		alsoWrite: readonly ChangedDocument[],
	): Promise<readonly ChangedDocument[]> {
		const loaded = await Promise.all(limits.map(async (limit) => ({ ...limit, before: await load(limit.account) })));
		const changes: ChangedDocument[] = [];
		for (const { account: id, operation, before } of loaded) {
			// The operator may have ended the hold in a repaired account.
			if (operation.kind !== "reserve" && !openHold(before.account, operation.holdId)) continue;
			const verdict = decide(before.account, operation, undefined, { ...note, atMs: clock.nowMs() });
			assert(verdict.kind !== "repeated", "a hold is reserved and ended once");
			if (verdict.kind === "rejected") {
				// Another process may have executed the operation for these documents.
				const code = (await haveChanged(alsoWrite)) ? "not_new" : verdict.code;
				throw new LedgerRejectedError(code, id, balanceOf(before.account));
			}
			const { account, writes } = moveFullPages(id, verdict.account);
			const onWritten = (raw: string): void => void lastWritten.set(id, { raw, account });
			changes.push({ key: accountKey(id), expectedRaw: before.raw, valueWith: () => account, onWritten });
			changes.push(...writes.map(newDocument));
		}
		return changes;
	}

	function execute(
		id: AccountId,
		operation: Operation,
		note: Note,
		alsoWrite: readonly ChangedDocument[],
		limits: readonly LimitOperation[],
	): Promise<Balance> {
		if (limits.length === 0) return enqueue(id, operation, note, alsoWrite);
		// One after the other: each of them depends on the limits that the one before has written.
		return mutex(id, () => executeWithLimits(id, operation, note, alsoWrite, limits));
	}

	function end(
		id: AccountId,
		operation: Extract<Operation, { kind: "post" | "void" }>,
		note: Note,
		{ limits = [], alsoWrite }: EndOptions = {},
	): Promise<Balance> {
		const limitOperations = limits.map((account) => ({ account, operation }));
		return execute(id, operation, note, alsoWrite ? [alsoWrite] : NO_DOCUMENTS, limitOperations);
	}

	async function drain(id: AccountId, queue: Request[]): Promise<void> {
		while (queue.length > 0) {
			const requests = queue.splice(0, OPERATIONS_PER_WRITE_MAX);
			try {
				const { responses, deferred } = await executeBatch(id, requests);
				queue.unshift(...deferred);
				for (const respond of responses) respond();
			} catch (error) {
				// The outcome of the write is unknown, so the cached text may be stale.
				lastWritten.delete(id);
				for (const { reject } of requests) reject(error);
			}
		}
		queues.delete(id);
	}

	async function executeBatch(id: AccountId, requests: readonly Request[]): Promise<Outcome> {
		const cached = lastWritten.get(id);
		const outcomeFromCache = cached && (await attempt(id, cached, requests, "cache"));
		if (outcomeFromCache) return outcomeFromCache;
		for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
			const source = cached === undefined && tries === 0 ? "firstRead" : "laterRead";
			const outcome = await attempt(id, await load(id), requests, source);
			if (outcome) return outcome;
		}
		throw new Error(`too many concurrent changes of account ${id}`);
	}

	/** Resolves to `undefined` if another process wrote first, or may have, or if the documents of a rejected request have to be read. */
	async function attempt(
		id: AccountId,
		loaded: LoadedAccount,
		requests: readonly Request[],
		source: Source,
	): Promise<Outcome | undefined> {
		const { account: before } = loaded;
		const nowMs = clock.nowMs();
		const entriesByKey = finalEntriesByKey(before.entries);
		// Read after the account, never before: an entry moves from the account to the journal, never back.
		const inDoubt = requests.filter((request) => mayBeRepeated(before, entriesByKey, request));
		const lookups = inDoubt.length === 0 ? NO_LOOKUPS : await lookUpAll(id, inDoubt);
		// A failed transaction does not tell which document differed. So a later attempt rejects requests whose own documents do.
		const areDocumentsRead = source === "laterRead";
		const conflicts = areDocumentsRead
			? await Promise.all(requests.map(({ alsoWrite }) => haveChanged(alsoWrite)))
			: [];
		const context = { id, nowMs, entriesByKey, lookups, conflicts };
		const { account, documents, responses, deferred, hasRejectedDocuments } = applyRequests(before, requests, context);
		// The write checks only what it changes: the account, and the documents of applied requests.
		if (hasRejectedDocuments && !areDocumentsRead) return undefined;
		const isWritten = account === before ? source !== "cache" : await write(id, loaded.raw, account, documents);
		return isWritten ? { responses, deferred } : undefined;
	}

	async function haveChanged(documents: readonly ChangedDocument[]): Promise<boolean> {
		const stored = await Promise.all(documents.map(({ key }) => store.get(key)));
		return documents.some(({ expectedRaw }, index) => stored[index]?.raw !== expectedRaw);
	}

	async function lookUpAll(id: AccountId, requests: readonly Request[]): Promise<ReadonlyMap<Request, Lookup>> {
		return new Map(await Promise.all(requests.map(async (request) => [request, await lookUp(id, request)] as const)));
	}

	async function lookUp(id: AccountId, { operation }: Request): Promise<Lookup> {
		try {
			return { kind: "read", finalEntry: await journal.find(id, idempotencyKeyOf(operation)) };
		} catch (reason) {
			return { kind: "unreadable", reason };
		}
	}

	async function write(
		id: AccountId,
		expectedRaw: string | undefined,
		after: Account,
		documents: readonly WrittenDocument[],
	): Promise<boolean> {
		const { account, writes } = moveFullPages(id, after);
		const change = { key: accountKey(id), expectedRaw, next: account };
		const [raw, ...documentRaws] = (await store.compareAndSetAll([change, ...documents], writes)) ?? [];
		if (raw === undefined) {
			lastWritten.delete(id);
			return false;
		}
		lastWritten.set(id, { raw, account });
		for (const [index, documentRaw] of documentRaws.entries()) documents[index]?.onWritten?.(documentRaw);
		return true;
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
		grant: (id, operationId, amountCredits, note, { alsoWrite, ...options } = {}) =>
			enqueue(id, { kind: "grant", operationId, amountCredits, ...options }, note, alsoWrite && [alsoWrite]),
		adjust: (id, operationId, amountCredits, note) => enqueue(id, { kind: "adjust", operationId, amountCredits }, note),
		reserve: (
			id,
			holdId,
			amountCredits,
			note,
			{ overdraftCredits = 0, alsoWrite = [], limits = [], ...options } = {},
		) => {
			const hold = { kind: "reserve", holdId, amountCredits } as const;
			const operation = { ...hold, overdraftCredits, ...options };
			const limitOperations = limits.map((limit) => ({
				account: limit.account,
				operation: { ...hold, overdraftCredits: limit.overdraftCredits, isNewId: true },
			}));
			return execute(id, operation, note, alsoWrite.map(newDocument), limitOperations);
		},
		post: (id, holdId, amountCredits, note, options) => end(id, { kind: "post", holdId, amountCredits }, note, options),
		void: (id, holdId, note, options) => end(id, { kind: "void", holdId }, note, options),
		balance: async (id) => balanceOf(expire((await load(id)).account, clock.nowMs())),
		lastWrittenBalance(id) {
			const written = lastWritten.get(id);
			return written && balanceOf(expire(written.account, clock.nowMs()));
		},
		async history(id, { limit, beforeSeq }) {
			const { account } = await load(id);
			const newest = Math.min(account.seq, (beforeSeq ?? Number.POSITIVE_INFINITY) - 1);
			const seqs = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, n) => newest - n);
			const inAccount = new Map(account.entries.map((entry) => [entry.seq, entry]));
			const older = await readPages(
				id,
				seqs.filter((seq) => !inAccount.has(seq)),
			);
			return seqs.map((seq) => inAccount.get(seq) ?? older.get(seq)).filter((entry) => entry !== undefined);
		},
	};
}

interface ApplyContext {
	readonly id: AccountId;
	readonly nowMs: number;
	/** The final entries of the account. Those of the applied requests are added. */
	readonly entriesByKey: EntriesByKey;
	readonly lookups: ReadonlyMap<Request, Lookup>;
	/** By index of the request: true if one of its own documents has changed. */
	readonly conflicts: readonly boolean[];
}

interface AppliedRequests extends Outcome {
	readonly account: Account;
	/** The documents to write with the account. */
	readonly documents: readonly WrittenDocument[];
	/** True if a request was rejected whose documents may be the actual reason. */
	readonly hasRejectedDocuments: boolean;
}

interface WrittenDocument extends DocumentChange, Pick<ChangedDocument, "onWritten"> {}

/** Applies the requests in order to an account that was read. Writes nothing: the responses are final once the account is written. */
function applyRequests(
	before: Account,
	requests: readonly Request[],
	{ id, nowMs, entriesByKey, lookups, conflicts }: ApplyContext,
): AppliedRequests {
	// Written even if everything is then rejected, to invalidate an older write that is still in progress.
	const unexpired = expire(before, nowMs);
	let account = unexpired;
	const documents: WrittenDocument[] = [];
	const deferred: Request[] = [];
	let hasRejectedDocuments = false;

	function apply(request: Request, hasConflict: boolean): Respond {
		const { operation, note, alsoWrite, resolve, reject } = request;
		const lookup = lookups.get(request);
		if (lookup?.kind === "unreadable") return () => reject(lookup.reason);
		const finalEntry = entriesByKey.get(idempotencyKeyOf(operation)) ?? lookup?.finalEntry;
		const entryNote = { ...note, atMs: nowMs };
		const isWrittenTwice = alsoWrite.some(({ key }) => documents.some((document) => document.key === key));
		const verdict =
			hasConflict || isWrittenTwice
				? NOT_NEW
				: rejectRepeatWith(alsoWrite, decide(account, operation, finalEntry, entryNote));
		if (verdict.kind === "rejected") {
			if (alsoWrite.length > 0) hasRejectedDocuments = true;
			const rejection = new LedgerRejectedError(verdict.code, id, balanceOf(account));
			return () => reject(rejection);
		}
		if (verdict.kind === "applied") {
			// A write never combines an operation with another that enables it, such as a reservation with a grant: if a process
			// repeats the reservation while the write is in progress, it reads the account without the grant, and would reject it.
			if (account !== unexpired && decide(unexpired, operation, undefined, entryNote).kind !== "applied") {
				deferred.push(request);
				return () => {};
			}
			const newEntries = verdict.account.entries.slice(account.entries.length);
			for (const [key, entry] of finalEntriesByKey(newEntries)) entriesByKey.set(key, entry);
			account = verdict.account;
		}
		const balance = balanceOf(account);
		if (verdict.kind === "applied") {
			for (const { key, expectedRaw, valueWith, onWritten } of alsoWrite)
				documents.push({ key, expectedRaw, next: valueWith(balance), onWritten });
		}
		return () => resolve(balance);
	}

	const responses = requests.map((request, index): Respond => {
		try {
			return apply(request, conflicts[index] === true);
		} catch (error) {
			return () => request.reject(error);
		}
	});
	return { account, documents, responses, deferred, hasRejectedDocuments };
}

/** Operation ids that the ledger assigns itself. */
const RESERVED_ID = /^(?:reserve|post|void|expire):/;

function assertNotReserved(operationId: string): void {
	assert(!RESERVED_ID.test(operationId), `reserved operation id: ${operationId}`);
}

const NO_LOOKUPS: ReadonlyMap<Request, Lookup> = new Map();
const NO_DOCUMENTS: readonly ChangedDocument[] = [];
const NOT_NEW = { kind: "rejected", code: "not_new" } as const satisfies Verdict;

function newDocument({ key, value, onWritten }: NewDocument): ChangedDocument {
	return { key, expectedRaw: undefined, valueWith: () => value, onWritten };
}

/** A repeated operation does not write documents, so a caller that expects them is rejected. */
function rejectRepeatWith(alsoWrite: readonly ChangedDocument[], verdict: Verdict): Verdict {
	return verdict.kind === "repeated" && alsoWrite.length > 0 ? NOT_NEW : verdict;
}

type Lookup =
	| { readonly kind: "read"; readonly finalEntry: Entry | undefined }
	| { readonly kind: "unreadable"; readonly reason: unknown };

/** Final entries by their idempotency key. */
type EntriesByKey = Map<string, Entry>;

/** True if the journal may have an entry with the key. It has none for a hold that is open in the account, or for a new account. */
function mayBeRepeated(account: Account, entriesByKey: EntriesByKey, { operation }: Request): boolean {
	if ("isNewId" in operation && operation.isNewId) return false;
	if (account.seq === 0 || entriesByKey.has(idempotencyKeyOf(operation))) return false;
	return !("holdId" in operation && openHold(account, operation.holdId));
}

function finalEntriesByKey(entries: readonly Entry[]): EntriesByKey {
	const byKey: EntriesByKey = new Map();
	for (const entry of entries) {
		const key = finalKeyOf(entry);
		if (key !== undefined) byKey.set(key, entry);
	}
	return byKey;
}
