import { judgeFlac } from "./judge-flac.ts";
import { judgeMp3 } from "./judge-mp3.ts";
import { judgeOgg } from "./judge-ogg.ts";
import { judgeWav } from "./judge-wav.ts";
import { withSoundFile, type Judgement, type SoundFile } from "./sound-file.ts";

const JUDGES: Readonly<Record<string, (file: SoundFile) => Promise<Judgement>>> = {
	"audio/mpeg": judgeMp3,
	"audio/flac": judgeFlac,
	"audio/wav": judgeWav,
	"audio/ogg": judgeOgg,
	"audio/ogg; codecs=opus": judgeOgg,
};

/** By a few reads, of a quarter of a MiB together at most however long it is, and without decoding. */
export async function judgeSound(path: string, contentType: string): Promise<Judgement> {
	const judge = JUDGES[contentType];
	return judge ? await withSoundFile(path, judge) : "unsure";
}
