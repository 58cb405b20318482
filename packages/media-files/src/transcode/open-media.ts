import * as av from "node-av";
import { UnusableFileError } from "../unusable-file.ts";

/** Only local files and real containers: a playlist or a reference would make the demuxer open what its author chose. */
const PROTOCOLS = "file";
const FORMATS = [
	"mov,mp4,m4a,3gp,3g2,mj2",
	"matroska,webm",
	"avi,flv,mpegts,mpeg,asf,gif,apng,webp_anim",
	"mp3,wav,w64,flac,ogg,aac,aiff,caf,ac3,eac3,amr,ape,wv,tta",
	"png_pipe,bmp_pipe,tiff_pipe,jpegxl_pipe,jpeg_pipe,webp_pipe,j2k_pipe,psd_pipe,qoi_pipe",
].join(",");

/** Opens a file for reading. Throws `UnusableFileError` for a file that is damaged or not of an allowed format. */
export function openMedia(path: string): av.Demuxer {
	try {
		return av.Demuxer.openSync(path, { options: { protocol_whitelist: PROTOCOLS, format_whitelist: FORMATS } });
	} catch (cause) {
		throw new UnusableFileError({ kind: "damaged" }, { cause });
	}
}

/** Returns the video stream, ignoring attached cover images. */
export function videoStreamOf(demuxer: av.Demuxer): av.Stream | undefined {
	return demuxer.streams.find(
		(stream) =>
			stream.codecpar.codecType === av.AVMEDIA_TYPE_VIDEO && !stream.hasDisposition(av.AV_DISPOSITION_ATTACHED_PIC),
	);
}

export function audioStreamOf(demuxer: av.Demuxer): av.Stream | undefined {
	return demuxer.audio();
}

/**
 * The duration of the longest track in seconds. Reads the whole file if the header has no duration; the demuxer is then
 * at its end.
 */
export function durationSOf(demuxer: av.Demuxer): number {
	if (demuxer.duration > 0) return demuxer.duration;
	const meter = createDurationMeter();
	for (const packet of demuxer.packetsSync()) {
		if (packet === null) break;
		meter.add(packet);
		packet.free();
	}
	// Never 0, because bit rates are sizes divided by the duration.
	return meter.seconds() || 1;
}

/** Measures the duration of packets, from the first start to the last end. */
export function createDurationMeter(): { add(packet: av.Packet): void; seconds(): number } {
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
