import { oklch, type Colour } from "./picture/colour.ts";
import { wordsOf } from "./mood.ts";

export const SETTINGS = [
	"sea",
	"lake",
	"mountains",
	"forest",
	"meadow",
	"city",
	"desert",
	"space",
	"village",
	"party",
	"abstract",
] as const;
export type Setting = (typeof SETTINGS)[number];

export const FIGURES = [
	"lighthouse",
	"sailboat",
	"island",
	"castle",
	"cabin",
	"windmill",
	"cat",
	"dog",
	"fox",
	"rabbit",
	"bear",
	"owl",
	"deer",
	"horse",
	"whale",
	"rocket",
	"planet",
	"balloon",
	"cake",
	"heart",
	"blossom",
	"tree",
	"tent",
] as const;
export type Figure = (typeof FIGURES)[number];

export type Time = "dawn" | "day" | "sunset" | "dusk" | "night";
export type Weather = "clear" | "cloudy" | "storm" | "rain" | "snow" | "fog";
const FEATURES = [
	"aurora",
	"fireworks",
	"rainbow",
	"stars",
	"moon",
	"sun",
	"birds",
	"petals",
	"leaves",
	"fireflies",
	"flowers",
	"neon",
	"party",
	"wind",
	"autumn",
	"spring",
	"winter",
	"abstract",
] as const;
export type Feature = (typeof FEATURES)[number];

/** What one word calls for. */
export type Sense =
	| { readonly kind: "setting"; readonly value: Setting }
	| { readonly kind: "figure"; readonly value: Figure }
	| { readonly kind: "time"; readonly value: Time }
	| { readonly kind: "weather"; readonly value: Weather }
	| { readonly kind: "feature"; readonly value: Feature }
	| { readonly kind: "colour"; readonly value: Colour };

export interface Mention {
	readonly sense: Sense;
	/** Which word of the prompt; -1 where the sign was found inside a run of text that has no spaces. */
	readonly wordIndex: number;
}

const settingWords: Readonly<Partial<Record<Setting, string>>> = {
	sea: "sea ocean coast shore beach wave waves tide bay harbor harbour cliff surf tsunami pirate mer océan plage vague meer ozean strand küste welle mar océano playa ola mare spiaggia onda praia море океан пляж волна بحر محيط 海 海洋 浜 波 바다 파도 🌊 🏖 ⛱",
	lake: "lake river pond lagoon fjord stream canal lac rivière étang see fluss teich lago río laguna fiume rio озеро река بحيرة نهر 湖 川 河 池 호수 강가",
	mountains:
		"mountain mountains peak peaks summit alps himalaya himalayas everest hill hills valley canyon cliffs volcano matterhorn fuji montagne montagnes sommet berg berge gipfel alpen montaña montañas cumbre montagna montagne montanha montanhas гора горы جبل جبال 山 富士 峰 산맥 산속 ⛰ 🏔 🗻 🌋",
	forest:
		"forest wood woods woodland jungle rainforest taiga grove pine pines trees trail forêt bois wald bäume bosque selva foresta bosco floresta лес джунгли غابة 森 林 숲 🌲 🌳",
	meadow:
		"meadow field fields garden grass prairie savanna savannah countryside farm lawn pasture park picnic jardin prairie champ wiese garten feld jardín jardin prado campo giardino prato jardim сад поле луг حديقة حقل 庭 草原 花园 花園 野原 정원 들판 🏞",
	city: "city town street downtown skyline skyscraper skyscrapers metropolis urban building buildings alley tokyo paris london york shanghai cyberpunk manhattan ville rue stadt straße strasse ciudad calle città strada cidade rua город улица مدينة شارع 街 都市 城市 東京 東京 도시 서울 🏙 🌃 🌆 🌇 🏢",
	desert:
		"desert dune dunes sand sahara oasis mars martian cactus camel désert wüste desierto deserto пустыня صحراء 砂漠 沙漠 사막 🏜 🐪 🐫 🌵",
	space:
		"space galaxy galaxies cosmos cosmic universe nebula planet planets orbit asteroid comet supernova interstellar astronaut alien ufo saturn jupiter milky espace galaxie weltraum weltall espacio galaxia universo spazio galassia espaço galáxia космос галактика вселенная فضاء مجرة 宇宙 銀河 银河 太空 우주 은하 🌌 👽 👨‍🚀 👩‍🚀 🛸 ☄",
	village:
		"village hamlet christmas xmas noel noël weihnachten navidad natale natal santa dorf pueblo villaggio aldeia деревня рождество قرية 村 クリスマス 圣诞 聖誕 마을 크리스마스 🎄 🎅 🏘",
	party:
		"birthday party celebration anniversary congratulations congrats celebrate anniversaire fête geburtstag feier cumpleaños fiesta compleanno festa aniversário рождения праздник عيد 誕生日 生日 생일 파티 🎂 🎉 🎊 🥳 🎁",
	abstract:
		"abstract pattern dream dreams chaos flow swirl psychedelic surreal emotion music geometry fractal void abstrait abstrakt abstracto astratto абстракция 抽象",
};

