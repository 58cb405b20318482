import { MediaHttp, MediaRefused, MediaTimeout, MediaUnavailable, type Finding } from "../../generation/media-api.ts";
import { logTrouble } from "./log-trouble.ts";
import type { StepContext, StepDeps } from "./step.ts";

/** An order may arrive after its sender gave up on the answer: before this "not here" only means "not yet". */
export const ARRIVES_WITHIN_MS = 30_000;

/** Looks an order up by its key. A service that does not answer, or answers nonsense, cannot tell. */
export async function findOrder(
	{ media }: Pick<StepDeps, "media">,
	idempotencyKey: string,
	{ logger, signal }: Pick<StepContext, "logger" | "signal">,
): Promise<Finding> {
	try {
		return await media.find(idempotencyKey, signal);
	} catch (error) {
		const isAway = error instanceof MediaUnavailable || error instanceof MediaTimeout;
		if (!isAway && !(error instanceof MediaHttp) && !(error instanceof MediaRefused)) throw error;
		logTrouble(logger, error, "order not looked up");
		return { kind: "cannot_tell" };
	}
}
