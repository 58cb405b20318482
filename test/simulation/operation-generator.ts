import type { Operation } from "@atelier/ledger/apply-operation";
import type { AccountId } from "@atelier/ledger/operations";
import type { Random } from "./random.ts";
import type { Observations } from "./invariants.ts";

/** An operation that a client repeats until it gets a response. */
export interface PlannedOperation {
	readonly account: AccountId;
	readonly operation: Operation;
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
	readonly observations: Observations;
	readonly nowMs: () => number;
}

/** The simulation uses one account of each slot at a time. */
const SLOTS = ["guild:1", "guild:2", "use:1"] as const;
const OVERDRAFT_CREDITS = 25;
/** The generator replaces a longer account by a new one, because each step checks all entries of an account. */
const ENTRIES_MAX = 80;
/** The account of a burst grows until it reaches every limit. */
const BURST_ENTRIES_MAX = 700;
const BURST_OPERATIONS = 40;
const BURST_CREDITS = 100_000;
const YEAR_MS = 365 * 86_400_000;
const RECENT_OPERATIONS_MAX = 60;
const INVALID_AMOUNTS = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];

export function createOperationGenerator({
	random,
	isBurst,
	observations,
	nowMs,
}: OperationGeneratorDeps): OperationGenerator {
	const current: AccountId[] = SLOTS.map((slot) => `${slot}:0`);
	const allAccounts = new Set(current);
	const holds: { readonly account: AccountId; readonly holdId: string }[] = [];
	const recent: PlannedOperation[] = [];
	let operationCount = 0;

	function account(): AccountId {
		const slot = random.between(0, current.length - 1);
		const id = current[slot] ?? "";
		if (observations.entryCount(id) < (isBurst ? BURST_ENTRIES_MAX : ENTRIES_MAX)) return id;
		const newAccount = `${SLOTS[slot]}:${operationCount}`;
		current[slot] = newAccount;
		allAccounts.add(newAccount);
		return newAccount;
	}

	function operation(overdraftCredits: number): Operation {
		operationCount += 1;
		const kind = random.pick(["grant", "grant", "reserve", "reserve", "reserve", "reserve", "adjust", "void", "post"]);
		switch (kind) {
			case "grant": {
				const grant = { kind, operationId: `grant:${operationCount}`, amountCredits: random.between(1, 20) } as const;
				return random.chance(0.3) ? grant : { ...grant, expiresAtMs: nowMs() + random.between(-20, 800) };
			}
			case "adjust":
				return { kind, operationId: `adjust:${operationCount}`, amountCredits: random.between(-6, 6) };
			case "reserve":
				return { kind, holdId: `h${operationCount}`, amountCredits: random.between(1, 12), overdraftCredits };
			case "void":
				return { kind, holdId: anyHold() };
			default:
				return { kind: "post", holdId: anyHold(), amountCredits: random.between(0, 12) };
		}
	}

	function burstOfOperations(): readonly PlannedOperation[] {
		const id = (random.chance(0.7) ? current.at(-1) : current[0]) ?? "";
		const kind = random.pick(["grant", "reserve", "reserve", "reserve"]);
		return Array.from({ length: BURST_OPERATIONS }, () => {
			operationCount += 1;
			const expiresAtMs = nowMs() + 10 * YEAR_MS;
			return remember({
				account: id,
				operation:
					kind === "grant"
						? { kind, operationId: `grant:${operationCount}`, amountCredits: 20, expiresAtMs }
						: { kind: "reserve", holdId: `h${operationCount}`, amountCredits: 1, overdraftCredits: overdraftOf(id) },
			});
		});
	}

	function overdraftOf(id: AccountId): number {
		if (!id.startsWith("use:")) return 0;
		return isBurst ? BURST_CREDITS : OVERDRAFT_CREDITS;
	}

	function anyHold(): string {
		return random.chance(0.8) && holds.length > 0 ? random.pick(holds.slice(-20)).holdId : `h${operationCount}`;
	}

	function remember(planned: PlannedOperation): PlannedOperation {
		recent.push(planned);
		if (recent.length > RECENT_OPERATIONS_MAX) recent.shift();
		if ("holdId" in planned.operation) holds.push({ account: planned.account, holdId: planned.operation.holdId });
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
			const id = account();
			const overdraftCredits = overdraftOf(id);
			return Array.from({ length: random.chance(0.1) ? 5 : 1 }, () =>
				remember({ account: id, operation: operation(overdraftCredits) }),
			);
		},
		followUpsOf({ account: id, operation: acknowledged }) {
			if (acknowledged.kind !== "reserve" || isBurst) return [];
			const { holdId } = acknowledged;
			const amountCredits = random.between(0, acknowledged.amountCredits);
			const post: PlannedOperation = { account: id, operation: { kind: "post", holdId, amountCredits } };
			const cancel: PlannedOperation = { account: id, operation: { kind: "void", holdId } };
			const followUps = random.pick([[post], [post], [cancel], [cancel, post], []]);
			return followUps.map((planned) => ({ delayMs: random.between(0, 400), planned: remember(planned) }));
		},
		voidAllHolds: () => holds.map(({ account: id, holdId }) => ({ account: id, operation: { kind: "void", holdId } })),
		accounts: () => [...allAccounts],
	};
}