const figureWords: Readonly<Record<Figure, string>> = {
	lighthouse: "lighthouse phare leuchtturm faro farol маяк منارة 灯台 灯塔 燈塔 등대 🗼",
	sailboat:
		"ship boat sailboat sail yacht vessel galleon sailing bateau voilier navire schiff boot segelboot barco velero nave barca корабль лодка парус سفينة قارب 船 帆船 배를 ⛵ 🚢 🛥 ⛴",
	island: "island islands palm palms tropical paradise île insel isla isola ilha остров пальма جزيرة 島 岛 섬 🏝 🌴",
	castle:
		"castle fortress palace kingdom tower medieval château schloss burg castillo castello castelo замок дворец قلعة 城 宮殿 성 🏰 🏯",
	cabin:
		"cabin cottage house hut home chalet lodge barn maison chalet haus hütte casa cabaña rifugio дом изба بيت كوخ 家 小屋 房子 집 오두막 🏠 🏡 🛖",
	windmill: "windmill mill windmühle moulin molino mulino moinho мельница 風車 风车 풍차",
	cat: "cat cats kitten kitty tabby chat katze kater gato gata gatto кот кошка котёнок قطة قط 猫 貓 ねこ ネコ 고양이 🐱 🐈 😺 😸",
	dog: "dog dogs puppy hound corgi husky labrador wolf wolves chien hund perro cane cachorro lobo loup собака пёс волк كلب ذئب 犬 狗 いぬ 狼 강아지 개와 🐶 🐕 🐺",
	fox: "fox foxes renard fuchs zorro volpe raposa лиса ثعلب 狐 キツネ 여우 🦊",
	rabbit: "rabbit bunny hare lapin hase kaninchen conejo coniglio coelho кролик заяц أرنب 兎 うさぎ 兔 토끼 🐰 🐇",
	bear: "bear bears panda grizzly teddy ours bär oso orso urso медведь دب 熊 くま 곰 🐻 🐼 🧸",
	owl: "owl owls hibou eule búho gufo coruja сова بومة 梟 フクロウ 猫头鹰 부엉이 🦉",
	deer: "deer stag elk moose reindeer cerf hirsch ciervo cervo олень غزال 鹿 사슴 🦌",
	horse:
		"horse horses pony unicorn stallion mustang cheval pferd einhorn caballo cavallo cavalo лошадь конь единорог حصان 馬 马 말이 🐴 🐎 🦄",
	whale: "whale whales orca baleine wal ballena balena baleia кит حوت 鯨 クジラ 鲸 고래 🐳 🐋",
	rocket:
		"rocket rockets spaceship spacecraft shuttle starship fusée rakete cohete razzo foguete ракета صاروخ ロケット 火箭 로켓 🚀",
	planet:
		"planet planets saturn jupiter moons planète planeten planeta pianeta планета كوكب 惑星 行星 행성 🪐 🌍 🌎 🌏",
	balloon:
		"balloon balloons airship zeppelin ballon montgolfière heißluftballon globo palloncino mongolfiera balão шар воздушный بالون منطاد 気球 風船 气球 풍선 🎈",
	cake: "cake cupcake gâteau kuchen torte pastel torta bolo торт كعكة ケーキ 蛋糕 케이크 🎂 🍰 🧁",
	heart:
		"heart hearts love valentine valentines romance coeur cœur amour herz liebe corazón amor cuore amore coração сердце любовь قلب حب 愛 恋 爱 心 사랑 하트 ❤ 💕 💖 💘 💗 💙 💚 💛 💜 🧡 🖤 😍 🥰",
	blossom:
		"blossom blossoms cherry sakura hanami cerisier kirschblüte cerezo ciliegio cerejeira сакура 桜 櫻 樱花 さくら 벚꽃 🌸",
	tree: "tree oak willow maple bonsai arbre baum árbol albero árvore дерево شجرة 木 树 樹 나무",
	tent: "tent camp camping campfire bonfire campsite zelt lagerfeuer tente campamento tenda палатка костёр خيمة テント キャンプ 帐篷 캠핑 ⛺ 🏕 🔥",
};

