import { readMood, type Mood } from "./mood.ts";
import { PALETTES, tinted, turned, type Palette, type PaletteName } from "./palette.ts";
import type { Colour } from "./picture/colour.ts";
import { createRandom, type Random } from "./random.ts";
import {
	mentionsOf,
	type Feature,
	type Figure,
	type Mention,
	type Sense,
	type Setting,
	type Time,
	type Weather,
} from "./vocabulary.ts";

/** What is to be seen: everything that the prompt decides, before anything is painted. */
export interface Vision {
	readonly prompt: string;
	readonly seed: number;
	readonly mood: Mood;
	readonly setting: Setting;
	/** The chief one first. */
	readonly figures: readonly { readonly kind: Figure; readonly colour: Colour | null }[];
	readonly features: ReadonlySet<Feature>;
	readonly time: Time;
	readonly weather: Weather;
	readonly paletteName: PaletteName;
	readonly palette: Palette;
	/** Height of the horizon, 0 top to 1 bottom. */
	readonly horizon: number;
	/** Where the chief thing stands, 0 left to 1 right: on a third. */
	readonly focusX: number;
	/** 0 still air to 1 gale. */
	readonly wind: number;
}

const FIGURES_MAX = 3;
/** How many words lie between a colour and the thing it paints: "a red wooden boat". */
const COLOUR_REACH_WORDS = 2;

const SETTING_OF_FIGURE: Readonly<Record<Figure, Setting>> = {
	lighthouse: "sea",
	sailboat: "sea",
	island: "sea",
	whale: "sea",
	castle: "mountains",
	cabin: "mountains",
	windmill: "meadow",
	cat: "meadow",
	dog: "meadow",
	fox: "forest",
	rabbit: "meadow",
	bear: "forest",
	owl: "forest",
	deer: "forest",
	horse: "meadow",
	rocket: "space",
	planet: "space",
	balloon: "meadow",
	cake: "party",
	heart: "abstract",
	blossom: "meadow",
	tree: "meadow",
	tent: "mountains",
};

/** A stream of chance for one part of the picture, the same for the same prompt and seed. */
export const randomOf = (vision: Pick<Vision, "prompt" | "seed">, part: string): Random =>
	createRandom(vision.prompt, vision.seed, part);

export function envision(prompt: string, seed: number): Vision {
	const mentions = mentionsOf(prompt);
	const mood = readMood(prompt);
	const random = createRandom(prompt, seed, "vision");
	const features = new Set(valuesOf(mentions, "feature"));
	const figures = figuresOf(mentions);
	const setting = settingOf(mentions, figures, features);
	const weather = weatherOf(mentions, features, setting, random.fork("weather"));
	const time = timeOf(mentions, features, weather, mood, random.fork("time"));
	const paletteName = paletteNameOf(setting, time, weather, features, random.fork("scheme"));
	const focusX = random.chance(0.5) ? random.between(0.3, 0.36) : random.between(0.64, 0.7);
	return {
		prompt,
		seed,
		mood,
		setting,
		figures,
		features,
		time,
		weather,
		paletteName,
		palette: paletteOf(paletteName, mentions, figures, mood, random.fork("palette")),
		horizon: random.between(0.58, 0.65),
		focusX,
		wind: weather === "storm" ? 1 : features.has("wind") ? 0.75 : 0.12 + 0.35 * mood.energy,
	};
}

type SenseOf<K extends Sense["kind"]> = Extract<Sense, { readonly kind: K }>;

function valuesOf<K extends Sense["kind"]>(mentions: readonly Mention[], kind: K): readonly SenseOf<K>["value"][] {
	return mentions.flatMap(({ sense }) => (sense.kind === kind ? [sense.value as SenseOf<K>["value"]] : []));
}

function figuresOf(mentions: readonly Mention[]): Vision["figures"] {
	const found = new Map<Figure, Colour | null>();
	for (const { sense, wordIndex } of mentions) {
		if (sense.kind !== "figure") continue;
		const before = mentions.findLast(
			(other) =>
				other.sense.kind === "colour" &&
				other.wordIndex >= 0 &&
				other.wordIndex < wordIndex &&
				wordIndex - other.wordIndex <= COLOUR_REACH_WORDS,
		);
		const colour = before?.sense.kind === "colour" ? before.sense.value : null;
		found.set(sense.value, found.get(sense.value) ?? colour);
	}
	return [...found].slice(0, FIGURES_MAX).map(([kind, colour]) => ({ kind, colour }));
}

