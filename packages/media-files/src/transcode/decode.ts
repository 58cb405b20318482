import { setImmediate as nextTurn } from "node:timers/promises";
import * as av from "node-av";
import { videoStreamOf, openMedia, audioStreamOf } from "./open-media.ts";
import { UnusableFileError } from "../unusable-file.ts";

/** The stream to decode, and how. */
interface Decoding {
	readonly path: string;
	readonly stream: "video" | "audio";
	/** The libavfilter graph for each frame. */
	readonly filter: string;
	readonly threads: number;
	/** Rejects the file for the first packet that cannot be decoded. */
	readonly isStrict?: boolean;
	/** Stops after this time as if the file ended there. */
	readonly untilS?: number;
}

export interface Decoded {
	/** The actual time from the first frame to the end of the last. The header may declare another one. */
	readonly durationS: number;
}

/**
 * Decodes and filters every frame of one stream. Frees a frame after `use`. Throws `UnusableFileError` for a file without a
 * readable frame. Calls libav synchronously, because this process does nothing else, and yields between packets, so that it
 * notices when the main process is gone.
 */
export async function decodeEach(decoding: Decoding, use: (frame: av.Frame) => void): Promise<Decoded> {
	using demuxer = openMedia(decoding.path);
	const stream = decoding.stream === "video" ? videoStreamOf(demuxer) : audioStreamOf(demuxer);
	if (stream === undefined) throw new UnusableFileError({ kind: "damaged" });
	for (const each of demuxer.streams) {
		if (each.index !== stream.index) each.discard = av.AVDISCARD_ALL;
	}
	const { isStrict = false } = decoding;
	using decoder = openDecoder(stream, decoding.threads, isStrict);
	using filter = av.FilterAPI.create(decoding.filter, { threads: decoding.threads });
	const { untilS = Number.POSITIVE_INFINITY } = decoding;
	/** The start of the first used frame and the end of the last, in seconds; and the last timestamp, in the unit of the frame. */
	const decoded = { fromS: 0, untilS: 0, lastPts: undefined as bigint | undefined };

	const useIfLater = (frame: av.Frame): void => {
		// Encoders require increasing timestamps. Equal ones occur in damaged and very fast videos.
		if (frame.pts !== av.AV_NOPTS_VALUE && (decoded.lastPts === undefined || frame.pts > decoded.lastPts)) {
			const { num, den } = frame.timeBase;
			const atS = (Number(frame.pts) * num) / den;
			if (decoded.lastPts === undefined) decoded.fromS = atS;
			decoded.untilS = Math.max(atS, atS + (Number(frame.duration) * num) / den);
			decoded.lastPts = frame.pts;
			use(frame);
		}
		frame.free();
	};

	for (const packet of demuxer.packetsSync(stream.index)) {
		for (const frame of decodePacket(decoder, packet)) {
			const filtered = filter.processAllSync(frame);
			frame.free();
			for (const each of filtered) useIfLater(each);
		}
		packet?.free();
		if (decoded.untilS - decoded.fromS >= untilS) break;
		await nextTurn();
	}
	if (filter.isFilterInitialized) for (const frame of filter.flushFramesSync()) useIfLater(frame);
	if (decoded.lastPts === undefined) throw new UnusableFileError({ kind: "damaged" });
	return { durationS: decoded.untilS - decoded.fromS };
}

function* decodePacket(decoder: av.Decoder, packet: av.Packet | null): Generator<av.Frame> {
	try {
		yield* packet === null ? decoder.flushFramesSync() : decoder.decodeAllSync(packet);
	} catch (cause) {
		throw new UnusableFileError({ kind: "damaged" }, { cause });
	}
}

function openDecoder(stream: av.Stream, threads: number, isStrict: boolean): av.Decoder {
	try {
		return av.Decoder.createSync(stream, { threadCount: threads, exitOnError: isStrict });
	} catch (cause) {
		throw new UnusableFileError({ kind: "unknownType" }, { cause });
	}
}
