/**
 * The field names of output files. Names of covers, posters, thumbnails and previews are missing, so they never count as
 * outputs. An image beside music or a video is one of these.
 */
import type { MediaType } from "./model.ts";

interface Names {
	/** Lists of files, or objects with files. */
	readonly lists: readonly string[];
	/** A single file: a URL, or an object with one. */
	readonly single: readonly string[];
}

const NAMES_BY_MEDIA_TYPE: Readonly<Record<MediaType, Names>> = {
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

/** Lists under these names contain results. Other generic names may also name the inputs, or the task itself. */
const RESULT_LISTS = [
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
];
const GENERIC_NAMES: Names = {
	lists: [...RESULT_LISTS, "urls", "files", "media", "assets", "data", "file"],
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
/** Only in the object of one file: outer objects use these names for other things. */
const NAMES_IN_FILE_OBJECT = ["uri", "src", "b64_json", "base64"];

interface NameGroup {
	readonly names: readonly string[];
	/** In the outermost object they may name the input. */
	readonly isInnerFirst?: boolean;
	/** Only lists count. */
	readonly isListOnly?: boolean;
}

export interface OutputNames {
	/** Groups of names in an object, best first. */
	readonly groups: readonly NameGroup[];
	/** Names in the object of one file. */
	readonly inFileObject: readonly string[];
	/** An object with one of these fields is skipped: its other files are covers. */
	readonly skipObjectsWith: readonly string[];
}

export function namesFor(mediaType: MediaType): OutputNames {
	const own = NAMES_BY_MEDIA_TYPE[mediaType];
	return {
		groups: [
			{ names: own.lists },
			{ names: GENERIC_NAMES.lists },
			{ names: own.single, isInnerFirst: true },
			{ names: GENERIC_NAMES.single },
		],
		inFileObject: [...own.lists, ...own.single, ...GENERIC_NAMES.single, ...NAMES_IN_FILE_OBJECT, "file", "urls"],
		skipObjectsWith: [],
	};
}

/** Returns the names under which a URL is certainly a result, whatever the state of the task. */
export function certainNamesFor(mediaType: MediaType): OutputNames {
	const own = NAMES_BY_MEDIA_TYPE[mediaType];
	return {
		...namesFor(mediaType),
		groups: [
			{ names: own.lists },
			{ names: RESULT_LISTS, isListOnly: true },
			{ names: own.single, isInnerFirst: true },
		],
	};
}

/** Returns the names of other media types, which some services use. The bot detects the type by the content later. */
export function otherNamesFor(mediaType: MediaType): OutputNames {
	const others = (["video", "music", "image"] as const)
		.filter((each) => each !== mediaType)
		.map((each) => NAMES_BY_MEDIA_TYPE[each]);
	const own = NAMES_BY_MEDIA_TYPE[mediaType];
	const single = others.flatMap((each) => each.single);
	const lists = others.flatMap((each) => each.lists);
	return {
		groups: [{ names: lists }, { names: GENERIC_NAMES.lists }, { names: single, isInnerFirst: true }],
		inFileObject: [...lists, ...single, ...GENERIC_NAMES.single, ...NAMES_IN_FILE_OBJECT, "file", "urls"],
		skipObjectsWith: [...own.lists, ...own.single],
	};
}
