import { ReplyClientUnavailableError, type ReplyClient } from "./reply-client.ts";

/** The numbers of delivery attempts of this process, by their outcome. */
export interface DeliveryCounts {
	readonly delivered: number;
	readonly undelivered: number;
	/** Attempts that are repeated later, because Discord was unavailable. */
	readonly delayed: number;
	readonly failed: number;
}

/**
 * Wraps a reply client, and counts the outcomes of its deliveries. Rejected files are not an outcome: the result is
 * delivered with smaller files or none, and counted then.
 */
export function withDeliveryCounts(replyClient: ReplyClient): {
	readonly replyClient: ReplyClient;
	readonly deliveryCounts: () => DeliveryCounts;
} {
	const counts = { delivered: 0, undelivered: 0, delayed: 0, failed: 0 };
	return {
		replyClient: {
			...replyClient,
			async deliver(...given) {
				try {
					const attempt = await replyClient.deliver(...given);
					if (attempt.kind !== "filesRejected") counts[attempt.kind]++;
					return attempt;
				} catch (error) {
					counts[error instanceof ReplyClientUnavailableError ? "delayed" : "failed"]++;
					throw error;
				}
			},
		},
		deliveryCounts: () => ({ ...counts }),
	};
}
