/** Rate limits with Discord's buckets. Most routes only send the headers and never limit: Discord does not publish their limits. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Clock } from "@atelier/common/clock";

const REQUESTS_PER_WINDOW = 50;
const WINDOW_MS = 1_000;
const BUCKETS_MAX = 500;

interface Window {
	readonly resetMs: number;
	readonly used: number;
}

interface RateLimit {
	readonly headers: { readonly [header: string]: string };
	/** The time until the next request is allowed; `undefined` if this request is allowed. */
	readonly retryAfterS: number | undefined;
}

/** The headers of a bucket that is used up. */
export const exceededHeaders = (retryAfterS: number, nowMs: number) => ({
	"x-ratelimit-remaining": "0",
	"x-ratelimit-reset": (nowMs / 1_000 + retryAfterS).toFixed(3),
	"x-ratelimit-reset-after": retryAfterS.toFixed(3),
});

/** Returns the function that counts a request of a route. A limit is enforced only on routes that pass `requestsMax`. */
export function createRateLimits(clock: Clock) {
	const windows = new LRUCache<string, Window>({ max: BUCKETS_MAX });
	return (route: string, majorParameters: string, requestsMax?: number): RateLimit => {
		const nowMs = clock.nowMs();
		const key = `${route} ${majorParameters}`;
		const previous = windows.get(key);
		const isCurrent = previous !== undefined && previous.resetMs > nowMs;
		const window = isCurrent ? { ...previous, used: previous.used + 1 } : { resetMs: nowMs + WINDOW_MS, used: 1 };
		windows.set(key, window);
		const limit = requestsMax ?? REQUESTS_PER_WINDOW;
		const resetAfterS = (window.resetMs - nowMs) / 1_000;
		return {
			headers: {
				"x-ratelimit-limit": String(limit),
				"x-ratelimit-remaining": String(Math.max(requestsMax === undefined ? 1 : 0, limit - window.used)),
				"x-ratelimit-reset": (window.resetMs / 1_000).toFixed(3),
				"x-ratelimit-reset-after": resetAfterS.toFixed(3),
				"x-ratelimit-bucket": createHash("sha256").update(route).digest("hex").slice(0, 32),
			},
			retryAfterS: requestsMax !== undefined && window.used > requestsMax ? resetAfterS : undefined,
		};
	};
}
