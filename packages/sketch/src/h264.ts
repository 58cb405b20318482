import { EncodedPacket, EncodedVideoPacketSource } from "mediabunny";
import * as av from "node-av";

export interface VideoFormat {
	readonly width: number;
	readonly height: number;
	readonly framesPerSecond: number;
}

/**
 * The quality that x264 aims for (CRF, lower is better) and how hard it works. Mediabunny's own encoder runs at the preset
 * "medium", which takes three times as long for the same look, and does not tag its color space; hence libavcodec directly.
 */
const QUALITY_CRF = "21";
const PRESET = "veryfast";
const KEY_FRAME_INTERVAL_S = 2;
/** x264's own threads encode while the next frame is painted. */
const THREADS = 2;

/**
 * Encodes planar YUV frames into packets of a track. It calls libavcodec synchronously: a worker thread
 * that ends during an asynchronous call ends the whole process.
 */
export interface H264Encoder {
	readonly track: EncodedVideoPacketSource;
	add(i420: Buffer, frameIndex: number): Promise<void>;
	finish(): Promise<void>;
	/** Frees memory outside of the JavaScript heap. Call it after success and failure. */
	close(): void;
}

export function openH264Encoder({ width, height, framesPerSecond }: VideoFormat): H264Encoder {
	const x264 = av.Codec.findEncoderByName(av.FF_ENCODER_LIBX264);
	if (x264 === null) throw new Error("this build of libavcodec has no H.264 encoder");
	const highDefinition = Math.min(width, height) >= 720;
	const context = new av.CodecContext();
	context.allocContext3(x264);
	context.width = width;
	context.height = height;
	context.pixelFormat = av.AV_PIX_FMT_YUV420P;
	context.timeBase = new av.Rational(1, framesPerSecond);
	context.framerate = new av.Rational(framesPerSecond, 1);
	context.gopSize = framesPerSecond * KEY_FRAME_INTERVAL_S;
	context.threadCount = THREADS;
	context.colorRange = av.AVCOL_RANGE_MPEG;
	context.colorPrimaries = av.AVCOL_PRI_BT709;
	context.colorTrc = av.AVCOL_TRC_BT709;
	context.colorSpace = highDefinition ? av.AVCOL_SPC_BT709 : av.AVCOL_SPC_SMPTE170M;
	context.setOption("preset", PRESET);
	context.setOption("crf", QUALITY_CRF);
	context.setOption("profile", "high");
	av.FFmpegError.throwIfError(context.open2Sync(), "open the H.264 encoder");

	const frame = new av.Frame();
	frame.alloc();
	const packet = new av.Packet();
	packet.alloc();
	const track = new EncodedVideoPacketSource("avc");
	const colorSpace: VideoColorSpaceInit = {
		primaries: "bt709",
		transfer: "bt709",
		matrix: highDefinition ? "bt709" : "smpte170m",
		fullRange: false,
	};

	async function drain(): Promise<void> {
		for (;;) {
			const status = context.receivePacketSync(packet);
			if (status === av.AVERROR_EAGAIN || status === av.AVERROR_EOF) return;
			av.FFmpegError.throwIfError(status, "receive a packet");
			const { data } = packet;
			if (data === null) continue;
			const bytes = new Uint8Array(data);
			const encoded = new EncodedPacket(
				bytes,
				packet.isKeyframe ? "key" : "delta",
				Number(packet.pts) / framesPerSecond,
				1 / framesPerSecond,
			);
			const codec = codecStringOf(bytes);
			const decoderConfig = codec && { codec, codedWidth: width, codedHeight: height, colorSpace };
			await track.add(encoded, decoderConfig ? { decoderConfig } : undefined);
		}
	}

	return {
		track,
		async add(i420, frameIndex) {
			frame.unref();
			frame.format = av.AV_PIX_FMT_YUV420P;
			frame.width = width;
			frame.height = height;
			frame.colorRange = av.AVCOL_RANGE_MPEG;
			frame.fromBuffer(i420);
			frame.pts = BigInt(frameIndex);
			frame.timeBase = new av.Rational(1, framesPerSecond);
			av.FFmpegError.throwIfError(context.sendFrameSync(frame), "send a frame");
			await drain();
		},
		async finish() {
			av.FFmpegError.throwIfError(context.sendFrameSync(null), "flush the encoder");
			await drain();
		},
		close() {
			context.freeContext();
			frame.free();
			packet.free();
		},
	};
}

/** RFC 6381 name of the stream (profile and level), read from the parameter set that precedes every key frame. */
function codecStringOf(annexB: Uint8Array): string | undefined {
	const SEQUENCE_PARAMETERS = 7;
	for (let index = 0; index + 6 < annexB.length; index++) {
		if (annexB[index] !== 0 || annexB[index + 1] !== 0 || annexB[index + 2] !== 1) continue;
		const unitType = (annexB[index + 3] ?? 0) & 31;
		if (unitType === SEQUENCE_PARAMETERS)
			return `avc1.${Buffer.from(annexB.subarray(index + 4, index + 7)).toString("hex")}`;
	}
	return undefined;
}
