import type { REST } from "discord.js";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";

/** The Date header has whole seconds, and the response took some time: smaller differences are ignored. */
const SKEW_MS_MIN = 1_500;
/** From this difference on, tokens, deadlines and ages are wrong enough to warn. */
const SKEW_WARNING_MS = 5_000;

interface WatchClockDeps {
	readonly rest: REST;
	/** The real time: Discord does not follow the clock of a test. */
	readonly clock: Pick<Clock, "nowMs">;
	readonly logger: Logger;
}

/** Compares this machine's clock with the Date header of each response. Returns how far it is ahead, once known. */
export function watchClockSkew({ rest, clock, logger }: WatchClockDeps): () => number | undefined {
	let aheadMs: number | undefined;
	let isWrong = false;
	rest.on("response", (_request, { headers }) => {
		const discordMs = Date.parse(headers.get("date") ?? "");
		if (Number.isNaN(discordMs)) return;
		const skewMs = clock.nowMs() - discordMs;
		aheadMs = Math.abs(skewMs) < SKEW_MS_MIN ? 0 : skewMs;
		const wasWrong = isWrong;
		isWrong = Math.abs(aheadMs) >= SKEW_WARNING_MS;
		if (isWrong && !wasWrong) logger.error({ aheadMs }, "clock differs from Discord's: enable time synchronization");
		if (!isWrong && wasWrong) logger.info("clock agrees with Discord's again");
	});
	return () => aheadMs;
}
