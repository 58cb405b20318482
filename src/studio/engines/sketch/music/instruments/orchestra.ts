import { electricPiano } from "./electric-piano.ts";
import type { Instrument } from "./instrument.ts";
import * as patches from "./patches.ts";
import * as plucked from "./plucked.ts";
import * as struck from "./struck.ts";
import { choir, voice } from "./voice.ts";

/** Every instrument that can play a pitch, and where it sounds best. */
const PITCHED = {
	piano: { play: struck.piano, centre: 72 },
	electricPiano: { play: electricPiano, centre: 72 },
	organ: { play: patches.organ, centre: 67 },
	accordion: { play: patches.accordion, centre: 72 },
	musicBox: { play: struck.musicBox, centre: 81 },
	vibraphone: { play: struck.vibraphone, centre: 74 },
	marimba: { play: struck.marimba, centre: 69 },
	bells: { play: struck.bells, centre: 79 },
	nylonGuitar: { play: plucked.nylonGuitar, centre: 67 },
	steelGuitar: { play: plucked.steelGuitar, centre: 67 },
	electricGuitar: { play: plucked.electricGuitar, centre: 69 },
	harp: { play: plucked.harp, centre: 74 },
	koto: { play: plucked.koto, centre: 72 },
	banjo: { play: plucked.banjo, centre: 71 },
	pizzicato: { play: plucked.pizzicato, centre: 67 },
	uprightBass: { play: plucked.uprightBass, centre: 38 },
	electricBass: { play: plucked.electricBass, centre: 38 },
	violin: { play: patches.violin, centre: 76 },
	strings: { play: patches.strings, centre: 67 },
	spiccato: { play: patches.spiccato, centre: 67 },
	flute: { play: patches.flute, centre: 79 },
	clarinet: { play: patches.clarinet, centre: 73 },
	trumpet: { play: patches.trumpet, centre: 70 },
	horn: { play: patches.horn, centre: 62 },
	tuba: { play: patches.tuba, centre: 38 },
	warmPad: { play: patches.warmPad, centre: 64 },
	glassPad: { play: patches.glassPad, centre: 69 },
	sawLead: { play: patches.sawLead, centre: 71 },
	softLead: { play: patches.softLead, centre: 74 },
	glassLead: { play: patches.glassPad, centre: 76 },
	synthPluck: { play: patches.synthPluck, centre: 72 },
	synthBrass: { play: patches.synthBrass, centre: 66 },
	stab: { play: patches.stab, centre: 62 },
	subBass: { play: patches.subBass, centre: 36 },
	synthBass: { play: patches.synthBass, centre: 36 },
	acidBass: { play: patches.acidBass, centre: 36 },
	chipLead: { play: patches.chipLead, centre: 76 },
	chipArpeggio: { play: patches.chipArpeggio, centre: 69 },
	chipBass: { play: patches.chipBass, centre: 41 },
	voiceOoh: { play: voice, centre: 67 },
	choir: { play: choir, centre: 62 },
} as const satisfies Record<string, { readonly play: Instrument; readonly centre: number }>;

export type InstrumentName = keyof typeof PITCHED;

export const playerOf = (name: InstrumentName): Instrument => PITCHED[name].play;

/** MIDI number around which this instrument's melody lies. */
export const centreOf = (name: InstrumentName): number => PITCHED[name].centre;
