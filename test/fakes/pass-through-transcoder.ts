import type { Transcoder } from "../../src/services/delivery/transcode/transcoder.ts";

/** For files that do not exist on disk: each is an image that fits. */
export const passingFitter: Transcoder = {
	fit: async () => ({
		kind: "asItIs",
		contentType: "image/png",
		ending: "png",
		[Symbol.asyncDispose]: async () => {},
	}),
};
