import {
	DELIVERY_ROUTES,
	ReplyClientUnavailableError,
	type ReplyClient,
	type DeliveryAttempt,
} from "../services/delivery/reply-client.ts";
import type { Metrics } from "./metrics.ts";

const RESULTS = [...DELIVERY_ROUTES, "undelivered", "files_rejected", "unavailable", "failed"] as const;
type Result = (typeof RESULTS)[number];

/** Counts deliveries by route, and whether they were new. */
export function withReplyClientMetrics(replyClient: ReplyClient, metrics: Metrics): ReplyClient {
	const deliveries = metrics.counter(
		"atelier_deliveries_total",
		"Attempts to deliver a reply; dedup: an earlier attempt had delivered it.",
		{
			result: RESULTS,
			dedup: ["yes", "no"],
		},
	);
	return {
		...replyClient,
		async deliver(...given) {
			try {
				const attempt = await replyClient.deliver(...given);
				const wasAlreadyPosted = attempt.kind === "delivered" && attempt.wasAlreadyPosted === true;
				deliveries.add({ result: resultOf(attempt), dedup: wasAlreadyPosted ? "yes" : "no" });
				return attempt;
			} catch (error) {
				const result = error instanceof ReplyClientUnavailableError ? "unavailable" : "failed";
				deliveries.add({ result, dedup: "no" });
				throw error;
			}
		},
	};
}

function resultOf(attempt: DeliveryAttempt): Result {
	switch (attempt.kind) {
		case "delivered":
			return attempt.route;
		case "undelivered":
			return "undelivered";
		case "filesRejected":
			return "files_rejected";
	}
}
