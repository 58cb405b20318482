import { createCharges, ChargeNotEndedError, type Charge } from "@atelier/ledger/charges";
import { operationIdOf, type Operation } from "@atelier/ledger/apply-operation";
import { LedgerRefusalError, type AccountId, type Balance, type Ledger } from "@atelier/ledger/operations";
import { DiskFaultError } from "./faulty-disk.ts";
import { InvariantError, type Observations } from "./invariants.ts";

/** A charge to several accounts, from its reservation to its end, as a task makes it. */
export interface ChargeRun {
	readonly charge: Charge;
	/** Decided at the start: whether the paid result succeeds. */
	readonly isCompleted: boolean;
	phase: "reserve" | "post" | "void" | "over";
	/** Operations that were sent; each is counted once, however often it is repeated. */
	readonly sent: Set<string>;
}

interface PhaseDeps {
	readonly ledger: Ledger;
	readonly observations: Observations;
	readonly isDead: () => boolean;
	/** Called before a response is checked. */
	readonly checkChanges: () => void;
}

const note = { by: "member:1", reason: "simulated" };

/** Runs one phase of a charge, again after a fault. Resolves to its outcome. */
export async function runPhase(chargeRun: ChargeRun, deps: PhaseDeps): Promise<"charge refused" | `charge ${string}`> {
	const charges = createCharges(watched(chargeRun, deps));
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
			throw new InvariantError("a charge that is over goes on");
	}
}

/** True if only the disk failed. */
export function isFault(error: unknown): boolean {
	if (error instanceof ChargeNotEndedError) return error.open.every(({ reason }) => isFault(reason));
	return error instanceof DiskFaultError;
}

/** Each account was charged, or none was. */
export function checkEnd({ charge: { holdId, legs } }: ChargeRun, observations: Observations): void {
	const posted = legs.map(({ account }) =>
		observations.entries(account).some((each) => each.operationId === `post:${holdId}`),
	);
	if (new Set(posted).size > 1) throw new InvariantError(`the charge ${holdId} came true in a part of its accounts`);
}

function watched({ sent }: ChargeRun, { ledger, observations, isDead, checkChanges }: PhaseDeps): Ledger {
	async function ask(account: AccountId, operation: Operation, tell: () => Promise<Balance>): Promise<Balance> {
		const planned = `${account} ${operationIdOf(operation)}`;
		if (!sent.has(planned)) observations.asked(account, operation);
		sent.add(planned);
		try {
			const balance = await tell();
			if (isDead()) return balance;
			checkChanges();
			observations.acknowledged(account, operation);
			return balance;
		} catch (error) {
			if (!isDead() && error instanceof LedgerRefusalError) {
				checkChanges();
				observations.refused(account, operation, error.code);
			}
			throw error;
		}
	}

	return {
		...ledger,
		reserve(account, holdId, amountCredits, why, { overdraftCredits = 0 } = {}) {
			const operation: Operation = { kind: "reserve", holdId, amountCredits, overdraftCredits };
			return ask(account, operation, () => ledger.reserve(account, holdId, amountCredits, why, { overdraftCredits }));
		},
		post: (account, holdId, amountCredits, why) =>
			ask(account, { kind: "post", holdId, amountCredits }, () => ledger.post(account, holdId, amountCredits, why)),
		void: (account, holdId, why) => ask(account, { kind: "void", holdId }, () => ledger.void(account, holdId, why)),
	};
}
