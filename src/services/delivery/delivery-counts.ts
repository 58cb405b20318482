import { ReplyClientUnavailableError, type ReplyClient } from "./reply-client.ts";

/** The outcomes of deliveries of this process. `delayed` ones are tried again. */
export interface DeliveryCounts {
	readonly delivered: number;
	readonly undelivered: number;
	readonly delayed: number;
	readonly failed: number;
}

/** Counts the outcomes of a reply client. Files that Discord rejects are delivered in another form, and counted then. */
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
