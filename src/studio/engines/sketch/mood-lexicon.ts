import type { Mood } from "./mood.ts";

/** Valence, energy, darkness; null where the words say nothing of that axis. */
type Entry = readonly [valence: number | null, energy: number | null, darkness: number | null, words: string];

/** English first, then German, French, Spanish, Portuguese, Japanese, Chinese, Korean and emoji that mean much the same. */
const ENTRIES: readonly Entry[] = [
	// Feelings
	[
		0.9,
		0.65,
		0.2,
		"happy happiness joy joyful cheerful merry glad delight delighted jolly smile smiling grin laugh laughing laughter",
	],
	[
		0.9,
		0.65,
		0.2,
		"glücklich fröhlich freude heiter lachen heureux heureuse joyeux joyeuse joie rire feliz alegre alegría alegria sonrisa sorriso",
	],
	[
		0.9,
		0.65,
		0.2,
		"嬉しい 楽しい 幸せ 笑顔 快乐 快樂 高兴 高興 开心 開心 幸福 喜び 행복 기쁨 기쁜 즐거운 😀 😃 😄 😁 😆 😊 🙂 🥰 😂 🤣 😺",
	],
	[
		0.85,
		0.9,
		0.25,
		"ecstatic euphoric euphoria thrilled thrilling exciting excited triumph triumphant triumphal victory victorious jubilant jubilee glory glorious",
	],
	[0.85, 0.9, 0.25, "sieg triumphierend victoire victoria vitória 勝利 胜利 승리 🏆 🥇 🎉 🎊 🥳 🎆 🤩"],
	[
		0.75,
		0.3,
		0.3,
		"love lovely loving romance romantic tender tenderness kiss sweet sweetheart darling affection warm warmth cosy cozy cuddle hug",
	],
	[
		0.75,
		0.3,
		0.3,
		"liebe zärtlich gemütlich amour tendre doux amor cariño ternura beso carinho beijo 愛 恋 爱 爱情 사랑 ❤ 💕 💖 💗 💛 💙 💚 💜 😍 😘 💋 🤗",
	],
	[
		0.7,
		0.55,
		0.15,
		"hope hopeful optimistic optimism dream inspired inspiring uplifting bright brilliant wonderful beautiful beauty pretty good great nice",
	],
	[
		0.7,
		0.55,
		0.15,
		"hoffnung traum schön espoir rêve beau belle esperanza sueño hermoso bonito esperança sonho lindo 希望 夢 梦 美しい 美丽 美麗 희망 꿈 ✨ 🌟 🌈",
	],
	[
		0.75,
		0.7,
		0.2,
		"funny fun silly playful play cute comic comical cheeky goofy whimsical quirky humour humor joke bouncy upbeat lively",
	],
	[
		0.75,
		0.7,
		0.2,
		"lustig spaß niedlich drôle amusant mignon divertido gracioso engraçado fofo 可愛い かわいい 可爱 可愛 귀여운 😜 🤪 😛 🤡",
	],
	[
		0.5,
		0.1,
		0.3,
		"calm peace peaceful serene serenity quiet quietly tranquil still stillness gentle soft softly soothing relax relaxed relaxing meditate meditation mellow rest zen",
	],
	[
		0.5,
		0.1,
		0.3,
		"ruhig ruhe friedlich frieden still sanft leise paisible paix tranquille tranquilo tranquila sereno serena suave paz 静か 穏やか 平和 安静 安靜 平静 宁静 寧靜 고요 평화 조용 😌 🕊 🧘",
	],
	[
		0.4,
		0.08,
		0.75,
		"sleep sleepy sleeping asleep lull drowsy slumber bedtime pillow yawn schlaf schlafen schlafend müde sommeil dormir sueños sono 眠り 睡眠 睡觉 잠 😴 💤 🛌",
	],
	[
		-0.8,
		0.2,
		0.6,
		"sad sadness sorrow sorrowful unhappy cry crying tear weep weeping mourn mourning grief grieving heartbreak heartbroken broken melancholy melancholic gloomy gloom despair misery miserable hopeless tragic tragedy",
	],
	[
		-0.8,
		0.2,
		0.6,
		"traurig trauer tränen schwermut verzweiflung triste tristesse larmes chagrin désespoir tristeza llanto lágrimas dolor pena melancolía saudade choro dor",
	],
	[-0.8, 0.2, 0.6, "悲しい 悲しみ 涙 哀 悲伤 悲傷 难过 難過 伤心 眼泪 슬픔 슬픈 눈물 😢 😭 😞 😔 😿 💔 🥀 ☹ 🙁"],
	[
		-0.55,
		0.12,
		0.6,
		"lonely loneliness alone lost empty emptiness abandoned farewell goodbye parting nostalgia nostalgic longing miss missing regret homesick forgotten solitude wistful bittersweet",
	],
	[
		-0.55,
		0.12,
		0.6,
		"einsam einsamkeit allein abschied sehnsucht verloren seul solitude adieu perdu solo sola soledad adiós perdido sozinho solidão adeus 寂しい 孤独 別れ 孤獨 孤单 告别 외로운 이별 그리움",
	],
	[
		-0.7,
		0.95,
		0.6,
		"angry anger rage raging fury furious hate hatred wrath mad violent violence revenge scream screaming aggressive brutal",
	],
	[
		-0.7,
		0.95,
		0.6,
		"wütend wut zorn hass colère furieux rage haine furioso ira rabia odio raiva ódio 怒り 怒る 愤怒 憤怒 화난 분노 😠 😡 🤬 👿 💢",
	],
	[
		-0.75,
		0.55,
		0.9,
		"fear afraid scary scared frightening horror terror terrifying terrified dread creepy eerie spooky haunted haunting nightmare sinister ominous evil menace menacing threat danger dangerous panic",
	],
	[
		-0.75,
		0.55,
		0.9,
		"angst grusel gruselig unheimlich albtraum böse gefahr peur effrayant cauchemar sinistre miedo terror pesadilla malvado peligro medo pesadelo perigo 怖い 恐怖 悪夢 恐ろしい 害怕 可怕 噩梦 무서운 공포 악몽 😱 😨 😰 👻 💀 ☠ 👹 🎃 🧟",
	],
	[
		-0.3,
		0.4,
		0.75,
		"mystery mysterious strange weird secret enigma enigmatic tension tense suspense suspicious noir surreal uncanny cryptic",
	],
	[-0.3, 0.4, 0.75, "geheimnis geheimnisvoll mystère mystérieux misterio misterioso mistério 神秘 謎 秘密 신비 🔮 🕵 👁"],
	[
		-0.4,
		0.5,
		0.5,
		"anxious anxiety worry worried nervous stress stressed pain painful hurt suffer suffering wound sick poison ugly bad wrong",
	],
	// Light and dark, weather
	[
		0.6,
		0.5,
		0.02,
		"sun sunshine sunlight daylight noon midday sunbeam summer tropical sonne sonnig sommer soleil ensoleillé été sol soleado verano verão 太陽 夏 阳光 陽光 夏天 태양 햇살 여름 ☀ 🌞 🌤 🏖 🌴 😎",
	],
	[
		0.6,
		0.35,
		0.2,
		"sunrise dawn morning daybreak aurora awakening sonnenaufgang morgen morgenröte aube matin amanecer mañana amanhecer manhã 朝 夜明け 早晨 黎明 아침 새벽 🌅 🌄",
	],
	[
		0.3,
		0.2,
		0.55,
		"sunset dusk twilight evening afterglow golden sonnenuntergang dämmerung abend crépuscule soir atardecer ocaso tarde entardecer pôr 夕日 夕焼け 黄昏 日落 傍晚 노을 저녁 🌇 🌆",
	],
	[
		null,
		0.25,
		0.95,
		"night midnight nocturnal nocturne nighttime nacht mitternacht nuit minuit noche medianoche noite 夜 深夜 夜晚 晚上 밤 한밤 🌃 🌉",
	],
	[
		0.2,
		0.15,
		0.85,
		"moon moonlight moonlit star starry stars starlight mond mondschein stern sterne lune étoile étoiles luna estrella estrellas lua estrela 月 星 星空 月亮 星星 달 달빛 별 🌙 🌕 🌜 🌛 ⭐ 🌌",
	],
	[
		-0.35,
		null,
		0.9,
		"dark darkness black shadow shadowy dim abyss obsidian dunkel dunkelheit schwarz schatten finster sombre noir noire ombre obscurité oscuro oscuridad sombra negro escuro escuridão preto 闇 暗い 黒 影 黑暗 黑 어둠 검은 🖤 🌑 ⚫",
	],
	[
		0.3,
		null,
		0.05,
		"light luminous radiant glow glowing shine shining sparkle sparkling white clear licht hell weiß lumière lumineux clair blanc luz claro blanco brilhante branco 光 明るい 白 明亮 白色 빛 하얀 💡 🤍 ⚪",
	],
	[
		-0.6,
		0.9,
		0.7,
		"storm thunder thunderstorm lightning tempest hurricane tornado cyclone typhoon sturm gewitter blitz donner orage tempête foudre tormenta rayo trueno tempestade trovão raio 嵐 雷 台風 暴风 暴風 闪电 閃電 폭풍 번개 천둥 ⛈ 🌩 ⚡ 🌪 🌀",
	],
	[-0.25, 0.25, 0.5, "rain drizzle rainfall raindrop raining regen pluie lluvia chuva 雨 비 빗물 🌧 ☔ 💧 🌦"],
	[
		-0.2,
		0.12,
		0.5,
		"fog mist haze grey gray cloud overcast autumn fall november nebel wolke grau herbst brume brouillard nuage gris automne niebla nube otoño névoa nuvem outono 霧 雲 秋 雾 雲 云 秋天 안개 구름 가을 🌫 ☁ 🍂 🍁",
	],
	[
		0.05,
		0.2,
		0.25,
		"winter snow snowy snowfall ice frost frozen cold arctic glacier schnee eis kalt hiver neige glace froid invierno nieve hielo frío inverno neve gelo frio 雪 冬 氷 冰 冬天 寒い 눈꽃 겨울 얼음 ❄ ☃ ⛄ 🏔 🧊",
	],
	[
		0.65,
		0.45,
		0.12,
		"spring blossom bloom flower garden meadow butterfly frühling blume blüte wiese printemps fleur jardin primavera flor jardín jardim 春 花 桜 春天 花园 봄 꽃 벚꽃 🌸 🌷 🌺 🌻 🌼 💐 🦋 🌱",
	],
	[0.1, 0.45, null, "wind breeze windswept brise vent viento vento 風 风 바람 🍃 🌬"],
	// Nature and places
	[
		0.25,
		0.35,
		0.3,
		"sea ocean wave beach coast shore island sail harbour harbor lighthouse meer ozean welle strand insel mer océan vague plage île océano ola playa isla onda praia ilha 海 波 島 海洋 大海 바다 파도 섬 🌊 🏝 ⛵ 🐚 🐳 🐬",
	],
	[
		0.3,
		0.2,
		0.35,
		"forest wood tree river lake valley mountain hill field countryside nature leaf wald baum fluss see berg tal forêt arbre rivière lac montagne bosque árbol río lago montaña floresta árvore rio montanha 森 木 川 山 湖 自然 森林 河 숲 나무 강 산 🌲 🌳 ⛰ 🌿 🏞",
	],
	[
		0.1,
		0.1,
		0.3,
		"desert dune horizon vast endless sky heaven wüste himmel désert ciel desierto cielo deserto céu 空 砂漠 天空 沙漠 하늘 사막 🏜 🐪",
	],
	[
		0,
		0.1,
		0.9,
		"space cosmos cosmic galaxy universe planet nebula astronaut void orbit weltraum weltall espace univers espacio universo galaxia espaço 宇宙 銀河 太空 银河 우주 은하 🚀 🛸 🪐 👽 👩‍🚀",
	],
	[0.1, 0.15, 0.65, "underwater deep submarine submerged unterwasser tief profondeur profundo 深海 水中 심해 🐙 🐠 🤿"],
	[
		0.1,
		0.65,
		0.6,
		"city urban street neon traffic skyline metropolis downtown cyberpunk stadt straße großstadt ville rue ciudad calle cidade rua 街 都市 城市 街道 도시 거리 🏙 🚦 🚕",
	],
	[
		0,
		0.8,
		0.5,
		"robot machine factory engine industrial metal steel laser cyber computer maschine fabrik roboter usine máquina fábrica ロボット 機械 机器 로봇 🤖 ⚙ 🏭 💻",
	],
	[
		0.45,
		0.5,
		0.4,
		"magic magical fairy enchanted wizard unicorn tale fantasy elf wonder zauber märchen magie fée conte magia hada cuento fada 魔法 妖精 童话 마법 요정 🧚 🦄 🪄 🧙 🏰",
	],
	[
		-0.35,
		0.15,
		0.85,
		"ghost grave graveyard cemetery tomb crypt ruin bone skeleton geist friedhof grab ruine fantôme tombe fantasma tumba cementerio cemitério 幽霊 墓 廃墟 鬼 幽灵 유령 무덤 ⚰ 🪦 🦇 🕷",
	],
	[
		-0.75,
		0.35,
		0.8,
		"death die dying dead funeral doom apocalypse hell blood bloody demon devil tod sterben begräbnis hölle blut teufel mort mourir enfer sang démon diable muerte morir infierno sangre demonio morte inferno sangue 死 血 地獄 悪魔 死亡 地狱 恶魔 죽음 피 지옥 악마 🩸 😈",
	],
	// Action
	[
		0.35,
		0.92,
		0.45,
		"party dance dancing rave disco club festival celebrate celebration carnival fiesta tanz tanzen feier fête danse danser baile bailar dança dançar festa 踊り 祭り パーティー 跳舞 派对 狂欢 춤 파티 축제 💃 🕺 🪩 🎈",
	],
	[
		0.2,
		0.95,
		0.35,
		"energetic energy fast quick rapid speed speedy wild crazy hyper intense intensity frantic frenzy hectic power powerful strong explosive dynamic furious turbo",
	],
	[
		0.2,
		0.95,
		0.35,
		"schnell energiegeladen wild kraft stark rapide énergique fou folle puissant rápido enérgico loco fuerte poder enérgico louco forte 速い 激しい 元気 快 激烈 빠른 신나는 강한 💪 🔥 💥 🏎",
	],
	[
		0.15,
		0.85,
		0.4,
		"run running race racing chase chasing drive driving jump fly flying fight rennen jagd springen courir course sauter correr carrera saltar volar pular 走る 飛ぶ 跑 飞 飛 달리기 🏃 🚴 🏁 🛹 🏄",
	],
	[
		-0.4,
		0.9,
		0.6,
		"battle war warrior fight army soldier attack combat conquest dragon monster giant beast krieg schlacht kampf drache guerre bataille guerra batalla lucha dragón monstruo batalha luta dragão 戦い 戦争 竜 战争 战斗 龙 怪物 전쟁 전투 용 ⚔ 🗡 🛡 🐉 🐲 👾",
	],
	[
		0.3,
		0.8,
		0.45,
		"epic heroic hero grand majestic adventure quest legend legendary mighty noble abenteuer héros aventure épique héroe aventura épico herói aventura 英雄 冒険 冒险 영웅 모험 🦸 👑 🏹",
	],
	[
		-0.2,
		0.75,
		0.6,
		"fire burn burning flame volcano lava inferno feuer flamme brennen feu flamme brûler fuego llama fogo chama 火 炎 火焰 불 불꽃 🌋 🧨",
	],
	[
		null,
		0.1,
		null,
		"slow slowly lazy idle float floating drift drifting hover languid langsam träge lent lento lenta devagar ゆっくり 慢 느린 🐌 🐢 🦥",
	],
	[
		0.5,
		0.35,
		0.35,
		"cat kitten dog puppy bunny rabbit bird bear fox animal katze hund hase vogel bär chat chien lapin oiseau gato perro conejo pájaro cachorro pássaro 猫 犬 鳥 兎 狗 鸟 兔 고양이 강아지 새 🐱 🐶 🐰 🐦 🐻 🦊 🐈 🐕 🐥 🐤",
	],
	[
		0.6,
		0.3,
		0.3,
		"baby child children kid family home friend friendship birthday wedding christmas kind kinder familie freund heimat enfant famille ami niño niña familia amigo hogar criança família 子供 家族 友達 孩子 朋友 아이 가족 친구 👶 🧒 👪 🎂 🎁 🎄 👰",
	],
	[
		0.4,
		0.3,
		0.3,
		"coffee tea cafe study studying book library afternoon sunday cake kaffee tee kuchen café thé gâteau té libro bolo コーヒー 喫茶店 咖啡 茶 커피 ☕ 🍵 📚 🍰",
	],
];

/** Each word of the lexicon and what it weighs on the axes it speaks of. */
export const MOOD_LEXICON: ReadonlyMap<string, Partial<Mood>> = new Map(
	ENTRIES.flatMap(([valence, energy, darkness, words]) => {
		const weights: Partial<Mood> = {
			...(valence !== null && { valence }),
			...(energy !== null && { energy }),
			...(darkness !== null && { darkness }),
		};
		return words.split(" ").map((word) => [word, weights] as const);
	}),
);
