import type { InstrumentName } from "./instruments/orchestra.ts";

const WORDS = {
	piano: "piano klavier ピアノ 钢琴 鋼琴 피아노 🎹",
	electricPiano: "rhodes wurlitzer epiano",
	guitar: "guitar ukulele gitarre guitare guitarra violão ギター 吉他 기타",
	violin: "violin fiddle cello viola geige violine violon violín violino バイオリン 小提琴 바이올린",
	flute: "flute whistle recorder flöte flûte flauta 笛 フルート 플루트",
	harp: "harp harfe harpe arpa ハープ 竖琴 하프",
	bells: "bell chime glockenspiel glocke cloche campana sino 鐘 钟 종소리 🔔",
	musicBox: "musicbox celesta spieluhr オルゴール 八音盒 오르골",
	organ: "organ orgel orgue órgano órgão 風琴 오르간",
	accordion: "accordion akkordeon accordéon acordeón acordeão harmonica 🪗",
	trumpet: "trumpet trompete trompette trompeta cornet 🎺 小号 トランペット 트럼펫",
	clarinet: "clarinet oboe sax saxophone saxophon saxofón klarinette 🎷 サックス 색소폰",
	horn: "horn trombone brass posaune",
	vibraphone: "vibraphone vibes xylophone xylofon",
	marimba: "marimba kalimba",
	koto: "koto shamisen sitar guzheng erhu 琴 古筝 거문고 가야금",
	banjo: "banjo mandolin 🪕",
	synth: "synth synthesizer シンセ 合成器 신디사이저",
	choir: "choir chorus choral chor chœur coro 合唱 합창",
	drums:
		"drum drums drummer percussion beat schlagzeug trommel batterie batería bateria tambour tambor ドラム 太鼓 鼓 드럼 북소리 🥁",
} as const;

export type InstrumentWord = keyof typeof WORDS;

const isInstrumentWord = (word: string): word is InstrumentWord => word in WORDS;

export const INSTRUMENT_BY_WORD: ReadonlyMap<string, InstrumentWord> = new Map(
	Object.entries(WORDS).flatMap(([name, words]) =>
		isInstrumentWord(name) ? words.split(" ").map((word) => [word, name] as const) : [],
	),
);

/** Who plays when a word names an instrument: the first named has the melody, the second the chords. */
export const LEAD_ALTERNATIVES: readonly { readonly word: InstrumentWord; readonly instrument: InstrumentName }[] = [
	{ word: "violin", instrument: "violin" },
	{ word: "flute", instrument: "flute" },
	{ word: "trumpet", instrument: "trumpet" },
	{ word: "clarinet", instrument: "clarinet" },
	{ word: "koto", instrument: "koto" },
	{ word: "vibraphone", instrument: "vibraphone" },
	{ word: "marimba", instrument: "marimba" },
	{ word: "bells", instrument: "bells" },
	{ word: "musicBox", instrument: "musicBox" },
	{ word: "horn", instrument: "horn" },
	{ word: "accordion", instrument: "accordion" },
	{ word: "synth", instrument: "sawLead" },
	{ word: "banjo", instrument: "banjo" },
	{ word: "organ", instrument: "organ" },
	{ word: "harp", instrument: "harp" },
	{ word: "electricPiano", instrument: "electricPiano" },
	{ word: "piano", instrument: "piano" },
	{ word: "guitar", instrument: "nylonGuitar" },
];
