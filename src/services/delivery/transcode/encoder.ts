import * as av from "node-av";

/**
 * One of libavcodec's encoders, opened with its first frame, which says the colours. Not node-av's `Encoder`: in 6.1.1
 * something of it is freed twice when it is collected, and that ends the process.
 */
export interface FrameEncoder extends Disposable {
	/** What a file is told about its packets by; there is none before the first frame. */
	readonly context: av.CodecContext;
	/** `null` ends the stream. What `take` is given is its own, to free. */
	encode(frame: av.Frame | null, take: (packet: av.Packet) => void): void;
}

export function openEncoder(
	codec: av.Codec,
	configure: (context: av.CodecContext, firstFrame: av.Frame) => void,
): FrameEncoder {
	const context = new av.CodecContext();
	context.allocContext3(codec);
	// The file's head tells the decoder about it, not each packet.
	context.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER);
	const packet = new av.Packet();
	packet.alloc();

	return {
		context,
		encode(frame, take) {
			if (frame !== null && !context.isOpen) {
				context.timeBase = new av.Rational(frame.timeBase.num, frame.timeBase.den);
				configure(context, frame);
				av.FFmpegError.throwIfError(context.open2Sync(codec), "open an encoder");
			}
			// The kinds that the source's pictures had are not to be kept.
			if (frame !== null) frame.pictType = av.AV_PICTURE_TYPE_NONE;
			av.FFmpegError.throwIfError(context.sendFrameSync(frame), "send a frame");
			for (;;) {
				const status = context.receivePacketSync(packet);
				if (status === av.AVERROR_EAGAIN || status === av.AVERROR_EOF) return;
				av.FFmpegError.throwIfError(status, "receive a packet");
				packet.timeBase = context.timeBase;
				const own = packet.clone();
				if (own === null) throw new Error("no memory for a packet");
				take(own);
			}
		},
		[Symbol.dispose]() {
			context.freeContext();
			packet.free();
		},
	};
}
