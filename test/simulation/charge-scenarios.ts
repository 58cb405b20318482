import { createCharges, ChargeNotEndedError, type Charge } from "@atelier/ledger/charges";
import { operationIdOf, type Operation } from "@atelier/ledger/decide";
import { LedgerRefusalError, type AccountId, type Balance, type Ledger } from "@atelier/ledger/operations";
import { DiskFaultError } from "./faulty-disk.ts";
import { InvariantError, type Observations } from "./invariants.ts";

/** A payment over several accounts, from its beginning to its end, as a task goes through it. */
export interface ChargeStory {
	readonly charge: Charge;
	/** Decided when it begins: whether what is paid for will be there. */
	readonly isCompleted: boolean;
	phase: "reserve" | "post" | "void" | "over";
	/** The witness counts each operation once, however often it is repeated. */
	readonly asked: Set<string>;
}

interface TellDeps {
	readonly ledger: Ledger;
	readonly observations: Observations;
	readonly isDead: () => boolean;
	/** Before the witness is told what an answer says. */
	readonly lookAtChanges: () => void;
}

const note = { by: "member:1", reason: "simulated" };

/** One phase of a story; the same phase again where it fails. Resolves to what came of it. */
export async function tellPhase(story: ChargeStory, deps: TellDeps): Promise<"charge refused" | `charge ${string}`> {
	const charges = createCharges(watched(story, deps));
	const { charge, phase, isCompleted } = story;
	switch (phase) {
		case "reserve": {
			const verdict = await charges.reserve(charge, note);
			story.phase = verdict.kind === "reserved" && isCompleted ? "post" : "void";
			return `charge ${verdict.kind}`;
		}
		case "post":
			await charges.post(charge, note);
			story.phase = "over";
			return "charge post";
		case "void":
			await charges.void(charge, note);
			story.phase = "over";
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
export function checkEnd({ charge: { holdId, legs } }: ChargeStory, observations: Observations): void {
	const posted = legs.map(({ account }) =>
		observations.entries(account).some((each) => each.operationId === `post:${holdId}`),
	);
	if (new Set(posted).size > 1) throw new InvariantError(`the charge ${holdId} came true in a part of its accounts`);
}

function watched({ asked }: ChargeStory, { ledger, observations, isDead, lookAtChanges }: TellDeps): Ledger {
	async function ask(account: AccountId, operation: Operation, tell: () => Promise<Balance>): Promise<Balance> {
		const planned = `${account} ${operationIdOf(operation)}`;
		if (!asked.has(planned)) observations.asked(account, operation);
		asked.add(planned);
		try {
			const balance = await tell();
			if (isDead()) return balance;
			lookAtChanges();
			observations.acknowledged(account, operation);
			return balance;
		} catch (error) {
			if (!isDead() && error instanceof LedgerRefusalError) {
				lookAtChanges();
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
