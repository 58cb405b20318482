import { createCharges, ChargeNotEndedError, type Charge } from "@atelier/ledger/charges";
import { operationIdOf, type Operation } from "@atelier/ledger/apply-operation";
import { LedgerRejectedError, type AccountId, type Balance, type Ledger } from "@atelier/ledger/operations";
import { DiskFaultError } from "./faulty-disk.ts";
import { InvariantError, type Observations } from "./invariants.ts";

/** A charge to several accounts, from its reservation to its end, as a task makes it. */
export interface ChargeRun {
	readonly charge: Charge;
	/** Decided at the start: whether the paid result succeeds. */
	readonly isCompleted: boolean;
	phase: "reserve" | "post" | "void" | "over";
	/** The operations that were sent, so that a repeated one is reported to the observations once. */
	readonly sentOperations: Set<string>;
}

interface PhaseDeps {
	readonly ledger: Ledger;
	readonly observations: Observations;
	readonly isDead: () => boolean;
	/** Called before a response is checked. */
	readonly checkChanges: () => void;
}

const note = { by: "member:1", reason: "simulated" };

/** Runs one phase of a charge; the caller repeats it after a fault. Resolves to the name of the event. */
export async function runPhase(chargeRun: ChargeRun, deps: PhaseDeps): Promise<"charge rejected" | `charge ${string}`> {
	const charges = createCharges(observedLedger(chargeRun, deps));
	const { charge, phase, isCompleted } = chargeRun;
	switch (phase) {
		case "reserve": {
			const verdict = await charges.reserve(charge, note);
			chargeRun.phase = verdict.kind === "reserved" && isCompleted ? "post" : "void";
			return `charge ${verdict.kind}`;
		}
		case "post":
			await charges.post(charge, note);
			chargeRun.phase = "over";
			return "charge post";
		case "void":
			await charges.void(charge, note);
			chargeRun.phase = "over";
			return "charge void";
		case "over":
			throw new InvariantError("an ended charge continues");
	}
}

/** Returns whether only the simulated disk failed. */
export function isFault(error: unknown): boolean {
	if (error instanceof ChargeNotEndedError) return error.open.every(({ reason }) => isFault(reason));
	return error instanceof DiskFaultError;
}

/** Checks that all accounts of a charge were charged, or none. */
export function checkAllOrNone({ charge: { holdId, legs } }: ChargeRun, observations: Observations): void {
	const posted = legs.map(({ account }) =>
		observations.entries(account).some((each) => each.operationId === `post:${holdId}`),
	);
	if (new Set(posted).size > 1)
		throw new InvariantError(`the charge ${holdId} was posted to some of its accounts only`);
}

/** Returns a ledger that reports each operation and its response to the observations. */
function observedLedger(
	{ sentOperations }: ChargeRun,
	{ ledger, observations, isDead, checkChanges }: PhaseDeps,
): Ledger {
	async function runObserved(account: AccountId, operation: Operation, call: () => Promise<Balance>): Promise<Balance> {
		const operationKey = `${account} ${operationIdOf(operation)}`;
		if (!sentOperations.has(operationKey)) observations.requested(account, operation);
		sentOperations.add(operationKey);
		try {
			const balance = await call();
			if (isDead()) return balance;
			checkChanges();
			observations.acknowledged(account, operation);
			return balance;
		} catch (error) {
			if (!isDead() && error instanceof LedgerRejectedError) {
				checkChanges();
				observations.rejected(account, operation, error.code);
			}
			throw error;
		}
	}

	return {
		...ledger,
		reserve(account, holdId, amountCredits, why, { overdraftCredits = 0 } = {}) {
			const operation: Operation = { kind: "reserve", holdId, amountCredits, overdraftCredits };
			return runObserved(account, operation, () =>
				ledger.reserve(account, holdId, amountCredits, why, { overdraftCredits }),
			);
		},
		post: (account, holdId, amountCredits, why) =>
			runObserved(account, { kind: "post", holdId, amountCredits }, () =>
				ledger.post(account, holdId, amountCredits, why),
			),
		void: (account, holdId, why) =>
			runObserved(account, { kind: "void", holdId }, () => ledger.void(account, holdId, why)),
	};
}
