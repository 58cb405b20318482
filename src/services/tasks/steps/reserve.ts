import { baseOf, type TaskIn } from "../task.ts";
import { chargeOf, noteOf, messageOfRefusal } from "../payment.ts";
import { failed, moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** created -> reserved, or -> finished if a limit or the balance denies it; settling voids partial reservations. */
export async function reserve(
	{ charges, lowCredits }: StepDeps,
	task: TaskIn<"created">,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { costCredits, mediaType } = task.request;
	if (costCredits > 0) {
		const verdict = await charges.reserve(chargeOf(task), noteOf(task, mediaType));
		if (verdict.kind === "refused") {
			const { code, account, balance } = verdict.refusal;
			const isShort = code === "exceeds_credits" && account === task.payment.account;
			if (isShort) lowCredits.onDenial(task.guildId, balance, costCredits, logger);
			return failed(task, messageOfRefusal(task.payment, verdict, task.request));
		}
	}
	return moved({ ...baseOf(task), state: "reserved" });
}
