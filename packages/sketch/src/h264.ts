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
 * Encodes RGBA frames into packets of a track. It calls libavcodec synchronously: a worker thread
 * that ends during an asynchronous call ends the whole process.
 */
export function openH264Encoder({ width, height, framesPerSecond }: VideoFormat) {
	const x264 = av.Codec.findEncoderByName(av.FF_ENCODER_LIBX264);
	if (x264 === null) throw new Error("this build of libavcodec has no H.264 encoder");
	const timeBase = new av.Rational(1, framesPerSecond);
	// Players assume the color matrix of high definition from 720 lines up: with another one, reds would come out as orange.
	const isHighDefinition = Math.min(width, height) >= 720;
	const context = new av.CodecContext();
	context.allocContext3(x264);
	context.width = width;
	context.height = height;
	context.pixelFormat = av.AV_PIX_FMT_YUV420P;
	context.timeBase = timeBase;
	context.framerate = new av.Rational(framesPerSecond, 1);
	context.gopSize = framesPerSecond * KEY_FRAME_INTERVAL_S;
	context.threadCount = THREADS;
	context.colorRange = av.AVCOL_RANGE_MPEG;
	context.colorPrimaries = av.AVCOL_PRI_BT709;
	context.colorTrc = av.AVCOL_TRC_BT709;
	context.colorSpace = isHighDefinition ? av.AVCOL_SPC_BT709 : av.AVCOL_SPC_SMPTE170M;
	context.setOption("preset", PRESET);
	context.setOption("crf", QUALITY_CRF);
	context.setOption("profile", "high");
	av.FFmpegError.throwIfError(context.open2Sync(), "open the H.264 encoder");

	const matrix = isHighDefinition ? "bt709" : "smpte170m";
	const toYuv = av.FilterAPI.create(`scale=out_color_matrix=${matrix}:out_range=limited,format=yuv420p`, {
		threads: 1,
	});
	const packet = new av.Packet();
	packet.alloc();
	const track = new EncodedVideoPacketSource("avc");
	const decoderConfig: VideoDecoderConfig = {
		// The profile; the muxer reads the actual level from the stream.
		codec: "avc1.640028",
		codedWidth: width,
		codedHeight: height,
		colorSpace: { primaries: "bt709", transfer: "bt709", matrix, fullRange: false },
	};

	async function drain(): Promise<void> {
		for (;;) {
			const status = context.receivePacketSync(packet);
			if (status === av.AVERROR_EAGAIN || status === av.AVERROR_EOF) return;
			av.FFmpegError.throwIfError(status, "receive a packet");
			const { data } = packet;
			if (data === null) continue;
			const type = packet.isKeyframe ? "key" : "delta";
			const startSeconds = Number(packet.pts) / framesPerSecond;
			await track.add(new EncodedPacket(new Uint8Array(data), type, startSeconds, 1 / framesPerSecond), {
				decoderConfig,
			});
		}
	}

	return {
		track,
		async add(rgba: Buffer, frameIndex: number): Promise<void> {
			const properties = { width, height, format: av.AV_PIX_FMT_RGBA, timeBase, pts: BigInt(frameIndex) };
			using frame = av.Frame.fromVideoBuffer(rgba, properties);
			for (const converted of toYuv.processAllSync(frame)) {
				av.FFmpegError.throwIfError(context.sendFrameSync(converted), "send a frame");
				converted.free();
			}
			await drain();
		},
		async finish(): Promise<void> {
			av.FFmpegError.throwIfError(context.sendFrameSync(null), "flush the encoder");
			await drain();
		},
		/** Frees memory outside of the JavaScript heap. Call it after success and failure. */
		close(): void {
			toYuv.close();
			context.freeContext();
			packet.free();
		},
	};
}
