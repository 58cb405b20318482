import { costOfMade } from "../../generation/order.ts";
import { ChargeNotEnded } from "../../ledger/charges.ts";
import type { AccountId, Balance, Credits, Ledger } from "../../ledger/operations.ts";
import { CorruptDocument } from "../../store/keyv-store.ts";
import { chargeOf, noteOf } from "../payment.ts";
import { baseOf, type TaskIn } from "../task.ts";
import { moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** About half a minute: then a person who waits for an answer is worth more than books that add up by themselves. */
const SETTLE_FAILURES_MAX = 6;

/** finished -> settled: charged for what was made, given back for what was not. Repeating it moves nothing again. */
export async function settle(deps: StepDeps, task: TaskIn<"finished">, context: StepContext): Promise<StepResult> {
	const { charges, ledger, lowCredits } = deps;
	const { order, outcome, payment } = task;
	const chargedCredits = outcome.kind === "made" ? costOfMade(order, outcome.files.length) : 0;
	const note = noteOf(task, outcome.kind === "made" ? order.mediaType : outcome.why.key);

	async function endHolds(): Promise<Balance> {
		// What is free was never reserved.
		if (order.costCredits === 0) return await ledger.balance(payment.account);
		if (outcome.kind === "made") return await charges.post({ ...chargeOf(task), amountCredits: chargedCredits }, note);
		return await charges.void(chargeOf(task), note);
	}
	try {
		const balance = await endHolds();
		if (chargedCredits > 0) lowCredits.charged(task.guildId, balance, context.logger);
		const leftCredits = balance.availableCredits;
		return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits });
	} catch (error) {
		const isHopeless = error instanceof CorruptDocument || (error instanceof ChargeNotEnded && error.isFinal);
		if (!isHopeless || (context.failures.unforeseen ?? 0) + 1 < SETTLE_FAILURES_MAX) throw error;
		return await settleWithout(deps, task, error, context);
	}
}

/**
 * finished -> settled without the accounts in which the hold cannot be ended. What was charged elsewhere stays charged, and
 * nobody asks for this hold again: an account that is repaired later has it open, and the operator decides.
 */
async function settleWithout(
	{ ledger }: StepDeps,
	task: TaskIn<"finished">,
	error: ChargeNotEnded | CorruptDocument,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { id, order, outcome, payment } = task;
	const unsettled = error instanceof ChargeNotEnded ? error.open.map(({ account }) => account) : [];
	const isPaid = !unsettled.includes(payment.account);
	const chargedCredits = isPaid && outcome.kind === "made" ? costOfMade(order, outcome.files.length) : 0;
	const leftCredits = isPaid ? await leftIfReadable(ledger, payment.account) : null;
	logger.error({ err: error, holdId: id, accounts: unsettled }, "settled without damaged accounts, repair them");
	return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits, unsettled });
}

async function leftIfReadable(ledger: Ledger, account: AccountId): Promise<Credits | null> {
	try {
		return (await ledger.balance(account)).availableCredits;
	} catch (error) {
		if (error instanceof CorruptDocument) return null;
		throw error;
	}
}
