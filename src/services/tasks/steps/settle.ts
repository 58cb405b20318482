import { costOfOutputs } from "../../generation/request.ts";
import { ChargeNotEndedError } from "@atelier/ledger/charges";
import type { Logger } from "pino";
import type { AccountId, Balance, Credits, Ledger, Note } from "@atelier/ledger/operations";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import { chargeOf, noteOf } from "../payment.ts";
import { baseOf, type TaskIn } from "../task.ts";
import type { TaskKey } from "../task-store.ts";
import { moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** About half a minute: after that, the member's reply matters more than the damaged account. */
const SETTLE_FAILURES_MAX = 6;

/** Returns whether the outcome and the charge can be one write: the task is not free and no limit applies. */
export function isSettledAtOnce({ request, payment }: TaskIn<"finished">): boolean {
	return request.costCredits > 0 && payment.limits.length === 0;
}

/** Moves any state to settled, in one write with the account. Throws if the single steps have to do it. */
export async function settleAtOnce(
	{ ledger, lowCredits }: Pick<StepDeps, "ledger" | "lowCredits">,
	task: TaskIn<"finished">,
	place: TaskKey,
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
	const [note, alsoWrite] = [reasonOf(task), { ...place, valueWith }];
	if (outcome.kind === "failed") return void (await ledger.void(payment.account, id, note, alsoWrite));
	const balance = await ledger.post(payment.account, id, chargedCredits, note, alsoWrite);
	lowCredits.onCharge(task.guildId, balance, logger);
}

/** finished -> settled: posts the hold for a result, voids it for a failure. Idempotent. */
export async function settle(deps: StepDeps, task: TaskIn<"finished">, context: StepContext): Promise<StepResult> {
	const { charges, ledger, lowCredits } = deps;
	const { request, outcome, payment } = task;
	const chargedCredits = chargedFor(task);
	const note = reasonOf(task);

	async function endHolds(): Promise<Balance> {
		// A free task has no hold.
		if (request.costCredits === 0) return await ledger.balance(payment.account);
		if (outcome.kind === "succeeded")
			return await charges.post({ ...chargeOf(task), amountCredits: chargedCredits }, note);
		return await charges.void(chargeOf(task), note);
	}
	try {
		const balance = await endHolds();
		if (chargedCredits > 0) lowCredits.onCharge(task.guildId, balance, context.logger);
		const leftCredits = balance.availableCredits;
		return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits });
	} catch (error) {
		const isHopeless = error instanceof CorruptDocumentError || (error instanceof ChargeNotEndedError && error.isFinal);
		if (!isHopeless || (context.failures.unexpected ?? 0) + 1 < SETTLE_FAILURES_MAX) throw error;
		return await settleWithout(deps, task, error, context);
	}
}

/**
 * finished -> settled without the damaged accounts. Charges in other accounts stay. The hold stays open in a damaged account;
 * the operator resolves it after the repair.
 */
async function settleWithout(
	{ ledger }: StepDeps,
	task: TaskIn<"finished">,
	error: ChargeNotEndedError | CorruptDocumentError,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { id, outcome, payment } = task;
	const unsettled = error instanceof ChargeNotEndedError ? error.open.map(({ account }) => account) : [];
	const isPaid = !unsettled.includes(payment.account);
	const chargedCredits = isPaid ? chargedFor(task) : 0;
	const leftCredits = isPaid ? await leftIfReadable(ledger, payment.account) : null;
	logger.error({ err: error, holdId: id, accounts: unsettled }, "settled without corrupt accounts: repair them");
	return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits, unsettled });
}

function chargedFor({ request, outcome }: TaskIn<"finished">): Credits {
	return outcome.kind === "succeeded" ? costOfOutputs(request, outcome.files.length) : 0;
}

function reasonOf(task: TaskIn<"finished">): Note {
	const { request, outcome } = task;
	return noteOf(task, outcome.kind === "succeeded" ? request.mediaType : outcome.why.key);
}

async function leftIfReadable(ledger: Ledger, account: AccountId): Promise<Credits | null> {
	try {
		return (await ledger.balance(account)).availableCredits;
	} catch (error) {
		if (error instanceof CorruptDocumentError) return null;
		throw error;
	}
}
