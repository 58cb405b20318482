import type { Charge } from "@atelier/ledger/charges";
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
	/** A payment that a limit on use and a balance must both allow. */
	nextCharge(): Charge;
	/** The follow-up of a successful operation, and its time. */
	after(planned: PlannedOperation): readonly { readonly delayMs: number; readonly planned: PlannedOperation }[];
	/** Voids every hold. */
	endEverything(): readonly PlannedOperation[];
	anyAccount(): AccountId;
	accounts(): readonly AccountId[];
}

interface WishesDeps {
	readonly random: Random;
	/** Many concurrent operations of one credit each, so that every limit of an account is reached. */
	readonly isBurst: boolean;
	readonly observations: Observations;
	readonly nowMs: () => number;
}

const SLOTS = ["guild:1", "guild:2", "use:1"] as const;
const OVERDRAFT_CREDITS = 25;
/** A longer account is replaced by a new one, so that checking it after each step stays cheap. */
const ENTRIES_MAX = 80;
/** The account of a burst grows until it reaches every limit. */
const BURST_ENTRIES_MAX = 700;
const BURST_OPERATIONS = 40;
const BURST_CREDITS = 100_000;
const YEAR_MS = 365 * 86_400_000;
const REMEMBERED_WISHES = 60;
const NOT_AMOUNTS = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];

export function createWishes({ random, isBurst, observations, nowMs }: WishesDeps): OperationGenerator {
	const current: AccountId[] = SLOTS.map((slot) => `${slot}:0`);
	const everyAccount = new Set(current);
	const holds: { readonly account: AccountId; readonly holdId: string }[] = [];
	const recent: PlannedOperation[] = [];
	let completed = 0;

	function account(slot = random.between(0, current.length - 1)): AccountId {
		const id = current[slot] ?? "";
		if (observations.length(id) < (isBurst ? BURST_ENTRIES_MAX : ENTRIES_MAX)) return id;
		const fresh = `${SLOTS[slot]}:${completed}`;
		current[slot] = fresh;
		everyAccount.add(fresh);
		return fresh;
	}

	function operation(overdraftCredits: number): Operation {
		completed += 1;
		const kind = random.pick(["grant", "grant", "reserve", "reserve", "reserve", "reserve", "adjust", "void", "post"]);
		switch (kind) {
			case "grant": {
				const grant = { kind, operationId: `grant:${completed}`, amountCredits: random.between(1, 20) } as const;
				return random.chance(0.3) ? grant : { ...grant, expiresAtMs: nowMs() + random.between(-20, 800) };
			}
			case "adjust":
				return { kind, operationId: `adjust:${completed}`, amountCredits: random.between(-6, 6) };
			case "reserve":
				return { kind, holdId: `h${completed}`, amountCredits: random.between(1, 12), overdraftCredits };
			case "void":
				return { kind, holdId: anyHold() };
			default:
				return { kind: "post", holdId: anyHold(), amountCredits: random.between(0, 12) };
		}
	}

	function crowd(): readonly PlannedOperation[] {
		const id = (random.chance(0.7) ? current.at(-1) : current[0]) ?? "";
		const kind = random.pick(["grant", "reserve", "reserve", "reserve"]);
		return Array.from({ length: BURST_OPERATIONS }, () => {
			completed += 1;
			const expiresAtMs = nowMs() + 10 * YEAR_MS;
			return remembered({
				account: id,
				operation:
					kind === "grant"
						? { kind, operationId: `grant:${completed}`, amountCredits: 20, expiresAtMs }
						: { kind: "reserve", holdId: `h${completed}`, amountCredits: 1, overdraftCredits: overdraftOf(id) },
			});
		});
	}

	function overdraftOf(id: AccountId): number {
		if (!id.startsWith("use:")) return 0;
		return isBurst ? BURST_CREDITS : OVERDRAFT_CREDITS;
	}

	function anyHold(): string {
		return random.chance(0.8) && holds.length > 0 ? random.pick(holds.slice(-20)).holdId : `h${completed}`;
	}

	function remembered(planned: PlannedOperation): PlannedOperation {
		recent.push(planned);
		if (recent.length > REMEMBERED_WISHES) recent.shift();
		if ("holdId" in planned.operation) holds.push({ account: planned.account, holdId: planned.operation.holdId });
		return planned;
	}

	function again(planned: PlannedOperation): PlannedOperation {
		if (random.chance(0.7) || planned.operation.kind === "void") return planned;
		const amountCredits = random.chance(0.3) ? random.pick(NOT_AMOUNTS) : planned.operation.amountCredits + 1;
		return { ...planned, operation: { ...planned.operation, amountCredits } };
	}

	return {
		next() {
			if (recent.length > 0 && random.chance(0.15)) return [again(random.pick(recent))];
			if (isBurst && random.chance(0.5)) return crowd();
			const id = account();
			const overdraftCredits = overdraftOf(id);
			return Array.from({ length: random.chance(0.1) ? 5 : 1 }, () =>
				remembered({ account: id, operation: operation(overdraftCredits) }),
			);
		},
		nextCharge() {
			completed += 1;
			const limit = { account: account(2), overdraftCredits: overdraftOf("use:") };
			const balance = { account: account(random.between(0, 1)) };
			return { holdId: `c${completed}`, amountCredits: random.between(1, 12), legs: [limit, balance] };
		},
		after({ account: id, operation: granted }) {
			if (granted.kind !== "reserve" || isBurst) return [];
			const { holdId } = granted;
			const amountCredits = random.between(0, granted.amountCredits);
			const post: PlannedOperation = { account: id, operation: { kind: "post", holdId, amountCredits } };
			const cancel: PlannedOperation = { account: id, operation: { kind: "void", holdId } };
			const ends = random.pick([[post], [post], [cancel], [cancel, post], []]);
			return ends.map((planned) => ({ delayMs: random.between(0, 400), planned: remembered(planned) }));
		},
		endEverything: () => holds.map(({ account: id, holdId }) => ({ account: id, operation: { kind: "void", holdId } })),
		anyAccount: () => random.pick([...everyAccount].slice(-6)),
		accounts: () => [...everyAccount],
	};
}
