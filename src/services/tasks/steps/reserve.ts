/** Reserves the credits of a task, account by account. A task that is paid from one account is written together with its hold instead. */
import type { Charge } from "@atelier/ledger/charges";
import type { Note } from "@atelier/ledger/operations";
import { messageOfRejectedCharge } from "../../credits/charge-denial.ts";
import { chargeLegsOf } from "../../credits/guild-accounts.ts";
import { baseOf, type Task, type TaskIn } from "../task.ts";
import { failed, moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** Returns whether the task and its hold can be written together: the task is not free, and no limit applies. */
export function isPaidFromOneAccount({ request, payment }: Pick<Task, "request" | "payment">): boolean {
	return request.costCredits > 0 && payment.limits.length === 0;
}

/** created -> reserved, account by account; -> finished if a limit or the balance denies it. The settle step voids partial reservations. */
export async function reserve(
	{ charges, lowCredits }: StepDeps,
	task: TaskIn<"created">,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { costCredits, mediaType } = task.request;
	if (costCredits > 0) {
		const verdict = await charges.reserve(chargeOf(task), noteOf(task, mediaType));
		if (verdict.kind === "rejected") {
			const { code, account, balance } = verdict.rejection;
			const isShort = code === "exceeds_credits" && account === task.payment.account;
			if (isShort) lowCredits.onDenial(task.guildId, balance, costCredits, logger);
			return failed(task, messageOfRejectedCharge(task.payment, verdict, task.request));
		}
	}
	return moved({ ...baseOf(task), state: "reserved" });
}

/** Returns the ledger charge of a task, the same for reserve and void. A post may charge less than the hold. */
export function chargeOf({ id, request, payment }: Pick<Task, "id" | "request" | "payment">): Charge {
	return { holdId: id, amountCredits: request.costCredits, legs: chargeLegsOf(payment) };
}

/** Returns the journal note of a task: member, purpose, and reason of its end. */
export function noteOf({ id, userId, request }: Task, reason: string): Note {
	return { by: `member:${userId}`, reason, taskId: id, mediaType: request.mediaType, model: request.modelName };
}
