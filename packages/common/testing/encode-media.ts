/** Creates videos and audio files of every kind with the available encoders, for tests and `bench/transcode.ts`. */
import { spawnSync } from "node:child_process";
import { argv, execPath } from "node:process";
import { fileURLToPath } from "node:url";
import * as av from "node-av";

interface TrackRecipe {
	/** A libavfilter source, such as `testsrc2=s=320x240:r=30:d=2`. */
	readonly source: string;
	/** A filter for each frame before it is encoded. */
	readonly filter: string;
	readonly encoder: string;
	readonly bitsPerSecond?: number;
	readonly options?: Readonly<Record<string, string>>;
	/** Clockwise, as a phone in portrait orientation records it. */
	readonly turnDegrees?: 90;
}

interface MediaRecipe {
	readonly format:
		| "mp4"
		| "mov"
		| "matroska"
		| "webm"
		| "avi"
		| "wav"
		| "flac"
		| "mp3"
		| "ogg"
		| "image2"
		| "apng"
		| "mpegts";
	readonly video?: TrackRecipe;
	readonly audio?: TrackRecipe;
	readonly muxer?: Readonly<Record<string, string>>;
}

interface EncodedTrack {
	readonly packets: readonly av.Packet[];
	readonly context: av.CodecContext;
	readonly recipe: TrackRecipe;
}

/**
 * This encoder switches its calling thread to real-time priority if it may, and later threads inherit that: two busy
 * ones would starve the machine. So it runs in a process of its own.
 */
const REAL_TIME_ENCODER = "libsvtav1";

export function encodeMedia(path: string, recipe: MediaRecipe): void {
	if (recipe.video?.encoder !== REAL_TIME_ENCODER) return mux(path, recipe);
	const { status, stderr } = spawnSync(execPath, [fileURLToPath(import.meta.url), path, JSON.stringify(recipe)]);
	if (status !== 0) throw new Error(`cannot create ${path}: ${String(stderr)}`);
}

function mux(path: string, { format, video, audio, muxer = {} }: MediaRecipe): void {
	av.Log.setLevel(av.AV_LOG_ERROR);
	const tracks = [video, audio].filter((recipe) => recipe !== undefined).map(encode);
	const file = new av.FormatContext();
	av.FFmpegError.throwIfError(file.allocOutputContext2(null, format, path), `create a ${format} file`);
	for (const [key, value] of Object.entries(muxer)) file.setOption(key, value);
	const io = new av.IOContext();
	av.FFmpegError.throwIfError(io.open2Sync(path, av.AVIO_FLAG_WRITE), "open the file");
	file.pb = io;
	const streams = tracks.map(({ context, recipe }) => {
		const stream = file.newStream(null);
		av.FFmpegError.throwIfError(stream.codecpar.fromContext(context), "describe a track");
		stream.timeBase = context.timeBase;
		stream.avgFrameRate = context.framerate;
		if (recipe.turnDegrees !== undefined) stream.codecpar.addCodedSideData(av.AV_PKT_DATA_DISPLAYMATRIX, QUARTER_TURN);
		return stream;
	});
	av.FFmpegError.throwIfError(file.writeHeaderSync(), "write the header");
	const all = tracks.flatMap(({ packets, context }, index) => packets.map((packet) => ({ packet, context, index })));
	for (const { packet, context, index } of all.toSorted((a, b) => startSecondsOf(a) - startSecondsOf(b))) {
		const stream = streams[index];
		if (stream === undefined) continue;
		packet.streamIndex = index;
		packet.rescaleTs(context.timeBase, stream.timeBase);
		av.FFmpegError.throwIfError(file.interleavedWriteFrameSync(packet), "write a packet");
		packet.free();
	}
	av.FFmpegError.throwIfError(file.writeTrailerSync(), "write the trailer");
	file.pb = null;
	io.closepSync();
	file.freeContext();
	for (const { context } of tracks) context.freeContext();
}

function startSecondsOf({ packet, context }: { packet: av.Packet; context: av.CodecContext }): number {
	return (Number(packet.dts) * context.timeBase.num) / context.timeBase.den;
}