function settingOf(mentions: readonly Mention[], figures: Vision["figures"], features: Vision["features"]): Setting {
	const named = valuesOf(mentions, "setting");
	const chief = figures[0];
	// A cake, a rocket or planets make sense only where they belong, unless the prompt says otherwise.
	const first = named.find((setting) => setting !== "abstract") ?? named[0];
	if (first !== undefined) return first;
	if (chief !== undefined) return SETTING_OF_FIGURE[chief.kind];
	if (features.has("party")) return "party";
	if (features.has("neon") || features.has("fireworks")) return "city";
	if (features.has("flowers") || features.has("petals") || features.has("rainbow") || features.has("fireflies"))
		return "meadow";
	if (features.has("leaves")) return "forest";
	if (features.has("aurora") || features.has("winter")) return "mountains";
	const speaksOfSky = mentions.some(({ sense }) => sense.kind === "time" || sense.kind === "weather");
	if (speaksOfSky || features.has("stars") || features.has("moon") || features.has("sun") || features.has("birds")) {
		return "mountains";
	}
	return "abstract";
}

const WEATHER_BY_FORCE: readonly Weather[] = ["storm", "snow", "rain", "fog", "cloudy", "clear"];

function weatherOf(
	mentions: readonly Mention[],
	features: Vision["features"],
	setting: Setting,
	random: Random,
): Weather {
	const named = valuesOf(mentions, "weather");
	const strongest = WEATHER_BY_FORCE.find((weather) => named.includes(weather));
	if (strongest !== undefined) return strongest;
	if (features.has("winter") || setting === "village") return "snow";
	return setting === "space" || features.has("aurora") || features.has("stars") || random.chance(0.45)
		? "clear"
		: "cloudy";
}

function timeOf(
	mentions: readonly Mention[],
	features: Vision["features"],
	weather: Weather,
	mood: Mood,
	random: Random,
): Time {
	const named = valuesOf(mentions, "time");
	// "evening sun on a summer day": the more particular word decides.
	for (const time of ["sunset", "dusk", "dawn", "night", "day"] as const) if (named.includes(time)) return time;
	if (features.has("aurora") || features.has("stars") || features.has("moon") || features.has("neon")) return "night";
	if (features.has("fireworks") || features.has("fireflies")) return "night";
	if (features.has("sun") || features.has("rainbow") || features.has("flowers"))
		return random.pick(["day", "day", "dawn"]);
	if (weather === "storm") return random.pick(["dusk", "night"]);
	if (mood.darkness > 0.6) return random.pick(["night", "dusk"]);
	if (mood.darkness < 0.25) return random.pick(["day", "dawn"]);
	return random.pick(["sunset", "day", "dusk", "dawn", "sunset"]);
}

function paletteNameOf(
	setting: Setting,
	time: Time,
	weather: Weather,
	features: Vision["features"],
	random: Random,
): PaletteName {
	if (setting === "space") return "space";
	if (features.has("neon")) return "neon";
	if (features.has("aurora")) return "aurora";
	if (weather === "storm") return "storm";
	if (setting === "city" && weather === "rain" && time !== "day") return "neon";
	if (setting === "party") return random.pick(["dusk", "sunset", "night"]);
	if (time === "night" || time === "dusk" || time === "sunset") return time;
	if (weather === "snow" || features.has("winter")) return "winterDay";
	if (weather === "rain" || weather === "fog") return "grey";
	if (features.has("autumn") || features.has("leaves")) return "autumn";
	if (features.has("spring") || features.has("petals")) return "spring";
	if (setting === "desert") return "desert";
	if (setting === "abstract")
		return random.pick(["sunset", "dusk", "spring", "aurora", "neon", "dawn", "night", "autumn"]);
	return time;
}

function paletteOf(
	name: PaletteName,
	mentions: readonly Mention[],
	figures: Vision["figures"],
	mood: Mood,
	random: Random,
): Palette {
	const scheme: Palette = random.pick<Palette>(PALETTES[name]);
	const chroma = (1 + 0.18 * mood.valence + 0.12 * (mood.energy - 0.45)) * random.between(0.94, 1.1);
	const base = turned(scheme, random.between(-9, 9), chroma, 0.02 * mood.valence);
	const worn = new Set(figures.map((figure) => figure.colour));
	const colours = valuesOf(mentions, "colour");
	const [chief, second] = colours.filter((colour) => !worn.has(colour));
	// A colour that belongs to a thing ("a red boat") only warms the rest; one that stands alone takes the picture.
	if (chief === undefined) return colours[0] === undefined ? base : withAccent(base, colours[0], 0);
	const shifted = tinted(base, chief, 0.82);
	const coloured = withAccent(shifted, chief, 0);
	return second === undefined ? coloured : withAccent(coloured, second, 1);
}

function withAccent(palette: Palette, colour: Colour, index: 0 | 1): Palette {
	const [first, second, third] = palette.accents;
	return { ...palette, accents: index === 0 ? [colour, second, third] : [first, colour, third] };
}
