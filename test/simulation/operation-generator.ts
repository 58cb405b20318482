import type { Operation } from "@atelier/ledger/apply-operation";
import type { AccountId, ReserveOptions } from "@atelier/ledger/ledger";
import type { Random } from "./random.ts";

/** An operation that a client repeats until it gets a response. */
export interface PlannedOperation {
	readonly account: AccountId;
	readonly operation: Operation;
	/** The limits of a hold, the same in all of its operations. */
	readonly limits: NonNullable<ReserveOptions["limits"]>;
}

/** Generates operations of clients: mostly sensible, sometimes repeated, sometimes nonsense. */
export interface OperationGenerator {
	next(): readonly PlannedOperation[];
	/** The follow-ups of a successful operation, each with its delay. */
	followUpsOf(planned: PlannedOperation): readonly { readonly delayMs: number; readonly planned: PlannedOperation }[];
	/** Operations that void every hold. */
	voidAllHolds(): readonly PlannedOperation[];
	accounts(): readonly AccountId[];
}

interface OperationGeneratorDeps {
	readonly random: Random;
	/** True for bursts of concurrent operations, which reach every limit of an account. */
	readonly isBurst: boolean;
	/** Returns the number of entries of an account. */
	readonly entryCount: (account: AccountId) => number;
	readonly nowMs: () => number;
}

/** The simulation uses one account of each slot at a time. Those of `use` are limits of the others. */
const SLOTS = ["guild:1", "guild:2", "use:1", "use:2"] as const;
export const LIMIT_PREFIX = "use:";
export const LIMIT_CREDITS = 25;
/** The generator replaces a longer account by a new one, because each step checks all entries of an account. */
const ENTRIES_MAX = 80;
/** The account of a burst grows until it reaches every limit. */
const BURST_ENTRIES_MAX = 700;
const BURST_OPERATIONS = 40;
/** In bursts, other rules reject holds: the most open holds, and the credits of the account. */
export const BURST_LIMIT_CREDITS = 100_000;
const YEAR_MS = 365 * 86_400_000;
const RECENT_OPERATIONS_MAX = 60;
const INVALID_AMOUNTS = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];

