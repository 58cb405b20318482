import { createRandom } from "./random.ts";

const SCENES = ["sea", "mountains", "city", "space", "meadow", "flow"] as const;
export const SUBJECTS = ["lighthouse", "castle", "cat", "dog", "rocket", "boat", "tree", "house"] as const;
const TIMES = ["dawn", "day", "sunset", "dusk", "night"] as const;
const WEATHERS = ["clear", "cloudy", "storm", "rain", "snow", "fog"] as const;
const SEASONS = ["spring", "summer", "autumn", "winter"] as const;
export const FINISHES = ["natural", "pastel", "neon", "pixel"] as const;
export const MUSIC_STYLES = ["ambient", "lofi", "folk", "synthwave", "epic", "chiptune"] as const;

export type SceneName = (typeof SCENES)[number];
export type SubjectName = (typeof SUBJECTS)[number];
type Time = (typeof TIMES)[number];
type Weather = (typeof WEATHERS)[number];
type Season = (typeof SEASONS)[number];
type Finish = (typeof FINISHES)[number];
export type MusicStyle = (typeof MUSIC_STYLES)[number];

/** A color that the prompt names. */
interface NamedColor {
	readonly hue: number;
	readonly chroma: number;
}

export interface ParsedPrompt {
	readonly prompt: string;
	readonly seed: number;
	readonly scene: SceneName;
	readonly subjects: readonly SubjectName[];
	readonly time: Time;
	readonly weather: Weather;
	readonly season: Season;
	readonly colors: readonly NamedColor[];
	readonly finish: Finish;
	readonly musicStyle: MusicStyle;
	/** -1 sad, 1 happy. */
	readonly mood: number;
	/** -1 calm, 1 wild. */
	readonly energy: number;
	readonly hasLake: boolean;
	/** A color word before a subject colors that subject: "a red boat". */
	readonly subjectColors: ReadonlyMap<SubjectName, NamedColor>;
}

type Lexicon<Name extends string> = Readonly<Record<Name, string>>;

const SCENE_WORDS: Lexicon<SceneName> = {
	sea: "sea ocean wave beach coast shore harbor harbour bay island tide surf pacific atlantic lagoon 🌊 🏖 🏝 ⛱",
	mountains:
		"mountain mountains forest woods wood hill hills peak alp alps valley cliff lake pine fjord wilderness jungle ridge glacier volcano canyon waterfall river trail summit cabin 🏔 ⛰ 🗻 🌲 🏕 🌋",
	city: "city town street skyline downtown skyscraper tower metropolis tokyo york london paris berlin cyberpunk neon building bridge traffic urban alley rooftop office 🌃 🌆 🏙 🌇 🚕 🌉",
	space:
		"space planet galaxy star stars nebula cosmos cosmic universe moon mars saturn jupiter asteroid comet orbit astronaut alien ufo spaceship interstellar 🚀 🌌 🪐 🌠 👽 🛸 👩‍🚀 🌑 🌕",
	meadow:
		"meadow field flower flowers grass garden prairie farm pasture tulip poppy sunflower lavender rose daisy countryside orchard park picnic wheat 🌼 🌻 🌷 🌸 🌺 🌾 🌿 🌹",
	flow: "abstract swirl swirls flow pattern fractal geometric music dream dreams dreamy psychedelic chaos energy emotion soul thought mind texture wallpaper ribbons 🎶 🎵 🌀 💭",
};

