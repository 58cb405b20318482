import assert from "node:assert/strict";
import * as av from "node-av";

/** The source of a track's packets: an encoder, or a stream of another file whose packets are copied. */
type TrackSource = av.CodecContext | av.Stream;

/** An encoded track with all its packets. */
interface EncodedTrack {
	readonly encoder: av.CodecContext;
	readonly packets: readonly av.Packet[];
}

interface Track {
	readonly stream: av.Stream;
	readonly timeBase: av.Rational;
}

/** Opens an MP4 with its index at the start, so that players can begin early. Add tracks before the first packet. */
export function openMp4File(path: string) {
	const context = new av.FormatContext();
	av.FFmpegError.throwIfError(context.allocOutputContext2(null, "mp4", path), "begin an MP4");
	context.setOption("movflags", "+faststart");
	const io = new av.IOContext();
	av.FFmpegError.throwIfError(io.open2Sync(path, av.AVIO_FLAG_WRITE), "open the file of an MP4");
	context.pb = io;
	const tracks: Track[] = [];
	let hasHeader = false;

	/** Returns the index of the track. */
	function addTrack(source: TrackSource): number {
		assert(!hasHeader, "a track was added after the first packet");
		const stream = context.newStream(null);
		const timeBase = copyParameters(source, stream);
		stream.timeBase = timeBase;
		tracks.push({ stream, timeBase });
		return tracks.length - 1;
	}

	/** Writes a packet without copying its data. The caller still frees its packet. */
	function write(packet: av.Packet, trackIndex: number): void {
		const track = tracks[trackIndex];
		if (track === undefined) throw new TypeError("no such track");
		if (!hasHeader) av.FFmpegError.throwIfError(context.writeHeaderSync(), "write the header of an MP4");
		hasHeader = true;
		const ownPacket = packet.clone();
		if (ownPacket === null) throw new Error("no memory for a packet");
		ownPacket.streamIndex = trackIndex;
		// The muxer chooses its time base when it writes the header.
		ownPacket.rescaleTs(track.timeBase, track.stream.timeBase);
		ownPacket.timeBase = track.stream.timeBase;
		av.FFmpegError.throwIfError(context.interleavedWriteFrameSync(ownPacket), "write a packet");
		ownPacket.free();
	}

	return {
		addTrack,
		write,
		/** Adds the last track with its packets. The muxer interleaves them with those of the other tracks. */
		addEncodedTrack({ encoder, packets }: EncodedTrack): void {
			const trackIndex = addTrack(encoder);
			// Holds packets back until every other track has a packet of their time. By default, ten seconds are held back.
			context.maxInterleaveDelta = 0n;
			for (const packet of packets) write(packet, trackIndex);
		},
		/** Completes the file. Disposal alone leaves it incomplete. */
		finish(): void {
			av.FFmpegError.throwIfError(context.writeTrailerSync(), "finish an MP4");
		},
		[Symbol.dispose](): void {
			// In another order, the context would access the closed file.
			context.pb = null;
			io.closepSync();
			context.freeContext();
		},
	};
}

/** Copies the codec parameters of a source to a new stream, and returns the time base of the source. */
function copyParameters(source: TrackSource, stream: av.Stream): av.Rational {
	if (source instanceof av.CodecContext) {
		av.FFmpegError.throwIfError(stream.codecpar.fromContext(source), "describe a track");
		stream.sampleAspectRatio = source.sampleAspectRatio;
		if (source.codecType === av.AVMEDIA_TYPE_VIDEO) stream.avgFrameRate = source.framerate;
		return source.timeBase;
	}
	av.FFmpegError.throwIfError(source.codecpar.copy(stream.codecpar), "describe a track");
	// The same codec has different tags in different containers.
	stream.codecpar.codecTag = 0;
	for (const { type, data } of source.codecpar.getAllCodedSideData()) stream.codecpar.addCodedSideData(type, data);
	stream.avgFrameRate = source.avgFrameRate;
	stream.sampleAspectRatio = source.sampleAspectRatio;
	return source.timeBase;
}
