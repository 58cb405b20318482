/**
 * The field names of result files. Names of covers, posters, thumbnails and previews are missing, so these are never
 * read: beside music or a video, any image is one of them.
 */
import type { MediaType } from "./model.ts";

interface Names {
	/** Lists of files, or objects with files. */
	readonly lists: readonly string[];
	/** A single file: a URL, or an object with one. */
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
/** Only inside of one file: an outer object may use these names for other things. */
const IN_ONE_FILE = ["uri", "src", "b64_json", "base64"];

/** The names to search, in this order. */
export interface OutputNames {
	/** Groups of names in an object, best first. `isInnerFirst`: in the task's own object they may name the input. */
	readonly steps: readonly { readonly names: readonly string[]; readonly isInnerFirst?: boolean }[];
	/** Names inside of one file of a list. */
	readonly inOneFile: readonly string[];
	/** If an object has one of these fields, the file is there or missing; all other files in it are covers. */
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

/** Returns the names of other media types, for services that use other names. The content decides the type later. */
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
