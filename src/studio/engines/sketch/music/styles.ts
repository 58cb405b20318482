import type { ChordShape } from "./theory.ts";
import type { InstrumentName } from "./instruments/orchestra.ts";

export const STYLE_NAMES = [
	"ambient",
	"ballad",
	"bossa",
	"chiptune",
	"folk",
	"jazz",
	"lofi",
	"lullaby",
	"march",
	"orchestral",
	"pop",
	"rock",
	"synthwave",
	"techno",
	"waltz",
] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

/** How the chords are broken up in time. */
export type Comping =
	| "arpeggio"
	| "blocks"
	| "charleston"
	| "eighths"
	| "fastArpeggio"
	| "fingerpicking"
	| "oompah"
	| "ostinato"
	| "samba"
	| "slowArpeggio"
	| "stabs"
	| "strum"
	| "sustained";

export type BassMotion =
	| "drone"
	| "eighths"
	| "galloping"
	| "octaves"
	| "oompah"
	| "rolling"
	| "roots"
	| "syncopated"
	| "walking";

export type DrumGroove =
	| "bossa"
	| "boombap"
	| "brushes"
	| "chip"
	| "fourOnTheFloor"
	| "gated"
	| "hand"
	| "marching"
	| "pop"
	| "rock"
	| "swing"
	| "timpani";

type Choices<T> = readonly [T, ...T[]];

export interface Style {
	/** Beats per minute for still and for wild moods. */
	readonly tempoBpm: readonly [slowest: number, fastest: number];
	readonly meters: Choices<Meter>;
	readonly chordShape: ChordShape;
	/** How far the second half of a beat waits, as a share of the half; and which grid swings. */
	readonly swing: { readonly stepsUnit: 1 | 2; readonly share: number };
	readonly lead: Choices<InstrumentName>;
	/** Notes of the melody, 0 sparse, 1 busy. */
	readonly leadDensity: number;
	readonly comping: Choices<Comping>;
	readonly chords: Choices<InstrumentName>;
	readonly pad: Choices<InstrumentName | null>;
	readonly bass: Choices<InstrumentName>;
	readonly bassMotion: Choices<BassMotion>;
	readonly drums: DrumGroove | null;
	/** Room: seconds for the echo to fall by 60 dB. */
	readonly reverbSeconds: number;
	/** Echoes on the melody, a count of sixteenths apart; 0 for none. */
	readonly echoSteps: number;
	/** The kick drum pushes the chords aside. */
	readonly pumping: boolean;
	/** How far the style leans to minor on its own, against the mood's valence. */
	readonly gloom: number;
	readonly words: string;
}

export type Meter = "4/4" | "3/4" | "6/8";

const STRAIGHT = { stepsUnit: 2, share: 0 } as const;