/** Words for things that sketch cannot draw, by the scene that fits them. */
const SCENE_HINTS: Lexicon<SceneName> = {
	sea: "fish whale dolphin shark octopus mermaid pirate ship sail sailor captain submarine seagull gull crab turtle coral swim surfer anchor water penguin harbour seal 🐟 🐠 🐬 🐳 🐋 🐙 🦈 🏴‍☠ ⚓ 🏄 🦀 🐧",
	mountains:
		"dragon wolf bear eagle owl deer elf dwarf wizard knight giant climb climber ski hike hiker camp tent viking moose goat fairy witch fox bigfoot monk temple samurai king queen 🐉 🐲 🐺 🐻 🦅 🦉 🦌 🧙 🦊 🧝 ⛺",
	city: "robot car taxi bus train people crowd detective superhero hero police cafe coffee restaurant hotel shop man woman person girl boy jazz computer machine cyborg party club dance dancer pizza bike android ai money 🤖 🚗 🚌 🚇 🦸 ☕ 🍕 🕵 💃 🎉 💻",
	space:
		"satellite telescope zodiac black-hole infinity eternity future ufo martian gravity science laser lunar solar eclipse heaven god angel 🔭 🛰 ✨ ⭐ 🌟",
	meadow:
		"horse cow sheep rabbit bunny bee butterfly bird chicken pig unicorn pony child children baby family love wedding summer spring kite balloon windmill tractor duck hedgehog mouse frog hamster 🐴 🐄 🐑 🐰 🐇 🐝 🦋 🐦 🐔 🐷 🦄 👶 ❤ 💕 🎈 🐸 🐹",
	flow: "love fire smoke silk wind hair electricity quantum brain time memory feeling rhythm magic spirit jazz sound 🔥 💨 🧠 💫 🎨",
};

const SUBJECT_WORDS: Lexicon<SubjectName> = {
	lighthouse: "lighthouse beacon leuchtturm phare faro 🗼",
	castle: "castle fortress palace kingdom citadel schloss burg château castillo 🏰 🏯",
	cat: "cat kitten kitty feline katze chat gato 🐱 🐈 😺 😸 🐈‍⬛",
	dog: "dog puppy hound canine labrador poodle corgi hund chien perro 🐶 🐕 🐩",
	rocket: "rocket spaceship spacecraft shuttle missile rakete fusée cohete 🚀",
	boat: "boat ship sailboat yacht sail sailing vessel pirate schiff bateau barco ⛵ 🛶 🚤 🚢 🏴‍☠",
	tree: "tree oak willow maple baum arbre árbol 🌳 🎄",
	house: "house home cottage hut cabin farmhouse barn haus maison casa 🏠 🏡 🛖",
};

const USUAL_SCENE: Readonly<Record<SubjectName, SceneName>> = {
	lighthouse: "sea",
	castle: "mountains",
	cat: "meadow",
	dog: "meadow",
	rocket: "space",
	boat: "sea",
	tree: "meadow",
	house: "meadow",
};

const TIME_WORDS: Lexicon<Time> = {
	dawn: "dawn sunrise morning daybreak early awakening 🌅 🌄",
	day: "day noon midday afternoon sunny bright sunshine daylight blue-sky ☀ 🌞 🌈",
	sunset: "sunset evening golden dusky orange romantic romance 🌇",
	dusk: "dusk twilight gloaming violet melancholy mysterious",
	night: "night midnight moon moonlight moonlit dark stars starry nocturnal neon lullaby 🌙 🌃 🌌 🌕 ✨ 🦇",
};

const WEATHER_WORDS: Lexicon<Weather> = {
	clear: "clear sunny cloudless ☀ 🌞",
	cloudy: "cloud clouds cloudy overcast gray grey ☁ 🌥 ⛅",
	storm: "storm stormy thunder lightning tempest hurricane thunderstorm wild rage raging furious ⛈ 🌩 ⚡ 🌪",
	rain: "rain rainy drizzle shower wet raining monsoon 🌧 ☔",
	snow: "snow snowy blizzard frost frozen ice icy winter christmas snowfall ❄ ☃ ⛄ 🎄 🎅",
	fog: "fog foggy mist misty haze hazy smoke ghost ghostly haunted mysterious 🌫 👻",
};

const SEASON_WORDS: Lexicon<Season> = {
	spring: "spring blossom cherry april may easter 🌸 🌷 🐣",
	summer: "summer june july august hot warm tropical 🌻 🏖",
	autumn: "autumn fall october november harvest halloween pumpkin leaves maple 🍂 🍁 🎃",
	winter: "winter december january christmas snow snowy frost frozen ice ❄ ☃ ⛄ 🎄",
};