export function createOperationGenerator({
	random,
	isBurst,
	entryCount,
	nowMs,
}: OperationGeneratorDeps): OperationGenerator {
	const current: AccountId[] = SLOTS.map((slot) => `${slot}:0`);
	const allAccounts = new Set(current);
	const holds: (Pick<PlannedOperation, "account" | "limits"> & { readonly holdId: string })[] = [];
	const recent: PlannedOperation[] = [];
	let operationCount = 0;

	function account(slot: number): AccountId {
		const id = current[slot] ?? "";
		if (entryCount(id) < (isBurst ? BURST_ENTRIES_MAX : ENTRIES_MAX)) return id;
		const newAccount = `${SLOTS[slot]}:${operationCount}`;
		current[slot] = newAccount;
		allAccounts.add(newAccount);
		return newAccount;
	}

	function newOperation(id: AccountId): PlannedOperation {
		operationCount += 1;
		const kind = random.pick(["grant", "grant", "reserve", "reserve", "reserve", "reserve", "adjust", "void", "post"]);
		if (kind === "adjust") {
			const operationId = `adjust:${operationCount}`;
			return { account: id, operation: { kind, operationId, amountCredits: random.between(-6, 6) }, limits: [] };
		}
		if (kind === "grant") {
			const operationId = `grant:${operationCount}`;
			const grant = { kind, operationId, amountCredits: random.between(1, 20) } as const;
			const expiresAtMs = nowMs() + random.between(-20, 800);
			return { account: id, operation: random.chance(0.3) ? grant : { ...grant, expiresAtMs }, limits: [] };
		}
		// Holds begin and end in the account that pays, never in a limit alone.
		const payer = id.startsWith(LIMIT_PREFIX) ? account(random.between(0, 1)) : id;
		if (kind === "reserve") return reserve(payer, random.between(1, 12));
		const { holdId, ...hold } = anyHold(payer);
		if (kind === "void") return { ...hold, operation: { kind, holdId } };
		return { ...hold, operation: { kind: "post", holdId, amountCredits: random.between(0, 12) } };
	}

	function reserve(id: AccountId, amountCredits: number): PlannedOperation {
		const operation = { kind: "reserve", holdId: `h${operationCount}`, amountCredits, overdraftCredits: 0 } as const;
		return { account: id, operation, limits: someLimits() };
	}

	/** Returns none, one or both of the current limits. */
	function someLimits(): PlannedOperation["limits"] {
		const overdraftCredits = isBurst ? BURST_LIMIT_CREDITS : LIMIT_CREDITS;
		const limitSlots = SLOTS.flatMap((slot, index) => (slot.startsWith(LIMIT_PREFIX) ? index : []));
		return limitSlots.filter(() => random.chance(0.5)).map((slot) => ({ account: account(slot), overdraftCredits }));
	}

	function burstOfOperations(): readonly PlannedOperation[] {
		const id = account(random.chance(0.7) ? 0 : 1);
		const kind = random.pick(["grant", "reserve", "reserve", "reserve"]);
		return Array.from({ length: BURST_OPERATIONS }, () => {
			operationCount += 1;
			if (kind === "reserve") return remember(reserve(id, 1));
			const expiresAtMs = nowMs() + 10 * YEAR_MS;
			const operationId = `grant:${operationCount}`;
			return remember({
				account: id,
				operation: { kind: "grant", operationId, amountCredits: 20, expiresAtMs },
				limits: [],
			});
		});
	}

	/** Returns a recent hold, or one that does not exist in this account. */
	function anyHold(id: AccountId): (typeof holds)[number] {
		const unknownHold = { account: id, holdId: `h${operationCount}`, limits: [] };
		if (random.chance(0.2) || holds.length === 0) return unknownHold;
		const hold = random.pick(holds.slice(-20));
		return hold.account !== id && random.chance(0.5) ? { ...unknownHold, holdId: hold.holdId } : hold;
	}

	function remember(planned: PlannedOperation): PlannedOperation {
		recent.push(planned);
		if (recent.length > RECENT_OPERATIONS_MAX) recent.shift();
		const { account: id, operation: remembered, limits } = planned;
		if (remembered.kind === "reserve") holds.push({ account: id, holdId: remembered.holdId, limits });
		return planned;
	}

	function repeated(planned: PlannedOperation): PlannedOperation {
		if (random.chance(0.7) || planned.operation.kind === "void") return planned;
		const amountCredits = random.chance(0.3) ? random.pick(INVALID_AMOUNTS) : planned.operation.amountCredits + 1;
		return { ...planned, operation: { ...planned.operation, amountCredits } };
	}

	return {
		next() {
			if (recent.length > 0 && random.chance(0.15)) return [repeated(random.pick(recent))];
			if (isBurst && random.chance(0.5)) return burstOfOperations();
			const id = account(random.between(0, SLOTS.length - 1));
			return Array.from({ length: random.chance(0.1) ? 5 : 1 }, () => remember(newOperation(id)));
		},
		followUpsOf({ operation: acknowledged, ...hold }) {
			if (acknowledged.kind !== "reserve" || isBurst) return [];
			const { holdId } = acknowledged;
			const amountCredits = random.between(0, acknowledged.amountCredits);
			const post: PlannedOperation = { ...hold, operation: { kind: "post", holdId, amountCredits } };
			const cancel: PlannedOperation = { ...hold, operation: { kind: "void", holdId } };
			const followUps = random.pick([[post], [post], [cancel], [cancel, post], []]);
			return followUps.map((planned) => ({ delayMs: random.between(0, 400), planned: remember(planned) }));
		},
		voidAllHolds: () => holds.map(({ holdId, ...hold }) => ({ ...hold, operation: { kind: "void", holdId } })),
		accounts: () => [...allAccounts],
	};
}
