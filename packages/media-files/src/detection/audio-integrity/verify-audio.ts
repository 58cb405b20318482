import { verifyFlac } from "./verify-flac.ts";
import { verifyMp3 } from "./verify-mp3.ts";
import { verifyOgg } from "./verify-ogg.ts";
import { verifyWav } from "./verify-wav.ts";
import { withAudioFile, type IntegrityVerdict, type AudioFile } from "./audio-file.ts";

const VERIFIERS: Readonly<Record<string, (file: AudioFile) => Promise<IntegrityVerdict>>> = {
	"audio/mpeg": verifyMp3,
	"audio/flac": verifyFlac,
	"audio/wav": verifyWav,
	"audio/ogg": verifyOgg,
	"audio/ogg; codecs=opus": verifyOgg,
};

/** Checks whether a file is complete, with a few reads of about 256 KiB at most, without decoding. */
export async function verifyAudio(path: string, contentType: string): Promise<IntegrityVerdict> {
	const verify = VERIFIERS[contentType];
	return verify ? await withAudioFile(path, verify) : "undecided";
}
