import type { VideoFacts } from "./probe-video.ts";

interface OutputVideo {
	readonly width: number;
	readonly height: number;
	readonly framesPerSecondMax: number;
}

/** Builds the libavfilter graph: upright, square pixels, planned size, eight bits, standard colors. */
export function videoFilter(facts: VideoFacts, { width, height, framesPerSecondMax }: OutputVideo): string {
	const hasTooManyFrames = facts.shape.framesPerSecond > framesPerSecondMax + 0.5;
	// Scale before rotating, which is cheaper.
	const unrotated = facts.rotationDegrees % 180 === 0 ? { width, height } : { width: height, height: width };
	return [
		`setpts=PTS-(${facts.startS})/TB`,
		...(hasTooManyFrames ? [`fps=${framesPerSecondMax}`] : []),
		`scale=${unrotated.width}:${unrotated.height}:flags=lanczos`,
		...rotationFilter(facts.rotationDegrees),
		...colorFilter(facts),
		"format=yuv420p",
		"setsar=1",
		// One time base for all videos; keeps variable frame rates.
		"settb=1/90000",
	].join(",");
}

function colorFilter({ colors }: VideoFacts): string[] {
	// The plain conversion would make such videos gray.
	if (colors.highDynamicRange)
		return ["tonemapx=tonemap=bt2390:transfer=bt709:matrix=bt709:primaries=bt709:range=tv:format=yuv420p"];
	if (colors.wideGamut) return ["zscale=primaries=bt709:transfer=bt709:matrix=bt709:range=limited"];
	if (colors.isRgb)
		return ["scale=out_range=tv:out_color_matrix=bt709", "setparams=color_primaries=bt709:color_trc=bt709"];
	// Players guess the matrix of untagged videos, so the tag stays empty.
	return ["scale=out_range=tv"];
}

function rotationFilter(degrees: VideoFacts["rotationDegrees"]): string[] {
	switch (degrees) {
		case 0:
			return [];
		case 90:
			return ["transpose=clock"];
		case 180:
			return ["hflip", "vflip"];
		case 270:
			return ["transpose=cclock"];
	}
}
