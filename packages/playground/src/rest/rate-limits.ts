/** Rate limit headers with Discord's buckets. The playground sends them but never limits: it has one bot. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";

const REQUESTS_PER_WINDOW = 50;
const WINDOW_MS = 1_000;
const BUCKETS_MAX = 5_000;

interface Window {
	readonly resetMs: number;
	readonly used: number;
}

/** Returns the function that counts a request of a route and returns its headers. */
export function createRateLimits(clock: Clock) {
	const windows = new LRUCache<string, Window>({ max: BUCKETS_MAX });
	return (route: string, majorParameters: string): { readonly [header: string]: string } => {
		const nowMs = clock.nowMs();
		const key = `${route} ${majorParameters}`;
		const known = windows.get(key);
		const isCurrent = known !== undefined && known.resetMs > nowMs;
		const window = isCurrent ? { ...known, used: known.used + 1 } : { resetMs: nowMs + WINDOW_MS, used: 1 };
		windows.set(key, window);
		return {
			"x-ratelimit-limit": String(REQUESTS_PER_WINDOW),
			"x-ratelimit-remaining": String(Math.max(1, REQUESTS_PER_WINDOW - window.used)),
			"x-ratelimit-reset": (window.resetMs / 1_000).toFixed(3),
			"x-ratelimit-reset-after": ((window.resetMs - nowMs) / 1_000).toFixed(3),
			"x-ratelimit-bucket": createHash("sha256").update(route).digest("hex").slice(0, 32),
		};
	};
}
