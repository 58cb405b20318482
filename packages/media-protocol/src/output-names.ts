/**
 * What services call the files of a result, as one table. Names of covers, posters, thumbnails and previews are not in it, and
 * so are never read: in a song or a video, an image beside the result is one of these whatever it is called.
 */
import type { MediaType } from "./model.ts";

interface Names {
	/** Lists of files, or objects with files in them. */
	readonly lists: readonly string[];
	/** One file: an address, or an object with the address in it. */
	readonly single: readonly string[];
}

const OF_MEDIUM: Readonly<Record<MediaType, Names>> = {
	image: {
		lists: ["images", "image_urls", "imageUrls", "resultImages"],
		single: ["image_url", "imageUrl", "image", "img", "resultImageUrl"],
	},
	video: {
		lists: ["videos", "video_urls", "videoUrls", "generateVideoResponse", "generatedSamples"],
		single: ["video_url", "videoUrl", "video"],
	},
	music: {
		lists: ["audios", "audio_urls", "audioUrls", "songs", "tracks", "sunoData", "suno_data"],
		single: ["audio_url", "audioUrl", "audio", "audio_file"],
	},
};

const OF_ANY: Names = {
	lists: [
		"outputs",
		"results",
		"resultUrls",
		"result_urls",
		"taskUrls",
		"clips",
		"creations",
		"generations",
		"works",
		"artifacts",
		"output",
		"result",
		"taskResult",
		"urls",
		"files",
		"media",
		"assets",
		"data",
		"file",
	],
	single: [
		"url",
		"resultUrl",
		"result_url",
		"download_url",
		"output_url",
		"outputUrl",
		"media_url",
		"mediaUrl",
		"file_url",
		"fileUrl",
	],
};
/** Only within one file, where a record has other things by these names. */
const IN_ONE_FILE = ["uri", "src", "b64_json", "base64"];

/** The names to look for, in this order. */
export interface OutputNames {
	/** In a record, the stronger first. `isInnerFirst`: in the task's own record they may name what it started from. */
	readonly steps: readonly { readonly names: readonly string[]; readonly isInnerFirst?: boolean }[];
	/** In one file of a list. */
	readonly inOneFile: readonly string[];
	/** A record with one of these has its file there, or has none: everything else in it is a cover. */
	readonly unlessBeside: readonly string[];
}

export function namesFor(mediaType: MediaType): OutputNames {
	const own = OF_MEDIUM[mediaType];
	return {
		steps: [
			{ names: own.lists },
			{ names: OF_ANY.lists },
			{ names: own.single, isInnerFirst: true },
			{ names: OF_ANY.single },
		],
		inOneFile: [...own.lists, ...own.single, ...OF_ANY.single, ...IN_ONE_FILE, "file", "urls"],
		unlessBeside: [],
	};
}

/** Of other media, for services that call what they make otherwise; what it is in truth its content tells. */
export function otherNamesFor(mediaType: MediaType): OutputNames {
	const others = (["video", "music", "image"] as const)
		.filter((each) => each !== mediaType)
		.map((each) => OF_MEDIUM[each]);
	const own = OF_MEDIUM[mediaType];
	const single = others.flatMap((each) => each.single);
	const lists = others.flatMap((each) => each.lists);
	return {
		steps: [{ names: lists }, { names: OF_ANY.lists }, { names: single, isInnerFirst: true }],
		inOneFile: [...lists, ...single, ...OF_ANY.single, ...IN_ONE_FILE, "file", "urls"],
		unlessBeside: [...own.lists, ...own.single],
	};
}
