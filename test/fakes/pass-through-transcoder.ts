import type { Transcoder } from "@atelier/media-files/transcoder";

/** For files that do not exist on disk: each is an image that fits. */
export const passThroughTranscoder: Transcoder = {
	isQueueFull: () => false,
	transcode: async () => ({
		kind: "unchanged",
		contentType: "image/png",
		extension: "png",
		[Symbol.asyncDispose]: async () => {},
	}),
};
