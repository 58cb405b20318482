/** The extreme values of the parameters of messages, longest first. A test fails for a parameter without them. */
import type { MessageDescriptor, MessageValue, Text } from "../../src/i18n/message-descriptor.ts";
import { quote } from "../../src/i18n/quote.ts";

const CREDITS_MAX = 1_000_000_000;
const ID = "9".repeat(19);
const AT_S = 4_102_444_800;
/** Each character is escaped. */
const quoted = (charsMax: number): string => quote("*".repeat(charsMax), charsMax);
const NAME = quoted(40);
const CHANNEL = `<#${ID}>`;
const ROLE = `<@&${ID}>`;
const MONEY = { amount: 123_456_789.99, currency: "EUR" };
const IMAGE_SIZE = "16384 × 16384";
const short = "*".repeat(60);
const more: MessageDescriptor = { key: "list.more", params: { count: 1000 } };
const listOf = (item: Text, count: number): readonly Text[] => [...Array.from({ length: count }, () => item), more];

/** Texts by the name of their parameter. */
const TEXTS: Readonly<Record<string, readonly MessageValue[]>> = {
	added: [listOf(CHANNEL, 5), short],
	age: ["vor 59 Minuten"],
	allowed: [listOf(CHANNEL, 5)],
	bar: ["▰▰▰▰▰▰▰▰▰▱"],
	before: [1_000_000_000],
	button: ["Meinen Kauf hier gutschreiben"],
	categories: [listOf({ key: "category.sexual" }, 4)],
	category: [{ key: "category.sexual" }],
	changes: [
		[
			{ key: "change.compressed" },
			{ key: "change.smaller", params: { width: 16_384, height: 16_384 } },
			{ key: "change.fewerFrames", params: { framesPerSecond: 60 } },
			{ key: "change.still" },
			{ key: "change.frame" },
		],
		[{ key: "change.standardColors" }, { key: "change.beginning", params: { seconds: 600 } }],
	],
	channels: [listOf(CHANNEL, 10)],
	command: [{ key: "name.music" }],
	cost: [{ key: "job.creditsHeld", params: { credits: CREDITS_MAX } }, { key: "job.creditsNone" }],
	date: ["30 de novembro de 2026, 23:59"],
	denied: [listOf(CHANNEL, 5)],
	details: [[NAME, NAME, NAME, "600 s", "2147483647"].join(" · ")],
	field: [
		{ key: "field.mediaTypeLimit", params: { mediaType: "video" } },
		{ key: "field.limitOf", params: { mention: ROLE } },
	],
	fields: [
		listOf(
			{ key: "audit.changed", params: { field: { key: "field.unusedCredits" }, oldValue: short, newValue: short } },
			4,
		),
	],
	found: [quoted(60)],
	framesPerSecond: [60],
	height: [16_384],
	imageSize: [IMAGE_SIZE],
	improved: [quoted(500)],
	incidentId: ["0123abcd"],
	keysMax: [20],
	known: [listOf(NAME, 12)],
	language: ["Português do Brasil"],
	link: [`https://discord.com/channels/${ID}/${ID}/${ID}`],
	mark: ["🟦"],
	maskSize: [IMAGE_SIZE],
	max: [2 ** 31],
	media: [[{ key: "mediaType.images" }, { key: "mediaType.videos" }, { key: "mediaType.songs" }]],
	mediaTypeName: [{ key: "mediaType.videos" }],
	members: [
		listOf({ key: "quota.memberUsed", params: { userId: ID, limitCredits: CREDITS_MAX, usedCredits: CREDITS_MAX } }, 6),
	],
	mention: [ROLE],
	min: [0],
	model: [NAME],
	models: [listOf({ key: "help.model", params: { model: "x".repeat(40), costCredits: CREDITS_MAX, money: MONEY } }, 6)],
	money: [MONEY],
	mostDate: ["30 de novembro de 2026"],
	name: [NAME],
	newValue: [short],
	note: [quoted(200)],
	number: [10],
	oldValue: [short],
	option: [{ key: "name.negative_prompt" }, { key: "name.aspect_ratio" }],
	packs: [listOf({ key: "credits.amount", params: { credits: CREDITS_MAX } }, 4)],
	pattern: [quoted(64)],
	percent: ["1.000.000 %"],
	problems: [Array.from({ length: 5 }, () => `- ${quoted(150)}`).join("\n")],
	prompt: [quoted(280)],
	reason: [quoted(300)],
	removed: [listOf(CHANNEL, 5), short],
	revision: [1_000_000],
	roles: [listOf({ key: "quota.role", params: { roleId: ID, limitCredits: CREDITS_MAX } }, 6), listOf(ROLE, 10)],
	rule: [{ key: "categoryRule.ageRestricted" }],
	seconds: [600],
	seed: [2 ** 31 - 1],
	state: [{ key: "state.in_progress" }, { key: "state.unconfirmed" }, { key: "state.failed" }],
	step: [5],
	steps: [5],
	style: [NAME],
	text: [quoted(100)],
	time: ["30 de novembro de 2026"],
	timeZone: ["America/Argentina/ComodRivadavia"],
	typed: [quoted(60)],
	url: [`https://bot.example.com/results/${"a".repeat(120)}`],
	uses: [
		listOf({ key: "usage.model", params: { model: "x".repeat(40), credits: CREDITS_MAX, results: 1_000_000 } }, 10),
	],
	value: [NAME],
	values: [listOf(NAME, 12)],
	who: [`<@${ID}>`, { key: "history.byOwner" }],
	width: [16_384],
};

/** Returns the extreme values of a parameter. Times in seconds end in S, and Discord's ids in Id. */
export function extremesOf(name: string, isNumber: boolean): readonly MessageValue[] {
	if (isNumber) return name === "progress" ? [0.9, 0] : [CREDITS_MAX, 2, 1, 0];
	const texts = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
	if (texts) return texts;
	if (name.endsWith("S")) return [AT_S];
	return name === "id" || name.endsWith("Id") ? [ID] : [];
}