/** Samples per frame of each encoder. */
const FRAME_SAMPLES: Readonly<Record<string, number>> = {
	flac: 4608,
	libmp3lame: 1152,
	libopus: 960,
	libvorbis: 64,
	adpcm_ima_wav: 1017,
};

/** 16.16 fixed point except for the last column: a clockwise quarter turn. */
const QUARTER_TURN = ((): Buffer => {
	const matrix = Buffer.alloc(36);
	for (const [index, value] of [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30].entries())
		matrix.writeInt32LE(value, index * 4);
	return matrix;
})();

function encode(recipe: TrackRecipe): EncodedTrack {
	const codec = av.Codec.findEncoderByName(recipe.encoder as av.FFEncoderCodec);
	if (codec === null) throw new Error(`this build of libavcodec has no ${recipe.encoder}`);
	using source = av.Demuxer.openSync(recipe.source, { format: "lavfi" });
	const [stream] = source.streams;
	if (stream === undefined) throw new Error("the source has no stream");
	using decoder = av.Decoder.createSync(stream);
	const isAudio = stream.codecpar.codecType === av.AVMEDIA_TYPE_AUDIO;
	using filter = av.FilterAPI.create(
		isAudio ? `${recipe.filter},asetnsamples=n=${FRAME_SAMPLES[recipe.encoder] ?? 1024}:p=0` : recipe.filter,
	);
	const context = new av.CodecContext();
	context.allocContext3(codec);
	context.setFlags(av.AV_CODEC_FLAG_GLOBAL_HEADER);
	const packet = new av.Packet();
	packet.alloc();
	const packets: av.Packet[] = [];
	const send = (frame: av.Frame | null): void => {
		if (frame && !context.isOpen) {
			open(context, codec, frame, recipe);
		}
		av.FFmpegError.throwIfError(context.sendFrameSync(frame), "send a frame");
		while (context.receivePacketSync(packet) === 0) {
			const copy = packet.clone();
			if (copy) packets.push(copy);
		}
	};
	for (const read of source.packetsSync()) {
		const frames = read === null ? [...decoder.flushFramesSync()] : decoder.decodeAllSync(read);
		read?.free();
		for (const frame of frames) {
			for (const filtered of filter.processAllSync(frame)) {
				filtered.pictType = av.AV_PICTURE_TYPE_NONE;
				send(filtered);
				filtered.free();
			}
			frame.free();
		}
	}
	for (const filtered of filter.flushFramesSync()) {
		send(filtered);
		filtered.free();
	}
	send(null);
	packet.free();
	return { packets, context, recipe };
}

function open(context: av.CodecContext, codec: av.Codec, frame: av.Frame, recipe: TrackRecipe): void {
	context.timeBase = new av.Rational(frame.timeBase.num, frame.timeBase.den);
	if (frame.width > 0) {
		context.width = frame.width;
		context.height = frame.height;
		context.pixelFormat = frame.format as av.AVPixelFormat;
		context.framerate = new av.Rational(30, 1);
		context.sampleAspectRatio = frame.sampleAspectRatio;
		context.colorRange = frame.colorRange;
		context.colorPrimaries = frame.colorPrimaries;
		context.colorTrc = frame.colorTrc;
		context.colorSpace = frame.colorSpace;
	} else {
		context.sampleRate = frame.sampleRate;
		context.channelLayout = frame.channelLayout;
		context.sampleFormat = frame.format as av.AVSampleFormat;
	}
	if (recipe.bitsPerSecond !== undefined) context.bitRate = BigInt(recipe.bitsPerSecond);
	for (const [key, value] of Object.entries(recipe.options ?? {})) context.setOption(key, value);
	av.FFmpegError.throwIfError(context.open2Sync(codec), `open ${recipe.encoder}`);
}

if (import.meta.main) {
	const [path = "", recipe = ""] = argv.slice(2);
	mux(path, JSON.parse(recipe) as MediaRecipe);
}
