import { MediaError, MediaHttpError, MediaRefusedError, type CancelResponse } from "../../generation/media-api.ts";
import { logMediaError } from "./log-media-error.ts";
import type { StepContext, StepDeps } from "./step.ts";

/** Asks the service to cancel a task. `undefined` if the request failed: the next poll repeats it. */
export async function cancelRemote(
	{ media }: Pick<StepDeps, "media">,
	remoteId: string,
	context: StepContext,
): Promise<CancelResponse | undefined> {
	const { logger, signal } = context;
	try {
		const answer = await media.cancel(remoteId, signal);
		logger.info({ remoteId, answer }, "cancel requested at the service");
		return answer;
	} catch (error) {
		if (!(error instanceof MediaError)) throw error;
		const isNo = error instanceof MediaRefusedError || (error instanceof MediaHttpError && error.status < 500);
		logMediaError(context, "unavailable", error, "service not asked to cancel", { remoteId });
		return isNo ? "not_supported" : undefined;
	}
}
