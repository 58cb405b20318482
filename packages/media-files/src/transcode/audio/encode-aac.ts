import * as av from "node-av";
import { decodeEach } from "../decode.ts";
import { openEncoder } from "../encoder.ts";

/** Samples per AAC packet. */
const PACKET_SAMPLES = 1024;

export interface AacPlan {
	/** The time at which the file's clock starts, in seconds. */
	readonly startS: number;
	readonly bitsPerSecond: number;
	readonly channels: 1 | 2;
	readonly sampleRate: number;
	/** Stops after this time as if the file ended there. */
	readonly untilS?: number;
}

/** Encoded audio, with the encoder whose parameters the file needs. */
export interface EncodedAudio extends Disposable {
	readonly encoder: av.CodecContext;
	readonly packets: readonly av.Packet[];
	readonly sizeBytes: number;
	readonly durationS: number;
}

/** Decodes the audio of a file, and encodes it as AAC in memory. Throws `UnusableFileError`. */
export async function encodeAac(path: string, plan: AacPlan): Promise<EncodedAudio> {
	const layout = plan.channels === 2 ? "stereo" : "mono";
	const filter = [
		`asetpts=PTS-(${plan.startS})/TB`,
		// Fills gaps with silence, also before audio that starts later than its video.
		`aresample=${plan.sampleRate}:async=1000:first_pts=0`,
		`aformat=sample_fmts=${sampleFormat()}:channel_layouts=${layout}`,
		`asetnsamples=n=${PACKET_SAMPLES}:p=0`,
	].join(",");
	const encoder = openEncoder(aacEncoder(), (context, frame) => {
		context.sampleRate = frame.sampleRate;
		context.channelLayout = frame.channelLayout;
		context.sampleFormat = frame.format as av.AVSampleFormat;
		context.bitRate = BigInt(plan.bitsPerSecond);
	});
	const packets: av.Packet[] = [];
	const keep = (packet: av.Packet): void => {
		packets.push(packet);
	};
	const { untilS } = plan;
	const decoding = { path, stream: "audio", filter, threads: 1, ...(untilS !== undefined && { untilS }) } as const;
	const { durationS } = await decodeEach(decoding, (frame) => encoder.encode(frame, keep));
	encoder.encode(null, keep);
	return {
		encoder: encoder.context,
		packets,
		durationS,
		sizeBytes: packets.reduce((sum, { size }) => sum + size, 0),
		[Symbol.dispose]() {
			for (const packet of packets) packet.free();
			encoder[Symbol.dispose]();
		},
	};
}

/** FDK's encoder sounds better at low bit rates; FFmpeg's own is in every build. */
function aacEncoder(): av.Codec {
	const codec = fdk() ?? av.Codec.findEncoder(av.AV_CODEC_ID_AAC);
	if (codec === null) throw new Error("this build of libavcodec has no AAC encoder");
	return codec;
}

function fdk(): av.Codec | null {
	return av.Codec.findEncoderByName(av.FF_ENCODER_LIBFDK_AAC);
}

function sampleFormat(): string {
	return fdk() === null ? "fltp" : "s16";
}
