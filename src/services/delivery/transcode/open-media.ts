import * as av from "node-av";
import { UnsupportedMediaError } from "./transcode-job.ts";

/**
 * What may be opened: files alone, and containers alone. A playlist, or a film whose parts lie elsewhere, would have the
 * demuxer open what its author wishes.
 */
const PROTOCOLS = "file";
const FORMATS = [
	"mov,mp4,m4a,3gp,3g2,mj2",
	"matroska,webm",
	"avi,flv,mpegts,mpeg,asf,gif,apng,webp_anim",
	"mp3,wav,w64,flac,ogg,aac,aiff,caf,ac3,eac3,amr,ape,wv,tta",
	"png_pipe,bmp_pipe,tiff_pipe,jpegxl_pipe,jpeg_pipe,webp_pipe,j2k_pipe,psd_pipe,qoi_pipe",
].join(",");

export function openMedia(path: string): av.Demuxer {
	try {
		return av.Demuxer.openSync(path, { options: { protocol_whitelist: PROTOCOLS, format_whitelist: FORMATS } });
	} catch (cause) {
		throw new UnsupportedMediaError({ kind: "damaged" }, { cause });
	}
}

/** The film itself: a picture on a record's sleeve is a stream of pictures, too, but not what anybody wants to see moving. */
export function videoStreamOf(demuxer: av.Demuxer): av.Stream | undefined {
	return demuxer.streams.find(
		(stream) =>
			stream.codecpar.codecType === av.AVMEDIA_TYPE_VIDEO && !stream.hasDisposition(av.AV_DISPOSITION_ATTACHED_PIC),
	);
}

export function audioStreamOf(demuxer: av.Demuxer): av.Stream | undefined {
	return demuxer.audio();
}

/** Seconds, of the longest track. Where the file does not say, all of it is read: the demuxer is at its end then. */
export function durationSOf(demuxer: av.Demuxer): number {
	if (demuxer.duration > 0) return demuxer.duration;
	const length = createLength();
	for (const packet of demuxer.packetsSync()) {
		if (packet === null) break;
		length.add(packet);
		packet.free();
	}
	return length.seconds() || 1;
}

/** How long what packets carry is: from where the first is shown to where the last one ends. */
export function createLength(): { add(packet: av.Packet): void; seconds(): number } {
	let [fromS, untilS] = [Number.POSITIVE_INFINITY, 0];
	return {
		add({ pts, duration, timeBase: { num, den } }) {
			if (pts === av.AV_NOPTS_VALUE) return;
			fromS = Math.min(fromS, (Number(pts) * num) / den);
			untilS = Math.max(untilS, (Number(pts + duration) * num) / den);
		},
		seconds: () => Math.max(0, untilS - fromS),
	};
}
