import { costOfMade } from "../../generation/order.ts";
import { ChargeNotEnded } from "@atelier/ledger/charges";
import type { Logger } from "pino";
import type { AccountId, Balance, Credits, Ledger, Note } from "@atelier/ledger/operations";
import { CorruptDocument } from "@atelier/store/keyv-store";
import { chargeOf, noteOf } from "../payment.ts";
import { baseOf, type TaskIn } from "../task.ts";
import type { TaskPlace } from "../task-store.ts";
import { moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** About half a minute: then a person who waits for an answer is worth more than books that add up by themselves. */
const SETTLE_FAILURES_MAX = 6;

/** Whether the end of a task and that of its hold can be one write: where nobody else has to allow it, and it is not free. */
export function isSettledAtOnce({ order, payment }: TaskIn<"finished">): boolean {
	return order.costCredits > 0 && payment.limits.length === 0;
}

/** From wherever it is -> settled, in one write with its account. Throws where that has to be done step by step. */
export async function settleAtOnce(
	{ ledger, lowCredits }: Pick<StepDeps, "ledger" | "lowCredits">,
	task: TaskIn<"finished">,
	place: TaskPlace,
	logger: Logger,
): Promise<void> {
	const { id, outcome, payment } = task;
	const chargedCredits = chargedFor(task);
	const valueWith = ({ availableCredits }: Balance): TaskIn<"settled"> => ({
		...baseOf(task),
		state: "settled",
		outcome,
		chargedCredits,
		leftCredits: availableCredits,
	});
	const [note, beside] = [reasonOf(task), { ...place, valueWith }];
	if (outcome.kind === "failed") return void (await ledger.void(payment.account, id, note, beside));
	const balance = await ledger.post(payment.account, id, chargedCredits, note, beside);
	lowCredits.charged(task.guildId, balance, logger);
}

/** finished -> settled: charged for what was made, given back for what was not. Repeating it moves nothing again. */
export async function settle(deps: StepDeps, task: TaskIn<"finished">, context: StepContext): Promise<StepResult> {
	const { charges, ledger, lowCredits } = deps;
	const { order, outcome, payment } = task;
	const chargedCredits = chargedFor(task);
	const note = reasonOf(task);

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
	const { id, outcome, payment } = task;
	const unsettled = error instanceof ChargeNotEnded ? error.open.map(({ account }) => account) : [];
	const isPaid = !unsettled.includes(payment.account);
	const chargedCredits = isPaid ? chargedFor(task) : 0;
	const leftCredits = isPaid ? await leftIfReadable(ledger, payment.account) : null;
	logger.error({ err: error, holdId: id, accounts: unsettled }, "settled without damaged accounts, repair them");
	return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits, unsettled });
}

function chargedFor({ order, outcome }: TaskIn<"finished">): Credits {
	return outcome.kind === "made" ? costOfMade(order, outcome.files.length) : 0;
}

function reasonOf(task: TaskIn<"finished">): Note {
	const { order, outcome } = task;
	return noteOf(task, outcome.kind === "made" ? order.mediaType : outcome.why.key);
}

async function leftIfReadable(ledger: Ledger, account: AccountId): Promise<Credits | null> {
	try {
		return (await ledger.balance(account)).availableCredits;
	} catch (error) {
		if (error instanceof CorruptDocument) return null;
		throw error;
	}
}
