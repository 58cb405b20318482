import type { MessageRef } from "../../../i18n/message-ref.ts";

/** The changes that made a file fit or play. Changes that cannot be seen or heard are not named. */
export type Change =
	| { readonly kind: "compressed" }
	| { readonly kind: "smaller"; readonly width: number; readonly height: number }
	| { readonly kind: "fewerFrames"; readonly framesPerSecond: number }
	| { readonly kind: "still" }
	/** High dynamic range was converted: `faithful` if the brightness was mapped, not clipped. */
	| { readonly kind: "standardColors"; readonly faithful: boolean }
	| { readonly kind: "frame" }
	| { readonly kind: "beginning"; readonly seconds: number };

export function formatChange(change: Change): MessageRef {
	switch (change.kind) {
		case "compressed":
			return { key: "change.compressed" };
		case "smaller":
			return { key: "change.smaller", params: { width: change.width, height: change.height } };
		case "fewerFrames":
			return { key: "change.fewerFrames", params: { framesPerSecond: change.framesPerSecond } };
		case "still":
			return { key: "change.still" };
		case "standardColors":
			return { key: change.faithful ? "change.standardColors" : "change.palerColors" };
		case "frame":
			return { key: "change.frame" };
		case "beginning":
			return { key: "change.beginning", params: { seconds: change.seconds } };
	}
}
