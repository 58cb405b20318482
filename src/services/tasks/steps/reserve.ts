import { baseOf, type TaskIn } from "../task.ts";
import { chargeOf, noteOf, sayingOfRefusal } from "../payment.ts";
import { failed, moved, type StepContext, type StepDeps, type StepResult } from "./step.ts";

/** created -> reserved, or -> finished where a limit or the balance says no; settling gives back what was reserved before. */
export async function reserve(
	{ charges, lowCredits }: StepDeps,
	task: TaskIn<"created">,
	{ logger }: StepContext,
): Promise<StepResult> {
	const { costCredits, mediaType } = task.order;
	if (costCredits > 0) {
		const verdict = await charges.reserve(chargeOf(task), noteOf(task, mediaType));
		if (verdict.kind === "refused") {
			const { code, account, balance } = verdict.refusal;
			const isShort = code === "exceeds_credits" && account === task.payment.account;
			if (isShort) lowCredits.onDenial(task.guildId, balance, costCredits, logger);
			return failed(task, sayingOfRefusal(task.payment, verdict, task.order));
		}
	}
	return moved({ ...baseOf(task), state: "reserved" });
}
