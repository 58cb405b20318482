/** The most that each parameter of a sentence can be: a new parameter without its extremes fails the type check. */
import type { en } from "../../../src/services/messages/en/index.ts";
import { enumerate, quote } from "../../../src/services/messages/quote.ts";

type Catalogue = typeof en;
type Functions = Extract<Catalogue[keyof Catalogue], (params: never) => string>;
type Params = Parameters<Functions>[0];
type NameOf<P> = P extends unknown ? keyof P : never;
type ValueOf<P, Name extends PropertyKey> = P extends unknown ? (Name extends keyof P ? P[Name] : never) : never;
export type ParamName = NameOf<Params>;

const CREDITS_MAX = 1_000_000_000;
const ID = "9".repeat(19);
const AT_S = 4_102_444_800;
/** Every character of it is escaped. */
const quoted = (charsMax: number): string => quote("*".repeat(charsMax), charsMax);
const NAME = quoted(40);
const LINK = `https://discord.com/channels/${ID}/${ID}/${ID}`;
const credits = [0, 1, 2, CREDITS_MAX] as const;
const ids = Array.from({ length: 10 }, () => ID);
const named = [
	{ ids: [], more: 0 },
	{ ids, more: 90 },
] as const;
const media = ["image", "video", "music"] as const;
const changes = [
	[
		{ kind: "compressed" },
		{ kind: "smaller", width: 16_384, height: 16_384 },
		{ kind: "fewerFrames", framesPerSecond: 60 },
		{ kind: "still" },
		{ kind: "standardColours", faithful: false },
		{ kind: "frame" },
	],
	[
		{ kind: "standardColours", faithful: true },
		{ kind: "beginning", seconds: 600 },
	],
] as const;

export const EXTREMES: { readonly [Name in ParamName]: readonly ValueOf<Params, Name>[] } = {
	action: ["delete", "block", "refund"],
	added: [null, NAME],
	addedCredits: credits,
	after: [null, NAME],
	afterCredits: credits,
	allowed: named,
	amountCredits: [...credits, -CREDITS_MAX],
	are: ["aside", "charged", "none"],
	at: [1, 5],
	atS: [AT_S],
	availableCredits: credits,
	bar: [null, "█".repeat(20)],
	before: [1_000_000_000],
	blocked: [0, 1, 500],
	blocksMax: [500],
	button: ["Meinen Kauf hier gutschreiben"],
	buyerId: [null, ID],
	byUserId: [ID],
	changes,
	channelId: [ID],
	charsMax: [64, 6000],
	command: media,
	confirmAbove: [null, ...credits],
	costCredits: credits,
	createdAtS: [AT_S],
	credits,
	creditsMax: [CREDITS_MAX],
	days: [90],
	deadlineAtS: [AT_S],
	denied: named,
	details: [[NAME, NAME, NAME, "600 s", "2147483647"].join(" · ")],
	entries: [0, 1, 10_000],
	exceptionsMax: [250],
	expiresAtS: [AT_S],
	faults: [["x"], Array.from({ length: 8 }, () => quoted(50))],
	field: ["everyone", "server", "confirmAbove"],
	fields: [NAME],
	found: [quoted(60)],
	fromS: [AT_S],
	heldCredits: credits,
	id: [ID],
	ids: [[], ids],
	incidentId: ["0123abcd"],
	itemCredits: [[1], [CREDITS_MAX, CREDITS_MAX, CREDITS_MAX, CREDITS_MAX]],
	known: [enumerate(Array.from({ length: 20 }, () => "*".repeat(40)))],
	language: [null, "Português do Brasil"],
	leftCredits: credits,
	limitCredits: credits,
	limitMiB: [25],
	link: [LINK],
	listedMax: [100],
	max: [2 ** 31],
	mediaType: media,
	medium: [null, ...media],
	megapixels: [268],
	members: [NAME],
	min: [0],
	minutes: [0, 1, 59, 60, 600, 100_000],
	model: [NAME],
	models: [NAME],
	monthlyCredits: credits,
	more: [0, 1, 1000],
	mostCredits: credits,
	mostDate: ["30 de novembro de 2026"],
	name: [NAME],
	of: [5],
	off: [[], media],
	option: ["aspect_ratio", "negative_prompt"],
	pattern: [quoted(64)],
	patterns: [0, 1, 100],
	patternsMax: [100],
	per: ["day", "week", "month"],
	private: [false, true],
	prompt: [quoted(280)],
	queuePosition: [null, 1, 10_000],
	readyAtS: [null, AT_S],
	reason: [quoted(300)],
	refillsAtS: [AT_S],
	removed: [null, NAME],
	reporterId: [ID],
	resetsAtS: [AT_S],
	results: [0, 1, 1_000_000],
	revision: [1_000_000],
	roleId: [ID],
	roles: [NAME],
	seconds: [1, 600],
	seed: [2 ** 31 - 1],
	sentence: [null, quoted(200)],
	settings: [quoted(400)],
	sizeMaxKiB: [1024],
	sizeMiB: [0.1, 5000],
	spoiler: [false, true],
	state: ["waiting", "sending", "unknown", "making", "canceling", "delivering", "done", "canceled", "failed"],
	step: ["channels", "roles", "budget", "moderators", "summary"],
	style: [NAME],
	styles: [0, 1, 50],
	stylesMax: [50],
	taskId: [ID],
	text: [quoted(100)],
	timeZone: ["America/Argentina/ComodRivadavia"],
	totalCredits: credits,
	typed: [quoted(60)],
	untilS: [null, AT_S],
	unusedCredits: ["expire", "carryOver", "carryOverLater"],
	url: [`https://bot.example.com/results/${"a".repeat(120)}`],
	usedCredits: [null, ...credits],
	userId: [ID],
	uses: [NAME],
	value: [NAME],
	values: [enumerate(Array.from({ length: 20 }, () => "*".repeat(40)))],
	who: [`<@${ID}>`],
};