const timeWords: Readonly<Record<Time, string>> = {
	dawn: "dawn sunrise morning daybreak aube aurore matin morgen morgendämmerung sonnenaufgang amanecer mañana alba mattina amanhecer рассвет утро فجر شروق صباح 朝 夜明け 日の出 黎明 早晨 아침 새벽 🌅 🌄",
	day: "day daylight noon midday sunny bright summer jour midi ensoleillé été tag mittag sonnig sommer día mediodía soleado verano giorno estate dia verão день солнечный лето نهار صيف 昼 夏 晴れ 白天 여름 한낮 ☀ 🌞",
	sunset:
		"sunset golden-hour evening coucher soir sonnenuntergang abend atardecer puesta tarde tramonto sera entardecer закат вечер غروب مساء 夕焼け 夕方 夕日 日落 黄昏 노을 저녁 🌇",
	dusk: "dusk twilight gloaming crépuscule dämmerung crepúsculo crepuscolo сумерки شفق 夕暮れ 暮色 황혼",
	night:
		"night midnight nocturnal moonlit starry nighttime dark nuit minuit nacht mitternacht noche medianoche notte noite ночь полночь ليل ليلة 夜 夜空 深夜 晚上 밤 🌙 🌃 🌌 🦇",
};

const weatherWords: Readonly<Record<Weather, string>> = {
	storm:
		"storm stormy thunder lightning thunderstorm tempest hurricane typhoon tornado gale orage tempête sturm gewitter blitz tormenta tempestad rayo tempesta temporale tempestade шторм гроза буря молния عاصفة برق 嵐 雷 台風 暴风 风暴 暴風 폭풍 번개 ⛈ 🌩 ⚡ 🌪",
	rain: "rain rainy raining drizzle shower wet umbrella monsoon pluie regen lluvia pioggia chuva дождь مطر 雨 비가 비오는 🌧 ☔ 🌂",
	snow: "snow snowy snowing blizzard snowfall snowflake frost frozen ice icy arctic winter neige hiver glace schnee winter eis nieve invierno hielo neve inverno ghiaccio gelo снег зима лёд ثلج شتاء 雪 冬 氷 눈이 겨울 ❄ ☃ ⛄ 🌨",
	fog: "fog foggy mist misty haze hazy brume brouillard nebel niebla nebbia neblina туман ضباب 霧 雾 안개 🌫",
	cloudy:
		"cloud clouds cloudy overcast grey-sky nuage nuages wolke wolken nube nubes nuvola nuvole nuvem облако облака سحاب غيوم 雲 云 구름 ☁ ⛅ 🌥",
	clear: "clear cloudless klar despejado sereno ясно صاف",
};

