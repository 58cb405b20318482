import type { REST } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";

/** The header has whole seconds, and the answer took its time: what is below that is no difference. */
const NOTICED_MS = 1_500;
/** Tokens, deadlines and the age of commands are told by the clock: from here on somebody has to look at it. */
const WRONG_MS = 5_000;

interface WatchClockDeps {
	readonly rest: REST;
	/** The machine's: Discord keeps real time, whatever clock a test holds. */
	readonly clock: Pick<Clock, "nowMs">;
	readonly logger: Logger;
}

/** Compares this machine's clock with each answer of Discord's. Returns by how much it is ahead, once that is known. */
export function watchClockSkew({ rest, clock, logger }: WatchClockDeps): () => number | undefined {
	let aheadMs: number | undefined;
	let isWrong = false;
	rest.on("response", (_request, { headers }) => {
		const thereMs = Date.parse(headers.get("date") ?? "");
		if (Number.isNaN(thereMs)) return;
		const foundMs = clock.nowMs() - thereMs;
		aheadMs = Math.abs(foundMs) < NOTICED_MS ? 0 : foundMs;
		const wasWrong = isWrong;
		isWrong = Math.abs(aheadMs) >= WRONG_MS;
		if (isWrong && !wasWrong)
			logger.error({ aheadMs }, "this machine's clock is wrong, or Discord's: switch time synchronisation on");
		if (!isWrong && wasWrong) logger.info("this machine's clock is right again");
	});
	return () => aheadMs;
}
