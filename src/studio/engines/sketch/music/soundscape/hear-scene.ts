import { findMentions, readMood } from "../../mood.ts";
import { birds, crickets } from "./creatures.ts";
import type { Element } from "./noise.ts";
import { city, fire, machine, space } from "./places.ts";
import { rain, sea, stream, thunder, underwater, wind } from "./weather.ts";

/** What can be heard, and how loud beside the others, in dB: a cricket pierces, a wind does not. */
export const ELEMENTS = {
	sea: { sound: sea, levelDecibels: 0 },
	wind: { sound: wind, levelDecibels: -2 },
	rain: { sound: rain, levelDecibels: -1 },
	thunder: { sound: thunder, levelDecibels: 1 },
	stream: { sound: stream, levelDecibels: -1 },
	underwater: { sound: underwater, levelDecibels: 0 },
	birds: { sound: birds, levelDecibels: -5 },
	crickets: { sound: crickets, levelDecibels: -11 },
	fire: { sound: fire, levelDecibels: 0 },
	city: { sound: city, levelDecibels: 0 },
	machine: { sound: machine, levelDecibels: -4 },
	space: { sound: space, levelDecibels: -4 },
} as const satisfies Record<string, { readonly sound: Element; readonly levelDecibels: number }>;
export type ElementName = keyof typeof ELEMENTS;

const SOURCES: readonly (readonly [elements: readonly ElementName[], words: string])[] = [
	[
		["sea"],
		"sea ocean wave beach coast shore island surf tide harbour harbor ship boat sail meer ozean welle strand mer océan vague plage mar océano ola playa onda praia 海 波 大海 海洋 바다 파도 🌊 🏖 ⛵ 🐚 🏝",
	],
	[["sea", "wind"], "lighthouse cliff pirate leuchtturm phare faro farol 灯台 灯塔 등대"],
	[
		["wind", "rain", "thunder"],
		"storm thunderstorm tempest hurricane typhoon sturm gewitter orage tempête tormenta tempestade 嵐 台風 暴风雨 暴风 폭풍 ⛈",
	],
	[["thunder"], "thunder lightning donner blitz tonnerre foudre trueno trovão 雷 闪电 천둥 번개 🌩 ⚡"],
	[["rain"], "rain raindrop drizzle regen pluie lluvia chuva 雨 비 🌧 ☔ 🌦"],
	[
		["wind"],
		"wind breeze desert dune mountain snow winter blizzard arctic ice hill sky cloud kite tornado wüste berg schnee winter himmel vent désert montagne neige viento desierto montaña nieve vento deserto neve 風 山 雪 风 바람 산 눈보라 🍃 🌬 🏔 ⛰ ❄ 🏜 🌪",
	],
	[
		["stream"],
		"river stream creek brook waterfall fountain fluss bach rivière cascade río cascada rio cachoeira 川 滝 河 瀑布 강 폭포",
	],
	[
		["underwater"],
		"underwater submarine whale coral reef fish shark octopus dolphin fisch poisson pez peixe 深海 鯨 鱼 물고기 고래 🐠 🐟 🐙 🐳 🐋 🦈 🐬 🤿",
	],
	[["birds", "wind"], "forest wood jungle tree wald forêt bosque floresta 森 森林 숲 🌲 🌳 🌴"],
	[
		["birds"],
		"bird birdsong morning dawn sunrise spring garden meadow park flower field vogel morgen frühling wiese oiseau matin printemps jardin pájaro primavera jardín pássaro manhã 鳥 朝 春 花 鸟 早晨 새벽 봄 꽃 🐦 🐤 🌸 🌷 🌻 🌅 🦜",
	],
	[
		["crickets"],
		"cricket night evening dusk moon firefly camp swamp meadow nacht abend mond nuit soir noche luna noite lua 夜 夜晚 月 밤 달 🦗 🌙 🌃 🌜",
	],
	[["fire", "crickets"], "campfire bonfire lagerfeuer 🏕"],
	[
		["fire"],
		"fire flame fireplace hearth candle torch volcano lava dragon burn feuer flamme kamin drache feu cheminée dragon fuego hoguera dragón fogo dragão 火 炎 竜 龙 불 용 🔥 🌋 🐉 🕯",
	],
	[
		["city"],
		"city street traffic town market cafe car train skyline urban downtown neon cyberpunk stadt straße ville rue ciudad calle cidade rua 街 都市 城市 街道 도시 거리 🏙 🌆 🚗 🚦 🌉",
	],
	[
		["space"],
		"space cosmos galaxy universe planet star nebula astronaut rocket spaceship alien ufo orbit weltraum weltall espace espacio galaxia espaço 宇宙 銀河 太空 银河 우주 은하 🚀 🛸 🪐 🌌 👽 👩‍🚀",
	],
	[
		["machine"],
		"robot machine factory engine steampunk industrial clockwork maschine fabrik roboter usine máquina fábrica ロボット 機械 机器 로봇 기계 🤖 ⚙ 🏭",
	],
];

const ELEMENTS_BY_WORD: ReadonlyMap<string, readonly ElementName[]> = new Map(
	SOURCES.flatMap(([elements, words]) => words.split(" ").map((word) => [word, elements] as const)),
);

/** More at once is mud. */
const ELEMENTS_MAX = 4;

/** What is to be heard where a prompt takes place; where it names nothing, what its mood would hear. */
export function hearScene(prompt: string): readonly ElementName[] {
	const mentions = findMentions(prompt, ELEMENTS_BY_WORD);
	const silenced = new Set(mentions.flatMap(({ value, negated }) => (negated ? value : [])));
	const named = new Set(
		mentions.flatMap(({ value, negated }) => (negated ? [] : value)).filter((name) => !silenced.has(name)),
	);
	// Crickets hide from the weather, and birds from the night.
	if (named.has("rain") || named.has("space") || named.has("underwater") || named.has("city")) named.delete("crickets");
	if (named.has("crickets")) named.delete("birds");
	if (named.size > 0) return [...named].slice(0, ELEMENTS_MAX);
	const { valence, energy, darkness } = readMood(prompt);
	if (valence < -0.25) return energy > 0.6 ? ["wind", "thunder"] : ["wind"];
	return darkness > 0.6 ? ["crickets", "wind"] : ["birds", "wind"];
}