const COLOR_WORDS: Readonly<Record<string, NamedColor>> = {
	"red crimson scarlet ruby blood ❤": { hue: 25, chroma: 0.19 },
	"orange amber copper rust 🧡": { hue: 55, chroma: 0.16 },
	"yellow gold golden lemon 💛": { hue: 92, chroma: 0.15 },
	"green emerald jade lime 💚": { hue: 148, chroma: 0.15 },
	"teal turquoise cyan aqua": { hue: 195, chroma: 0.11 },
	"blue azure sapphire navy indigo 💙": { hue: 255, chroma: 0.15 },
	"purple violet lilac lavender magenta 💜": { hue: 305, chroma: 0.16 },
	"pink rose 🩷 💗": { hue: 355, chroma: 0.14 },
	"black white gray grey monochrome silver 🖤 🤍": { hue: 250, chroma: 0.008 },
};

const FINISH_WORDS: Lexicon<Finish> = {
	natural: "photo realistic photograph natural polaroid vintage nostalgic",
	pastel:
		"watercolor watercolour aquarelle pastel pastels soft gentle kawaii cute chalk oil painting gouache impressionist gogh monet brushstrokes acrylic 🎨",
	neon: "neon cyberpunk synthwave vaporwave retrowave glowing electric",
	pixel: "pixel pixels pixelart 8bit 16bit retro-game voxel 👾",
};

const MUSIC_STYLE_WORDS: Lexicon<MusicStyle> = {
	ambient: "ambient calm sleep meditation drone space peaceful quiet dream lullaby fog relax ocean still slow",
	lofi: "lofi lo-fi chill coffee study rain rainy jazz jazzy hiphop hip-hop beat beats soul night cozy cafe",
	folk: "folk acoustic guitar waltz ballad country morning meadow gentle countryside home love pastoral ukulele song",
	synthwave: "synthwave synth neon retro eighties 80s cyberpunk dance edm techno house electronic disco city drive pop",
	epic: "epic orchestral orchestra cinematic battle heroic castle dragon storm war trailer film victory mountain grand strings",
	chiptune: "chiptune 8bit game arcade pixel fun happy cartoon cute robot rocket party 👾 🎮 🤖",
};

const MOOD_WORDS: Readonly<Record<"happy" | "sad" | "calm" | "wild", string>> = {
	happy: "happy joy joyful cheerful fun bright sunny love party smile sweet cute hope celebration 😀 😊 😍 🎉 ❤",
	sad: "sad lonely melancholy dark grief tears lost farewell sorrow rainy gloomy haunted blue storm 😢 😭 💔",
	calm: "calm quiet gentle soft slow peaceful still serene sleep lullaby silent meditation lofi 😌 🧘",
	wild: "wild storm fast furious epic battle raging loud dance energetic party chaos speed rock explosion ⚡ 🔥 💥",
};

