import { DELIVERY_ROUTES } from "../services/delivery/delivery-routes.ts";
import {
	ReplyClientUnavailableError,
	type ReplyClient,
	type DeliveryResult,
} from "../services/delivery/reply-client.ts";
import type { Metrics } from "./metrics.ts";

const RESULTS = [...DELIVERY_ROUTES, "undelivered", "files_rejected", "unavailable", "failed"] as const;
type Result = (typeof RESULTS)[number];

/** Counts deliveries by route, and whether they were new. `deliveryCounts`: those of this process, by outcome. */
export function withReplyClientMetrics(replyClient: ReplyClient, metrics: Metrics) {
	// Rejected files are no outcome: the result is delivered with smaller files or none, and counted then. `delayed` is repeated later.
	const counts = { delivered: 0, undelivered: 0, delayed: 0, failed: 0 };
	const deliveries = metrics.counter(
		"atelier_deliveries_total",
		"Attempts to deliver a reply; dedup: an earlier attempt had delivered it.",
		{
			result: RESULTS,
			dedup: ["yes", "no"],
		},
	);
	const measuredClient: ReplyClient = {
		...replyClient,
		async deliver(...given) {
			try {
				const delivery = await replyClient.deliver(...given);
				const wasAlreadyPosted = delivery.kind === "delivered" && delivery.wasAlreadyPosted === true;
				deliveries.add({ result: resultOf(delivery), dedup: wasAlreadyPosted ? "yes" : "no" });
				if (delivery.kind !== "filesRejected") counts[delivery.kind]++;
				return delivery;
			} catch (error) {
				const isUnavailable = error instanceof ReplyClientUnavailableError;
				deliveries.add({ result: isUnavailable ? "unavailable" : "failed", dedup: "no" });
				counts[isUnavailable ? "delayed" : "failed"]++;
				throw error;
			}
		},
	};
	return { replyClient: measuredClient, deliveryCounts: () => ({ ...counts }) };
}

function resultOf(delivery: DeliveryResult): Result {
	switch (delivery.kind) {
		case "delivered":
			return delivery.route;
		case "undelivered":
			return "undelivered";
		case "filesRejected":
			return "files_rejected";
	}
}
