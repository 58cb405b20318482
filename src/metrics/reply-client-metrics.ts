import {
	DELIVERY_ROUTES,
	ReplyClientUnavailableError,
	type ReplyClient,
	type DeliveryAttempt,
} from "../services/delivery/reply-client.ts";
import type { Metrics } from "./metrics.ts";

const RESULTS = [...DELIVERY_ROUTES, "undelivered", "files_refused", "put_off", "failed"] as const;
type Result = (typeof RESULTS)[number];

/** Counts deliveries by route, and whether they were new. */
export function withReplyClientMetrics(replyClient: ReplyClient, metrics: Metrics): ReplyClient {
	const deliveries = metrics.counter(
		"atelier_deliveries_total",
		"Attempts to deliver a reply; dedup: it was delivered already.",
		{
			result: RESULTS,
			dedup: ["yes", "no"],
		},
	);
	return {
		...replyClient,
		async deliver(...given) {
			try {
				const showing = await replyClient.deliver(...given);
				const wasAlreadyPosted = showing.kind === "delivered" && showing.wasAlreadyPosted === true;
				deliveries.add({ result: resultOf(showing), dedup: wasAlreadyPosted ? "yes" : "no" });
				return showing;
			} catch (error) {
				const result = error instanceof ReplyClientUnavailableError ? "put_off" : "failed";
				deliveries.add({ result, dedup: "no" });
				throw error;
			}
		},
	};
}

function resultOf(showing: DeliveryAttempt): Result {
	switch (showing.kind) {
		case "delivered":
			return showing.route;
		case "undelivered":
			return "undelivered";
		case "filesRejected":
			return "files_refused";
	}
}