const featureWords: Readonly<Record<Feature, string>> = {
	aurora: "aurora auroras borealis northern-lights polarlicht nordlicht сияние أورورا オーロラ 极光 極光 오로라",
	fireworks:
		"firework fireworks feuerwerk artifice fuegos fuochi fogos фейерверк салют ألعاب 花火 烟花 煙火 불꽃놀이 🎆 🎇 🧨",
	rainbow: "rainbow regenbogen arcobaleno arcoíris радуга قوس 虹 彩虹 무지개 🌈",
	stars:
		"star stars starry starlight constellation étoile étoiles stern sterne estrella estrellas stella stelle estrela звезда звёзды звезды نجوم نجمة 星 별 ⭐ 🌟 ✨ 🌠",
	moon: "moon moonlight moonlit lune mond luna lua луна قمر 月 달빛 🌙 🌕 🌛 🌝",
	sun: "sun sunny sunshine sunlight soleil sonne sol sole солнце شمس 太陽 太阳 태양 ☀ 🌞",
	birds:
		"bird birds gull gulls seagull seagulls eagle swan crane flock oiseau oiseaux vogel vögel pájaro pájaros uccello uccelli pássaro птица птицы طيور طائر 鳥 鸟 새들 🐦 🕊 🦅 🦢",
	petals: "petal petals blossom blossoms sakura cherry 桜 櫻 樱 花びら 벚꽃 🌸",
	leaves:
		"leaf leaves autumn fall foliage maple feuille feuilles automne blatt blätter herbst hoja otoño foglia autunno folha outono лист листья осень خريف 葉 紅葉 秋 落叶 가을 🍁 🍂",
	fireflies:
		"firefly fireflies magic magical fairy fairies enchanted lantern lanterns glühwürmchen fée luciole luciérnaga lucciola светлячок سحر 蛍 魔法 반딧불 🧚 🪄 🏮",
	flowers:
		"flower flowers floral tulip tulips rose roses daisy daisies poppy poppies lavender sunflower sunflowers wildflower wildflowers bloom fleur fleurs blume blumen flor flores fiore fiori цветок цветы زهرة زهور ورد 花 꽃 🌷 🌹 🌻 🌼 🌺 💐",
	neon: "neon cyberpunk synthwave vaporwave néon неон نيون ネオン サイバーパンク 霓虹 네온",
	party:
		"birthday party celebration celebrate confetti anniversary anniversaire geburtstag cumpleaños compleanno aniversário рождения 誕生日 生日 생일 🎂 🎉 🎊 🥳 🎁",
	wind: "wind windy gale breeze vent wind viento vento ветер ريح 風 风 바람 🌬 💨",
	autumn: "autumn fall automne herbst otoño autunno outono осень خريف 秋 紅葉 가을 🍁 🍂",
	spring: "spring springtime blossom blossoms sakura printemps frühling primavera весна ربيع 春 桜 樱 봄날 벚꽃 🌸 🌷",
	winter: "winter christmas xmas hiver weihnachten invierno navidad inverno зима شتاء 冬 겨울 🎄 ❄ ⛄",
	abstract: "abstract psychedelic surreal fractal abstrait abstrakt abstracto astratto абстракция 抽象",
};

