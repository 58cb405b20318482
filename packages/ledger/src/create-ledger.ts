/**
 * The ledger on a store. A change and its entries are one write of the account, by compare-and-set. Full pages of entries
 * move to the journal in the same transaction, so an operation that is in neither place never happened. Each process
 * writes an account once at a time; operations that arrive meanwhile share the next write.
 */
import assert from "node:assert/strict";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";
import type { DocumentChange, DocumentWrite, Store } from "@atelier/store/store";
import { EMPTY_ACCOUNT, balanceOf, openHold, type Account } from "./account.ts";
import { decide, expire, finalKeyOf, idempotencyKeyOf, type EntryNote, type Operation } from "./apply-operation.ts";
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
	type RejectionCode,
} from "./ledger.ts";

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
	/** The same operation in the limits of the account, in the same transaction. */
	readonly limits: readonly LimitOperation[];
	readonly resolve: (balance: Balance) => void;
	readonly reject: (reason: unknown) => void;
}

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

	async function load(id: AccountId): Promise<LoadedAccount> {
		const stored = await store.get(accountKey(id));
		return stored ? { raw: stored.raw, account: parseAccount(stored) } : { raw: undefined, account: EMPTY_ACCOUNT };
	}

	function enqueue(
		id: AccountId,
		operation: Operation,
		note: Note,
		alsoWrite: readonly ChangedDocument[] = NO_DOCUMENTS,
		limits: readonly LimitOperation[] = NO_LIMITS,
	): Promise<Balance> {
		return new Promise((resolve, reject) => {
			if ("operationId" in operation) assertNotReserved(operation.operationId);
			const request = { operation, note, alsoWrite, limits, resolve, reject };
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

	function end(
		id: AccountId,
		operation: Extract<Operation, { kind: "post" | "void" }>,
		note: Note,
		{ limits = [], alsoWrite }: EndOptions = {},
	): Promise<Balance> {
		const limitOperations = limits.map((account) => ({ account, operation }));
		return enqueue(id, operation, note, alsoWrite && [alsoWrite], limitOperations);
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
		const finalEntries = await readEach(inDoubt, ({ operation }) => journal.find(id, idempotencyKeyOf(operation)));
		const limitIds = new Set(requests.flatMap(({ limits }) => limits.map((limit) => limit.account)));
		const limits = await readEach([...limitIds], load);
		// A failed transaction does not tell which document differed. So a later attempt rejects requests whose own documents do.
		const areDocumentsRead = source === "laterRead";
		const conflicts = areDocumentsRead
			? await Promise.all(requests.map(({ alsoWrite }) => haveChanged(alsoWrite)))
			: [];
		const context = { id, nowMs, entriesByKey, finalEntries, limits, conflicts };
		const { accounts, documents, responses, deferred, hasRejectedDocuments } = applyRequests(before, requests, context);
		// The write checks only what it changes: accounts, and the documents of applied requests.
		if (hasRejectedDocuments && !areDocumentsRead) return undefined;
		const changes = [...accounts].flatMap(([changedId, account]) => {
			const limit = limits.get(changedId);
			const { raw, account: unchanged } = limit?.kind === "read" ? limit.value : loaded;
			return account === unchanged ? [] : { id: changedId, expectedRaw: raw, ...moveFullPages(changedId, account) };
		});
		// The write of a limit does not tell whether the cached account is still the stored one.
		if (source === "cache" && !changes.some((change) => change.id === id)) return undefined;
		const isWritten = changes.length === 0 || (await write(changes, documents));
		return isWritten ? { responses, deferred } : undefined;
	}

	async function haveChanged(documents: readonly ChangedDocument[]): Promise<boolean> {
		const stored = await Promise.all(documents.map(({ key }) => store.get(key)));
		return documents.some(({ expectedRaw }, index) => stored[index]?.raw !== expectedRaw);
	}

	async function write(changes: readonly AccountChange[], documents: readonly WrittenDocument[]): Promise<boolean> {
		const raws = await store.compareAndSetAll(
			[
				...changes.map(({ id, expectedRaw, account }) => ({ key: accountKey(id), expectedRaw, next: account })),
				...documents,
			],
			changes.flatMap(({ writes }) => writes),
		);
		if (!raws) {
			for (const { id } of changes) lastWritten.delete(id);
			return false;
		}
		for (const [index, raw] of raws.entries()) {
			const change = changes[index];
			if (change) lastWritten.set(change.id, { raw, account: change.account });
			else documents[index - changes.length]?.onWritten?.(raw);
		}
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
		reserve: (id, holdId, amountCredits, note, { alsoWrite = [], limits = [], ...options } = {}) => {
			const hold = { kind: "reserve", holdId, amountCredits } as const;
			const operation = { ...hold, overdraftCredits: 0, ...options };
			const limitOperations = limits.map((limit) => ({
				account: limit.account,
				operation: { ...hold, overdraftCredits: limit.overdraftCredits },
			}));
			return enqueue(id, operation, note, alsoWrite.map(newDocument), limitOperations);
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
	/** The final entries in the journal of the requests that may be repeated. */
	readonly finalEntries: ReadonlyMap<Request, ReadResult<Entry | undefined>>;
	readonly limits: ReadonlyMap<AccountId, ReadResult<LoadedAccount>>;
	/** By index of the request: true if one of its own documents has changed. */
	readonly conflicts: readonly boolean[];
}

interface AppliedRequests extends Outcome {
	/** The account, then the limits. */
	readonly accounts: Accounts;
	/** The documents to write with the accounts. */
	readonly documents: readonly WrittenDocument[];
	/** True if a request was rejected whose documents may be the actual reason. */
	readonly hasRejectedDocuments: boolean;
}

type Accounts = ReadonlyMap<AccountId, Account>;

interface AccountChange {
	readonly id: AccountId;
	readonly expectedRaw: string | undefined;
	readonly account: Account;
	/** The full pages of its entries. */
	readonly writes: readonly DocumentWrite[];
}

interface WrittenDocument extends DocumentChange, Pick<ChangedDocument, "onWritten"> {}

/** Applies the requests in order to accounts that were read. Writes nothing: the responses are final once the accounts are written. */
function applyRequests(
	before: Account,
	requests: readonly Request[],
	{ id, nowMs, entriesByKey, finalEntries, limits, conflicts }: ApplyContext,
): AppliedRequests {
	// Written even if everything is then rejected, to invalidate an older write that is still in progress.
	const unexpired = new Map([[id, expire(before, nowMs)]]);
	for (const [limitId, limit] of limits)
		if (limit.kind === "read") unexpired.set(limitId, expire(limit.value.account, nowMs));
	const accounts = new Map(unexpired);
	const documents: WrittenDocument[] = [];
	const deferred: Request[] = [];
	let hasRejectedDocuments = false;

	function apply(request: Request, hasConflict: boolean): Respond {
		const { operation, note, alsoWrite, resolve, reject } = request;
		const found = finalEntries.get(request);
		for (const read of [found, ...request.limits.map(({ account }) => limits.get(account))])
			if (read?.kind === "unreadable") return () => reject(read.reason);
		const storedEntry = found?.kind === "read" ? found.value : undefined;
		const finalEntry = entriesByKey.get(idempotencyKeyOf(operation)) ?? storedEntry;
		const entryNote = { ...note, atMs: nowMs };
		const isWrittenTwice = alsoWrite.some(({ key }) => documents.some((document) => document.key === key));
		const decided = decideWithLimits(id, request, accounts, finalEntry, entryNote);
		// A repeated operation does not write documents, so a caller that expects them is rejected.
		const isRepeatWithDocuments = decided.kind === "repeated" && alsoWrite.length > 0;
		const decision: Decision =
			hasConflict || isWrittenTwice || isRepeatWithDocuments ? { kind: "rejected", code: "not_new", id } : decided;
		if (decision.kind === "rejected") {
			if (alsoWrite.length > 0) hasRejectedDocuments = true;
			const rejection = new LedgerRejectedError(
				decision.code,
				decision.id,
				balanceOf(accountIn(accounts, decision.id)),
			);
			return () => reject(rejection);
		}
		if (decision.kind === "applied") {
			// A write never combines an operation with another that enables it, such as a reservation with a grant: if a process
			// repeats the reservation while the write is in progress, it reads the account without the grant, and would reject it.
			const isFirst = accounts.get(id) === unexpired.get(id);
			if (!isFirst && decideWithLimits(id, request, unexpired, undefined, entryNote).kind !== "applied") {
				deferred.push(request);
				return () => {};
			}
			const newEntries = accountIn(decision.accounts, id).entries.slice(accountIn(accounts, id).entries.length);
			for (const [key, entry] of finalEntriesByKey(newEntries)) entriesByKey.set(key, entry);
			for (const [changedId, account] of decision.accounts) accounts.set(changedId, account);
		}
		const balance = balanceOf(accountIn(accounts, id));
		if (decision.kind === "applied") {
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
	return { accounts, documents, responses, deferred, hasRejectedDocuments };
}

type Decision =
	| { readonly kind: "applied"; readonly accounts: Accounts }
	| { readonly kind: "repeated" }
	/** `id`: the account that rejects. */
	| { readonly kind: "rejected"; readonly code: RejectionCode; readonly id: AccountId };

/** Decides an operation in its account and in its limits: it changes all of them or none. */
function decideWithLimits(
	id: AccountId,
	{ operation, limits }: Request,
	accounts: Accounts,
	finalEntry: Entry | undefined,
	entryNote: EntryNote,
): Decision {
	const verdict = decide(accountIn(accounts, id), operation, finalEntry, entryNote);
	if (verdict.kind === "repeated") return verdict;
	// If the credits of the account and of a limit are too few, the limit is named. The account alone knows if its hold exists.
	if (verdict.kind === "rejected" && verdict.code !== "exceeds_credits") return { ...verdict, id };
	const changed = new Map<AccountId, Account>();
	for (const limit of limits) {
		const account = accountIn(accounts, limit.account);
		// The operator may have ended the hold in a repaired account.
		if (limit.operation.kind !== "reserve" && !openHold(account, limit.operation.holdId)) continue;
		const limitVerdict = decide(account, limit.operation, undefined, entryNote);
		if (limitVerdict.kind === "rejected") return { ...limitVerdict, id: limit.account };
		if (limitVerdict.kind === "applied") changed.set(limit.account, limitVerdict.account);
	}
	return verdict.kind === "rejected"
		? { ...verdict, id }
		: { kind: "applied", accounts: changed.set(id, verdict.account) };
}

function accountIn(accounts: Accounts, id: AccountId): Account {
	const account = accounts.get(id);
	assert(account, `the account ${id} was read`);
	return account;
}

/** Operation ids that the ledger assigns itself. */
const RESERVED_ID = /^(?:reserve|post|void|expire):/;

function assertNotReserved(operationId: string): void {
	assert(!RESERVED_ID.test(operationId), `reserved operation id: ${operationId}`);
}

const NO_DOCUMENTS: readonly ChangedDocument[] = [];
const NO_LIMITS: readonly LimitOperation[] = [];

function newDocument({ key, value, onWritten }: NewDocument): ChangedDocument {
	return { key, expectedRaw: undefined, valueWith: () => value, onWritten };
}

type ReadResult<T> =
	| { readonly kind: "read"; readonly value: T }
	| { readonly kind: "unreadable"; readonly reason: unknown };

/** Reads a document for each item. A failure concerns only the requests that need the document. */
async function readEach<Item, T>(
	items: readonly Item[],
	read: (item: Item) => Promise<T>,
): Promise<ReadonlyMap<Item, ReadResult<T>>> {
	async function tryToRead(item: Item): Promise<ReadResult<T>> {
		try {
			return { kind: "read", value: await read(item) };
		} catch (reason) {
			return { kind: "unreadable", reason };
		}
	}
	return new Map(await Promise.all(items.map(async (item) => [item, await tryToRead(item)] as const)));
}

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
