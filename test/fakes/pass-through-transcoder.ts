import type { Transcoder } from "../../src/services/delivery/transcode/transcoder.ts";

/** For files that are on no disk: every one is a picture that fits. */
export const passingFitter: Transcoder = {
	fit: async () => ({
		kind: "asItIs",
		contentType: "image/png",
		ending: "png",
		[Symbol.asyncDispose]: async () => {},
	}),
};
