import * as av from "node-av";

/**
 * An encoder of libavcodec, opened with its first frame, which determines the colors: `configure` sets its parameters. Not
 * node-av's `Encoder`: version 6.1.1 frees memory twice on garbage collection, which ends the process.
 */
export function openEncoder(codec: av.Codec, configure: (context: av.CodecContext, firstFrame: av.Frame) => void) {
	const context = new av.CodecContext();
	context.allocContext3(codec);
	// The parameters are in the file's header, not in each packet.
	context.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER);
	const packet = new av.Packet();
	packet.alloc();

	return {
		/** The codec parameters for the file; available after the first frame. */
		context,
		/** `null` flushes the stream. `take` owns the packets that it receives and frees them. */
		encode(frame: av.Frame | null, take: (packet: av.Packet) => void): void {
			if (frame !== null && !context.isOpen) {
				context.timeBase = new av.Rational(frame.timeBase.num, frame.timeBase.den);
				configure(context, frame);
				av.FFmpegError.throwIfError(context.open2Sync(codec), "open an encoder");
			}
			// Clears the type (I, P or B) that the source gave the frame: the encoder chooses its own.
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
		[Symbol.dispose](): void {
			context.freeContext();
			packet.free();
		},
	};
}
