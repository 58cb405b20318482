import { RUNGS, MessengerUnavailable, type Messenger, type Showing } from "../services/delivery/messenger.ts";
import type { Metrics } from "./metrics.ts";

const RESULTS = [...RUNGS, "kept", "files_refused", "put_off", "failed"] as const;
type Result = (typeof RESULTS)[number];

/** A messenger that tells which way answers took, and whether they were there already. */
export function measureMessenger(messenger: Messenger, metrics: Metrics): Messenger {
	const deliveries = metrics.counter("delivery_total", "Tries to show an answer; dedup: it was there already.", {
		result: RESULTS,
		dedup: ["yes", "no"],
	});
	return {
		startUpload: (...given) => messenger.startUpload(...given),
		async show(...given) {
			try {
				const showing = await messenger.show(...given);
				const wasThere = showing.kind === "shown" && showing.wasThere === true;
				deliveries.add({ result: resultOf(showing), dedup: wasThere ? "yes" : "no" });
				return showing;
			} catch (error) {
				const result = error instanceof MessengerUnavailable ? "put_off" : "failed";
				deliveries.add({ result, dedup: "no" });
				throw error;
			}
		},
		tell: (...given) => messenger.tell(...given),
		report: (...given) => messenger.report(...given),
		bring: (...given) => messenger.bring(...given),
		stands: (...given) => messenger.stands(...given),
	};
}

function resultOf(showing: Showing): Result {
	switch (showing.kind) {
		case "shown":
			return showing.rung;
		case "kept":
			return "kept";
		case "filesRefused":
			return "files_refused";
	}
}
