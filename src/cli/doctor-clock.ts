/** Whose time is it: what a token, a deadline or a link lasts is told by this machine's clock, and checked by others' clocks. */
import type { Clock } from "@atelier/common/clock";
import type { Finding } from "./doctor-finding.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

/** An HTTP date has whole seconds. */
const ROUNDING_MS = 1_000;
const WARN_MS = 2_000;
const FIX_MS = 10_000;
const TIMEOUT_MS = 5_000;

interface TimeThere {
	/** Whose clock it is, such as "Discord's". */
	readonly whose: string;
	readonly thereMs: number;
	/** Between which times of ours it was told. */
	readonly askedAtMs: number;
	readonly answeredAtMs: number;
}

/** What a time that somebody else told says of the clock of this machine. */
export function clockFinding({ whose, thereMs, askedAtMs, answeredAtMs }: TimeThere): Finding {
	// It was told somewhere in between: what that alone explains is no difference.
	const aheadMs = Math.max(0, askedAtMs - thereMs - ROUNDING_MS);
	const behindMs = Math.max(0, thereMs - answeredAtMs);
	const offMs = Math.max(aheadMs, behindMs);
	if (offMs < WARN_MS) return { grade: "ok", text: `this machine's clock agrees with ${whose}` };
	const side = aheadMs > behindMs ? "ahead of" : "behind";
	return {
		grade: offMs < FIX_MS ? "warn" : "fix",
		text: `this machine's clock is ${Math.round(offMs / 1000)} seconds ${side} ${whose}`,
		advice: "Switch time synchronisation on (timedatectl set-ntp true), there or here.",
	};
}

/** By the date of any answer, whatever it says. Nothing where there is no answer, or no date in it: others say that. */
export async function* examineClockOf(whose: string, url: string, clock: Clock): AsyncGenerator<Finding> {
	const askedAtMs = clock.nowMs();
	const response = await fetch(url, {
		method: "HEAD",
		redirect: "manual",
		headers: { "user-agent": USER_AGENT },
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch(() => undefined);
	const thereMs = Date.parse(response?.headers.get("date") ?? "");
	if (!Number.isNaN(thereMs)) yield clockFinding({ whose, thereMs, askedAtMs, answeredAtMs: clock.nowMs() });
}