const colourWords: readonly (readonly [Colour, string])[] = [
	[oklch(0.6, 0.22, 27), "red crimson scarlet ruby rouge rot rojo rosso vermelho красный أحمر 赤 红色 紅色 빨간"],
	[oklch(0.72, 0.18, 55), "orange tangerine arancione naranja laranja оранжевый برتقالي オレンジ色 橙色 주황"],
	[oklch(0.82, 0.15, 85), "gold golden amber honey doré goldene dorado dorato dourado золотой ذهبي 金色 黄金 황금"],
	[oklch(0.88, 0.17, 100), "yellow lemon jaune gelb amarillo giallo amarelo жёлтый أصفر 黄色 黃色 노란"],
	[oklch(0.66, 0.17, 145), "green emerald jade vert grün verde зелёный أخضر 緑 绿色 綠色 초록"],
	[oklch(0.72, 0.12, 190), "teal turquoise cyan aqua türkis turquesa бирюзовый فيروزي 水色 青绿 청록"],
	[
		oklch(0.6, 0.17, 255),
		"blue azure sapphire cobalt navy bleu blau azul blu azzurro синий голубой أزرق 青い 青色 蓝色 藍色 파란",
	],
	[
		oklch(0.56, 0.2, 300),
		"purple violet lavender indigo lilac mauve violett lila morado viola roxo фиолетовый بنفسجي 紫 보라",
	],
	[oklch(0.65, 0.25, 335), "magenta fuchsia purpur"],
	[oklch(0.76, 0.15, 358), "pink rosa rose rosado розовый وردي ピンク 粉色 분홍"],
	[oklch(0.48, 0.08, 55), "brown chocolate brun braun marrón marrone marrom коричневый بني 茶色 棕色 갈색"],
	[oklch(0.22, 0.01, 270), "black noir schwarz negro nero preto чёрный أسود 黒 黑色 검은"],
	[oklch(0.97, 0.008, 90), "white ivory blanc weiß weiss blanco bianco branco белый أبيض 白い 白色 하얀"],
	[oklch(0.62, 0.008, 250), "grey gray silver monochrome gris grau grigio cinza серый رمادي 灰色 銀色 회색"],
];

/** Scripts written without spaces, or with particles grown onto the word, are searched inside the text, as are emoji. */
const INSIDE_TEXT =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Extended_Pictographic}]/u;

const { byWord, bySign } = index();

function index(): { byWord: ReadonlyMap<string, readonly Sense[]>; bySign: readonly (readonly [string, Sense])[] } {
	const words = new Map<string, Sense[]>();
	const signs: [string, Sense][] = [];
	const add = (keys: string, sense: Sense): void => {
		for (const key of keys.split(" ")) {
			if (INSIDE_TEXT.test(key)) signs.push([key, sense]);
			else words.set(key, [...(words.get(key) ?? []), sense]);
		}
	};
	for (const value of SETTINGS) add(settingWords[value] ?? "", { kind: "setting", value });
	for (const value of FIGURES) add(figureWords[value], { kind: "figure", value });
	for (const value of ["dawn", "day", "sunset", "dusk", "night"] as const)
		add(timeWords[value], { kind: "time", value });
	for (const value of ["storm", "rain", "snow", "fog", "cloudy", "clear"] as const) {
		add(weatherWords[value], { kind: "weather", value });
	}
	for (const value of FEATURES) add(featureWords[value], { kind: "feature", value });
	for (const [value, keys] of colourWords) add(keys, { kind: "colour", value });
	return { byWord: words, bySign: signs };
}

/** "stormy cats" is about storm and cat: endings that only bend a word are tried off. */
function sensesOf(word: string): readonly Sense[] {
	for (const form of [word, word.replace(/(?:es|s|y)$/u, ""), word.replace(/s$/u, "")]) {
		const senses = form.length >= 3 || form === word ? byWord.get(form) : undefined;
		if (senses !== undefined) return senses;
	}
	return [];
}

/** Everything in a prompt that the painter knows, in the order of the prompt. */
export function mentionsOf(prompt: string): readonly Mention[] {
	const spoken = wordsOf(prompt).flatMap((word, wordIndex) => sensesOf(word).map((sense) => ({ sense, wordIndex })));
	const signed = bySign
		.map(([sign, sense]) => ({ sense, wordIndex: -1, at: prompt.indexOf(sign) }))
		.filter(({ at }) => at >= 0)
		.toSorted((a, b) => a.at - b.at)
		.map(({ sense, wordIndex }) => ({ sense, wordIndex }));
	return [...spoken, ...signed];
}
