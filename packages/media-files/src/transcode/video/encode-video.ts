import * as av from "node-av";
import { decodeEach, type Decoded } from "../decode.ts";
import { openEncoder } from "../encoder.ts";
import type { WorkerLimits } from "../worker-messages.ts";
import { videoFilter } from "./video-filter.ts";
import type { VideoPlan } from "./plan-video.ts";
import type { VideoFacts } from "./probe-video.ts";

/** x264's preset. `bench/transcode.ts`: "medium" takes half as long again, and the quality differs in the third decimal. */
const PRESET = "fast";
const KEY_FRAME_INTERVAL_S = 4;
/** The peak bit rate over the player's buffer, as a factor of the average. */
const PEAK_FACTOR = 2.5;
const PEAK_BUFFER_S = 2;
/** The statistics of x264's first pass, in the working folder: x264's options cannot escape every path. */
const STATS_FILE = "x264.stats";
/** Frames of x264's lookahead with little memory; otherwise the preset decides. */
const LOOKAHEAD_FRAMES_LOW = 5;

/** One pass by quality; or two passes for a size, the first of which writes only statistics. */
export type EncodingPass =
	| { readonly kind: "quality"; readonly crf: number }
	| { readonly kind: "firstOfTwo" }
	| { readonly kind: "secondOfTwo" };

interface VideoEncoding {
	readonly path: string;
	readonly facts: VideoFacts;
	readonly plan: VideoPlan;
	readonly pass: EncodingPass;
	readonly threads: number;
	readonly memory: WorkerLimits["memory"];
}

/** Decodes, filters and encodes the video track. `take` receives each packet and must not free it. */
export async function encodeVideo(
	{ path, facts, plan, pass, threads, memory }: VideoEncoding,
	take: (packet: av.Packet, encoder: av.CodecContext) => void,
): Promise<Decoded> {
	const x264 = av.Codec.findEncoderByName(av.FF_ENCODER_LIBX264);
	if (x264 === null) throw new Error("this build of libavcodec has no H.264 encoder");
	const framesPerSecond = Math.min(facts.shape.framesPerSecond, plan.framesPerSecondMax);
	using encoder = openEncoder(x264, (context, frame) => {
		context.width = frame.width;
		context.height = frame.height;
		context.pixelFormat = av.AV_PIX_FMT_YUV420P;
		context.sampleAspectRatio = new av.Rational(1, 1);
		context.framerate = new av.Rational(Math.round(framesPerSecond * 1000), 1000);
		context.colorRange = av.AVCOL_RANGE_MPEG;
		context.colorPrimaries = frame.colorPrimaries;
		context.colorTrc = frame.colorTrc;
		context.colorSpace = frame.colorSpace;
		context.gopSize = Math.max(1, Math.round(framesPerSecond * KEY_FRAME_INTERVAL_S));
		context.threadCount = threads;
		setRate(context, pass, plan);
		context.setOption("preset", PRESET);
		if (memory !== "normal") context.setOption("rc-lookahead", String(LOOKAHEAD_FRAMES_LOW));
		context.setOption("profile", "high");
	});
	const takeAndFree = (packet: av.Packet): void => {
		take(packet, encoder.context);
		packet.free();
	};
	const filter = videoFilter(facts, plan);
	const decoded = await decodeEach({ path, stream: "video", filter, threads }, (frame) =>
		encoder.encode(frame, takeAndFree),
	);
	encoder.encode(null, takeAndFree);
	return decoded;
}

function setRate(context: av.CodecContext, pass: EncodingPass, { videoBitsPerSecond }: VideoPlan): void {
	const peakBitsPerSecond = Math.floor(videoBitsPerSecond * PEAK_FACTOR);
	context.rcMaxRate = BigInt(peakBitsPerSecond);
	context.rcBufferSize = peakBitsPerSecond * PEAK_BUFFER_S;
	if (pass.kind === "quality") {
		context.setOption("crf", String(pass.crf));
		return;
	}
	context.bitRate = BigInt(videoBitsPerSecond);
	context.setOption("x264-params", `pass=${pass.kind === "firstOfTwo" ? 1 : 2}:stats=${STATS_FILE}`);
}
