import { onTestFinished } from "vitest";
import { systemClock, type Clock } from "@atelier/common/clock";

const TICK_MS = 20;
/** The longest interval between two ticks of a process that waits. */
const WAIT_MS_MAX = 50;

/**
 * Returns real time without the pauses in which a busy machine ran other processes. With it, Discord's limit of three seconds
 * applies to what this process does and waits for.
 */
export function createProcessClock(): Clock {
	let nowMs = systemClock.nowMs();
	let tickedAtMs = performance.now();
	let used = process.cpuUsage();
	const tick = (): void => {
		const elapsedMs = performance.now() - tickedAtMs;
		const { user, system } = process.cpuUsage(used);
		nowMs += Math.min(elapsedMs, Math.max(WAIT_MS_MAX, (user + system) / 1000));
		tickedAtMs += elapsedMs;
		used = process.cpuUsage();
	};
	const ticks = setInterval(tick, TICK_MS);
	onTestFinished(() => clearInterval(ticks));
	const clock: Clock = {
		nowMs: () => Math.floor(nowMs),
		async sleep(delayMs, signal) {
			const dueMs = clock.nowMs() + delayMs;
			while (clock.nowMs() < dueMs) await systemClock.sleep(dueMs - clock.nowMs(), signal);
		},
	};
	return clock;
}
