/**
 * Resolves the hold of a task that has an outcome: in one write with the outcome if it is paid from one account, otherwise in a step
 * of its own, account by account.
 */
import type { Logger } from "pino";
import { ChargeNotEndedError } from "@atelier/ledger/charges";
import type { AccountId, Balance, Credits, Ledger, Note } from "@atelier/ledger/operations";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { costOfOutputs } from "../../generation/request.ts";
import { baseOf, type TaskIn } from "../task.ts";
import type { LoadedTask, TaskKey } from "../task-store.ts";
import { chargeOf, noteOf } from "./reserve.ts";
import { moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** Consecutive failures to settle, the last 8 to 16 s after the first: after that, the member's reply matters more than the corrupt account. */
const SETTLE_FAILURES_MAX = 6;

/**
 * Moves a task from any state to settled, and resolves its hold, in one write. `task` has the outcome. Throws if that fails: the
 * task then becomes `finished`, and `settle` resolves the hold.
 */
export async function settleInOneWrite(
	{ ledger, lowCredits }: Pick<StepDeps, "ledger" | "lowCredits">,
	task: TaskIn<"finished">,
	taskKey: TaskKey,
	logger: Logger,
): Promise<LoadedTask> {
	const { id, outcome, payment } = task;
	const chargedCredits = creditsToCharge(task);
	const settledWith = ({ availableCredits: leftCredits }: Balance): TaskIn<"settled"> => ({
		...baseOf(task),
		state: "settled",
		outcome,
		chargedCredits,
		leftCredits,
	});
	let raw = "";
	const onWritten = (text: string): void => void (raw = text);
	const note = settlementNoteOf(task);
	const alsoWrite = { ...taskKey, valueWith: settledWith, onWritten };
	if (outcome.kind === "failed") {
		const balance = await ledger.void(payment.account, id, note, alsoWrite);
		return { task: settledWith(balance), raw };
	}
	const balance = await ledger.post(payment.account, id, chargedCredits, note, alsoWrite);
	lowCredits.onCharge(task.guildId, balance, logger);
	return { task: settledWith(balance), raw };
}

/** finished -> settled: posts the hold for a result, voids it for a failure. Idempotent. */
export async function settle(deps: StepDeps, task: TaskIn<"finished">, context: StepContext): Promise<StepResult> {
	const { charges, ledger, lowCredits } = deps;
	const { request, outcome, payment } = task;
	const chargedCredits = creditsToCharge(task);
	const note = settlementNoteOf(task);

	async function resolveHolds(): Promise<Balance> {
		// A free task has no hold.
		if (request.costCredits === 0) return await ledger.balance(payment.account);
		if (outcome.kind === "succeeded")
			return await charges.post({ ...chargeOf(task), amountCredits: chargedCredits }, note);
		return await charges.void(chargeOf(task), note);
	}
	try {
		const balance = await resolveHolds();
		if (chargedCredits > 0) lowCredits.onCharge(task.guildId, balance, context.logger);
		const leftCredits = balance.availableCredits;
		return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits });
	} catch (error) {
		const isAccountCorrupt =
			error instanceof CorruptDocumentError || (error instanceof ChargeNotEndedError && error.isFinal);
		if (!isAccountCorrupt || (context.failures.unexpected ?? 0) + 1 < SETTLE_FAILURES_MAX) throw error;
		return await settleWithoutCorruptAccounts(deps, task, error, context);
	}
}

/**
 * finished -> settled without the corrupt accounts. Charges in other accounts stay. The hold stays open in a corrupt account;
 * the operator resolves it after the repair.
 */
async function settleWithoutCorruptAccounts(
	{ ledger }: StepDeps,
	task: TaskIn<"finished">,
	error: ChargeNotEndedError | CorruptDocumentError,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { id, outcome, payment } = task;
	const unsettled = error instanceof ChargeNotEndedError ? error.open.map(({ account }) => account) : [];
	const isGuildAccountSettled = !unsettled.includes(payment.account);
	const chargedCredits = isGuildAccountSettled ? creditsToCharge(task) : 0;
	const leftCredits = isGuildAccountSettled ? await availableCreditsIfReadable(ledger, payment.account) : null;
	logger.error({ err: error, holdId: id, accounts: unsettled }, "task settled without corrupt accounts: report them");
	return moved({ ...baseOf(task), state: "settled", outcome, chargedCredits, leftCredits, unsettled });
}

function creditsToCharge({ request, outcome }: TaskIn<"finished">): Credits {
	return outcome.kind === "succeeded" ? costOfOutputs(request, outcome.files.length) : 0;
}

/** Returns the journal note of a post or void. */
function settlementNoteOf(task: TaskIn<"finished">): Note {
	const { request, outcome } = task;
	return noteOf(task, outcome.kind === "succeeded" ? request.mediaType : outcome.why.key);
}

async function availableCreditsIfReadable(ledger: Ledger, account: AccountId): Promise<Credits | null> {
	try {
		return (await ledger.balance(account)).availableCredits;
	} catch (error) {
		if (error instanceof CorruptDocumentError) return null;
		throw error;
	}
}
