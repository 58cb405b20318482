import { RateLimiterRes } from "rate-limiter-flexible";
import type { CreateRateLimiter } from "./cluster/open-cluster.ts";
import { StudioApiError, CODES } from "./errors.ts";
import type { ApiKey, Scope } from "./api-keys.ts";
import type { StudioLimits } from "./limits.ts";

export type RateLimits = ReturnType<typeof createRateLimits>;

/** The request rate limits of keys. */
export function createRateLimits(
	limits: Pick<StudioLimits, "changesPerWindowMax" | "readsPerWindowMax" | "rateWindowMs">,
	/** The accounts without a rate limit, such as the account of the bot that shares this process. */
	unlimitedAccounts: readonly string[],
	createRateLimiter: CreateRateLimiter,
) {
	const duration = limits.rateWindowMs / 1000;
	const pointsOf = { generate: limits.changesPerWindowMax, read: limits.readsPerWindowMax } as const;
	const limiters = {
		generate: createRateLimiter("generate", { points: pointsOf.generate, duration }),
		read: createRateLimiter("read", { points: pointsOf.read, duration }),
	} as const;

	return {
		/** Counts a request. Resolves to the rate limit headers; rejects with 429 above the limit. */
		async take(
			{ id, account }: Pick<ApiKey, "id" | "account">,
			scope: Scope,
		): Promise<Readonly<Record<string, string>>> {
			if (unlimitedAccounts.includes(account)) return {};
			const headersOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes): Record<string, string> => ({
				"x-ratelimit-limit": String(pointsOf[scope]),
				"x-ratelimit-remaining": String(remainingPoints),
				"x-ratelimit-reset": String(Math.ceil(msBeforeNext / 1000)),
			});
			try {
				return headersOf(await limiters[scope].consume(id));
			} catch (error) {
				if (!(error instanceof RateLimiterRes)) throw error;
				throw new StudioApiError(CODES.tooManyRequests, "too many requests with this key", {
					headers: headersOf(error),
					retryAfterS: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
				});
			}
		},
	};
}