/** Splits a prompt into lower-case words and emoji without their variation selectors. Adds the parts of hyphenated words. */
function wordsOf(prompt: string): readonly string[] {
	const found = prompt
		.toLowerCase()
		.replaceAll("\u{fe0f}", "")
		.match(/\p{Extended_Pictographic}(?:‍\p{Extended_Pictographic})*|[\p{L}\p{N}]+(?:[-'][\p{L}\p{N}]+)*/gu);
	return (found ?? []).flatMap((word) => [word, ...(word.includes("-") ? word.split("-") : [])]);
}

/** Also matches plurals. */
function hasWord(list: string, word: string): boolean {
	const listed = list.split(" ");
	return (
		listed.includes(word) ||
		(word.length > 3 && word.endsWith("s") && listed.includes(word.replace(/e?s$/, ""))) ||
		(word.endsWith("s") && listed.includes(word.slice(0, -1)))
	);
}

/** Returns the names whose words occur in the prompt, in the prompt's order. */
function namesIn<Name extends string>(lexicon: Lexicon<Name>, words: readonly string[]): readonly Name[] {
	const entries = Object.entries(lexicon) as [Name, string][];
	return words.flatMap((word) => entries.filter(([, list]) => hasWord(list, word)).map(([name]) => name));
}

/** Takes the last match: "a calm morning before the storm". */
function pickLast<Name extends string>(lexicon: Lexicon<Name>, words: readonly string[]): Name | undefined {
	return namesIn(lexicon, words).at(-1);
}

const colorOf = (word: string): NamedColor | undefined =>
	Object.entries(COLOR_WORDS).find(([list]) => hasWord(list, word))?.[1];

export function parsePrompt(prompt: string, seed: number): ParsedPrompt {
	const words = wordsOf(prompt);
	const random = createRandom(`${words.join(" ")}/${seed}`).fork("reading");
	const subjects = [...new Set(namesIn(SUBJECT_WORDS, words))].slice(0, 2);
	const scene = sceneOf(words, subjects) ?? createRandom(words.join(" ")).pick(SCENES);
	const finish = pickLast(FINISH_WORDS, words) ?? "natural";
	const season = pickLast(SEASON_WORDS, words) ?? random.pick(["spring", "summer", "summer", "autumn"] as const);
	const weather =
		pickLast(WEATHER_WORDS, words) ??
		(season === "winter" ? "snow" : random.pick(["clear", "clear", "cloudy"] as const));
	const time = pickLast(TIME_WORDS, words) ?? defaultTime(scene, weather, random.next());
	const subjectColors = new Map<SubjectName, NamedColor>();
	const colors: NamedColor[] = [];
	for (const [index, word] of words.entries()) {
		const color = colorOf(word);
		if (color === undefined) continue;
		const [subject] = namesIn(SUBJECT_WORDS, words.slice(index + 1, index + 3));
		if (subject === undefined) colors.push(color);
		else subjectColors.set(subject, color);
	}
	const count = (list: string): number => words.filter((word) => hasWord(list, word)).length;
	return {
		prompt,
		seed,
		scene,
		subjects,
		time,
		weather,
		season,
		colors,
		finish,
		musicStyle: pickMostFrequent(MUSIC_STYLE_WORDS, words) ?? random.fork("tune").pick(MUSIC_STYLES),
		mood: Math.tanh(count(MOOD_WORDS.happy) - count(MOOD_WORDS.sad)),
		energy: Math.tanh(count(MOOD_WORDS.wild) - count(MOOD_WORDS.calm)),
		hasLake:
			words.some((word) => hasWord("lake river reflection fjord water pond mirror 🏞", word)) || random.chance(0.3),
		subjectColors,
	};
}

function pickMostFrequent<Name extends string>(lexicon: Lexicon<Name>, words: readonly string[]): Name | undefined {
	const counts = new Map<Name, number>();
	for (const name of namesIn(lexicon, words)) counts.set(name, (counts.get(name) ?? 0) + 1);
	return highestScored(counts);
}

/** Scores the name of a scene highest, then the usual scene of a subject, then a hint. */
function sceneOf(words: readonly string[], subjects: readonly SubjectName[]): SceneName | undefined {
	const scores = new Map<SceneName, number>();
	const add = (scene: SceneName, score: number): void => void scores.set(scene, (scores.get(scene) ?? 0) + score);
	for (const scene of namesIn(SCENE_WORDS, words)) add(scene, 4);
	for (const scene of namesIn(SCENE_HINTS, words)) add(scene, 2);
	for (const subject of subjects) add(USUAL_SCENE[subject], 3);
	return highestScored(scores);
}

function highestScored<Name>(scores: ReadonlyMap<Name, number>): Name | undefined {
	return [...scores].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function defaultTime(scene: SceneName, weather: Weather, chance: number): Time {
	if (scene === "city" || scene === "space") return chance < 0.75 ? "night" : "dusk";
	if (weather === "storm" || weather === "rain") return chance < 0.6 ? "dusk" : "day";
	if (weather === "fog") return chance < 0.6 ? "dawn" : "day";
	return (["day", "sunset", "dawn", "day", "sunset"] as const)[Math.floor(chance * 5)] ?? "day";
}