export const STYLES: Readonly<Record<StyleName, Style>> = {
	ambient: {
		tempoBpm: [56, 84],
		meters: ["4/4"],
		chordShape: "ninth",
		swing: STRAIGHT,
		lead: ["bells", "glassLead", "flute", "piano"],
		leadDensity: 0.12,
		comping: ["slowArpeggio", "sustained"],
		chords: ["harp", "electricPiano", "vibraphone"],
		pad: ["warmPad", "glassPad", "choir"],
		bass: ["subBass"],
		bassMotion: ["drone"],
		drums: null,
		reverbSeconds: 5,
		echoSteps: 6,
		pumping: false,
		gloom: 0,
		words:
			"ambient drone atmospheric atmosphere soundscape meditation meditative newage spa ethereal environmental chillout",
	},
	ballad: {
		tempoBpm: [60, 88],
		meters: ["4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["piano", "violin", "flute"],
		leadDensity: 0.4,
		comping: ["arpeggio", "blocks"],
		chords: ["piano"],
		pad: ["strings", "warmPad"],
		bass: ["uprightBass", "electricBass"],
		bassMotion: ["roots"],
		drums: "brushes",
		reverbSeconds: 2.4,
		echoSteps: 0,
		pumping: false,
		gloom: 0.1,
		words: "ballad ballade slowdance singer songwriter torch nocturne chanson bolero serenade",
	},
	bossa: {
		tempoBpm: [112, 148],
		meters: ["4/4"],
		chordShape: "ninth",
		swing: STRAIGHT,
		lead: ["flute", "clarinet", "vibraphone"],
		leadDensity: 0.5,
		comping: ["samba"],
		chords: ["nylonGuitar"],
		pad: [null, "strings"],
		bass: ["uprightBass"],
		bassMotion: ["syncopated"],
		drums: "bossa",
		reverbSeconds: 1.3,
		echoSteps: 0,
		pumping: false,
		gloom: 0,
		words:
			"bossa bossanova samba latin latino brazil brazilian rumba salsa mambo tropical reggae calypso ボサノバ 보사노바",
	},
	chiptune: {
		tempoBpm: [112, 168],
		meters: ["4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["chipLead"],
		leadDensity: 0.75,
		comping: ["fastArpeggio"],
		chords: ["chipArpeggio"],
		pad: [null],
		bass: ["chipBass"],
		bassMotion: ["octaves", "galloping"],
		drums: "chip",
		reverbSeconds: 0.5,
		echoSteps: 3,
		pumping: false,
		gloom: -0.05,
		words:
			"chiptune chip 8bit 16bit nes gameboy nintendo arcade videogame pixel retrogame 게임 ゲーム チップチューン 🎮 🕹 👾",
	},
	folk: {
		tempoBpm: [84, 132],
		meters: ["4/4", "6/8", "4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["flute", "violin", "accordion", "banjo"],
		leadDensity: 0.6,
		comping: ["fingerpicking", "strum"],
		chords: ["steelGuitar", "nylonGuitar"],
		pad: [null, "accordion"],
		bass: ["uprightBass"],
		bassMotion: ["roots", "oompah"],
		drums: "hand",
		reverbSeconds: 1.4,
		echoSteps: 0,
		pumping: false,
		gloom: 0,
		words:
			"folk folksong country acoustic campfire celtic irish jig reel bluegrass americana shanty medieval bard tavern volkslied lagerfeuer folklore 民谣 民謡 포크",
	},
	jazz: {
		tempoBpm: [92, 184],
		meters: ["4/4"],
		chordShape: "ninth",
		swing: { stepsUnit: 2, share: 0.33 },
		lead: ["vibraphone", "clarinet", "trumpet", "piano"],
		leadDensity: 0.6,
		comping: ["charleston"],
		chords: ["piano", "electricPiano"],
		pad: [null],
		bass: ["uprightBass"],
		bassMotion: ["walking"],
		drums: "swing",
		reverbSeconds: 1.2,
		echoSteps: 0,
		pumping: false,
		gloom: 0,
		words: "jazz jazzy swing bebop bigband ragtime dixieland blues bluesy sax saxophone speakeasy ジャズ 爵士 재즈 🎷",
	},
	lofi: {
		tempoBpm: [68, 88],
		meters: ["4/4"],
		chordShape: "ninth",
		swing: { stepsUnit: 1, share: 0.24 },
		lead: ["vibraphone", "softLead", "nylonGuitar", "piano"],
		leadDensity: 0.35,
		comping: ["blocks"],
		chords: ["electricPiano"],
		pad: ["warmPad", null],
		bass: ["subBass", "electricBass"],
		bassMotion: ["syncopated", "roots"],
		drums: "boombap",
		reverbSeconds: 1.6,
		echoSteps: 3,
		pumping: true,
		gloom: 0.05,
		words:
			"lofi lo chill chillhop hiphop hip rap trap rnb boombap downtempo triphop beats vaporwave ローファイ 로파이 힙합",
	},
	lullaby: {
		tempoBpm: [60, 84],
		meters: ["3/4", "6/8", "4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["musicBox", "flute", "voiceOoh"],
		leadDensity: 0.3,
		comping: ["slowArpeggio", "arpeggio"],
		chords: ["harp", "musicBox", "nylonGuitar"],
		pad: ["warmPad", "glassPad"],
		bass: ["subBass", "uprightBass"],
		bassMotion: ["roots"],
		drums: null,
		reverbSeconds: 2.8,
		echoSteps: 0,
		pumping: false,
		gloom: -0.15,
		words: "lullaby cradle bedtime berceuse wiegenlied schlaflied nana ninar 子守唄 子守歌 摇篮曲 자장가 🍼 musicbox",
	},
	march: {
		tempoBpm: [100, 132],
		meters: ["4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["trumpet", "clarinet", "flute"],
		leadDensity: 0.55,
		comping: ["oompah"],
		chords: ["horn"],
		pad: [null, "strings"],
		bass: ["tuba"],
		bassMotion: ["oompah"],
		drums: "marching",
		reverbSeconds: 1.6,
		echoSteps: 0,
		pumping: false,
		gloom: -0.05,
		words:
			"march marching parade military fanfare anthem marsch hymne marche marcha himno hino 行進曲 进行曲 행진곡 🎺 🥁",
	},
	orchestral: {
		tempoBpm: [72, 138],
		meters: ["4/4", "4/4", "3/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["violin", "horn", "flute", "trumpet"],
		leadDensity: 0.45,
		comping: ["ostinato"],
		chords: ["spiccato", "pizzicato", "harp"],
		pad: ["strings"],
		bass: ["strings"],
		bassMotion: ["roots"],
		drums: "timpani",
		reverbSeconds: 3,
		echoSteps: 0,
		pumping: false,
		gloom: 0.1,
		words:
			"orchestral orchestra orchester symphony symphonic classical cinematic epic film movie soundtrack trailer score heroic majestic concerto sinfonie symphonie orquesta orquestral opera baroque 交響曲 オーケストラ 交响乐 오케스트라 🎻 🎬",
	},
	pop: {
		tempoBpm: [92, 126],
		meters: ["4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["softLead", "synthPluck", "piano", "sawLead"],
		leadDensity: 0.55,
		comping: ["blocks", "arpeggio", "strum"],
		chords: ["electricPiano", "piano", "steelGuitar"],
		pad: ["warmPad", "strings"],
		bass: ["electricBass", "synthBass"],
		bassMotion: ["eighths", "syncopated"],
		drums: "pop",
		reverbSeconds: 1.5,
		echoSteps: 3,
		pumping: false,
		gloom: 0,
		words: "pop popsong funk funky soul motown gospel kpop jpop disco schlager indie 流行 ポップ 팝",
	},
	rock: {
		tempoBpm: [104, 164],
		meters: ["4/4"],
		chordShape: "power",
		swing: STRAIGHT,
		lead: ["electricGuitar"],
		leadDensity: 0.55,
		comping: ["eighths"],
		chords: ["electricGuitar"],
		pad: [null, "organ"],
		bass: ["electricBass"],
		bassMotion: ["eighths"],
		drums: "rock",
		reverbSeconds: 1.1,
		echoSteps: 0,
		pumping: false,
		gloom: 0.15,
		words: "rock punk metal grunge hardrock heavy riff rocknroll ロック メタル 摇滚 搖滾 록 🎸 🤘",
	},
	synthwave: {
		tempoBpm: [84, 122],
		meters: ["4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["sawLead", "synthBrass"],
		leadDensity: 0.45,
		comping: ["arpeggio", "sustained"],
		chords: ["synthPluck"],
		pad: ["warmPad", "synthBrass"],
		bass: ["synthBass"],
		bassMotion: ["octaves", "eighths"],
		drums: "gated",
		reverbSeconds: 2.4,
		echoSteps: 3,
		pumping: true,
		gloom: 0.2,
		words:
			"synthwave retrowave outrun synth synthesizer synthpop cyberpunk neon eighties 80s 80er electro electronic elektronisch シンセ 신스",
	},
	techno: {
		tempoBpm: [122, 146],
		meters: ["4/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["synthPluck", "sawLead"],
		leadDensity: 0.6,
		comping: ["stabs"],
		chords: ["stab"],
		pad: ["warmPad"],
		bass: ["acidBass", "synthBass"],
		bassMotion: ["rolling"],
		drums: "fourOnTheFloor",
		reverbSeconds: 1.8,
		echoSteps: 3,
		pumping: true,
		gloom: 0.25,
		words:
			"techno house edm trance rave dubstep electrodance clubbing dnb eurodance hardstyle テクノ 电子 電子 테크노 🪩 🎧 🎛",
	},
	waltz: {
		tempoBpm: [84, 168],
		meters: ["3/4"],
		chordShape: "triad",
		swing: STRAIGHT,
		lead: ["violin", "accordion", "clarinet", "piano"],
		leadDensity: 0.45,
		comping: ["oompah"],
		chords: ["piano", "harp", "accordion"],
		pad: ["strings"],
		bass: ["uprightBass"],
		bassMotion: ["oompah"],
		drums: null,
		reverbSeconds: 2,
		echoSteps: 0,
		pumping: false,
		gloom: 0,
		words:
			"waltz walzer valse vals valsa ballroom viennese carousel karussell carrousel musette ワルツ 圆舞曲 圓舞曲 왈츠 🎠 🩰",
	},
};

export const STYLE_BY_WORD: ReadonlyMap<string, StyleName> = new Map(
	STYLE_NAMES.flatMap((name) => STYLES[name].words.split(" ").map((word) => [word, name] as const)),
);
