/** What members read stays within one message of Discord in every language, with the longest that there can be in it. */
import { describe, expect, test } from "vitest";
import { composeAnswer } from "../../../src/services/tasks/render-result.ts";
import { describeHelp, type HelpFacts } from "../../../src/services/guilds/describe-help.ts";
import { describeSettings } from "../../../src/services/guilds/describe-settings.ts";
import { balanceOf, mineOf } from "../../../src/services/guilds/describe-standing.ts";
import { describeUsage } from "../../../src/services/guilds/describe-usage.ts";
import { lastDays } from "../../../src/services/guilds/period.ts";
import type { GuildStanding } from "../../../src/services/guilds/guild-accounts.ts";
import { storedSettings } from "../../../src/services/guilds/settings-schema.ts";
import type { Model } from "@atelier/media-protocol/model";
import { TRANSLATED_LOCALES } from "../../../src/services/messages/languages.ts";
import { say, type Saying } from "../../../src/services/messages/messages.ts";
import { jobLines } from "../../../src/services/tasks/describe-job.ts";
import type { TaskIn } from "../../../src/services/tasks/task.ts";

const CONTENT_CHARS_MAX = 2000;
const CREDITS_MAX = 1_000_000_000;
const AT_MS = Date.UTC(2099, 11, 31, 23, 59, 59);
const ID = "9".repeat(19);
/** Each character of it is written as two. */
const stars = (count: number): string => "*".repeat(count);

const limit = {
	account: "use:9",
	credits: CREDITS_MAX,
	leftCredits: CREDITS_MAX - 1,
	usedCredits: CREDITS_MAX,
	per: "month",
	resetsAtMs: AT_MS,
} as const;
const standing = {
	balance: {
		postedCredits: CREDITS_MAX,
		heldCredits: CREDITS_MAX,
		availableCredits: CREDITS_MAX,
		expiring: Array.from({ length: 3 }, () => ({ credits: CREDITS_MAX, expiresAtMs: AT_MS })),
	},
	monthlyCredits: CREDITS_MAX,
	refillsAtMs: AT_MS,
	member: limit,
	media: new Map([
		["image", limit],
		["video", limit],
		["music", limit],
	]),
	server: limit,
} as unknown as GuildStanding;
const model = {
	id: "model",
	name: stars(80),
	mediaType: "image",
	scenes: ["text-to-image"],
	options: {},
	price: { per: "image", credits: 999_999, resolutionFactors: {} },
	ageRestricted: false,
} as unknown as Model;
const settings = storedSettings.parse({
	timeZone: "America/Argentina/ComodRivadavia",
	unusedCredits: "carryOver",
	allowance: {
		per: "month",
		everyone: CREDITS_MAX,
		roles: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${ID.slice(2)}${n + 10}`, CREDITS_MAX])),
		members: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${ID.slice(2)}${n + 10}`, CREDITS_MAX])),
		media: { image: CREDITS_MAX, video: CREDITS_MAX, music: CREDITS_MAX },
	},
	warnChannelId: ID,
});
const blocked = {
	...settings,
	blocks: { [ID]: { reason: stars(200), byUserId: ID, atMs: 0, untilMs: AT_MS } },
};
const order = {
	mediaType: "image",
	model: "model",
	modelName: stars(80),
	prompt: stars(6000),
	options: { aspect_ratio: stars(80), resolution: stars(80), duration: 600 },
	costCredits: CREDITS_MAX,
};

function taskWith(outcome: object, leftCredits: number | null, locale: string): TaskIn<"settled"> {
	return {
		id: ID,
		state: "settled",
		order,
		guildId: ID,
		userId: ID,
		locale,
		reply: { channelId: ID, messageId: ID, ephemeral: false },
		createdAtMs: AT_MS,
		deadlineAtMs: AT_MS,
		cancel: { atMs: AT_MS, by: "member" },
		outcome,
		chargedCredits: CREDITS_MAX,
		leftCredits,
	} as unknown as TaskIn<"settled">;
}

const REASONS: readonly Saying[] = [
	{ key: "blocked", params: { reason: `\u2068${stars(400)}\u2069`, untilS: AT_MS } },
	{ key: "serviceRefused", params: { reason: stars(600) } },
	{ key: "outcomeUnknown" },
	{ key: "resultOutOfBounds" },
	{
		key: "limitMedium",
		params: {
			mediaType: "image",
			costCredits: CREDITS_MAX,
			limitCredits: CREDITS_MAX,
			leftCredits: 1,
			per: "month",
			resetsAtS: AT_MS,
		},
	},
];

describe.each(["en-US", ...TRANSLATED_LOCALES])("one message in %s holds", (locale) => {
	const lengthOf = (sayings: readonly Saying[]): number =>
		sayings.map((saying) => say(locale, saying)).join("\n").length;

	test("the whole of /help, for a manager who may nothing and has every limit", () => {
		const facts: HelpFacts = {
			settings: blocked,
			standing,
			models: () => Array.from({ length: 50 }, () => model),
			member: { userId: ID, roleIds: [] },
			where: { channelIds: [ID], isAgeRestricted: false },
			isManager: true,
			nowMs: 0,
		};
		expect(describeHelp(facts, locale).length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
		const [short] = [describeHelp({ ...facts, settings, models: () => [{ ...model, name: "Sketch" }] }, locale)];
		expect(short).toContain(say(locale, { key: "helpManagers" }));
		expect(short).toContain(say(locale, { key: "helpCancel" }));
		expect(short?.length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
	});

	test("what somebody has, with every limit there is", () => {
		const expiring: Saying[] = [1, 2, 3].map(() => ({
			key: "creditsExpire",
			params: { credits: CREDITS_MAX, expiresAtS: AT_MS },
		}));
		const prices: Saying[] = (["image", "video", "music"] as const).map((command) => ({
			key: "creditsPrice",
			params: { command, model: stars(80), costCredits: CREDITS_MAX },
		}));
		const server: Saying = {
			key: "creditsServerLimit",
			params: { limitCredits: CREDITS_MAX, leftCredits: 1, per: "month", resetsAtS: AT_MS },
		};
		const itemCredits = [CREDITS_MAX, CREDITS_MAX, CREDITS_MAX, CREDITS_MAX];
		const button = say(locale, { key: "buttonRedeem" });
		const offer: Saying = { key: "topUpOffer", params: { itemCredits, button } };
		const all = [...balanceOf(standing), ...expiring, server, ...mineOf(standing), ...prices, offer];
		expect(lengthOf(all)).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
	});

	test("all limits of a server, behind the words of a change", async () => {
		const accounts = { standing: async () => standing };
		const { text } = await describeSettings(accounts, ID, settings, locale);
		const changed: Saying = { key: "settingsChanged", params: { settings: text } };
		expect(lengthOf([changed])).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
	});

	test("what a server used, by as many members and models as are named", () => {
		const use = { credits: CREDITS_MAX, results: 1_000_000 };
		const media = (["image", "video", "music"] as const).map((mediaType) => ({ mediaType, ...use }));
		const days = lastDays(AT_MS, 90, "UTC").map((day) => ({
			day,
			media: { image: CREDITS_MAX, video: CREDITS_MAX, music: CREDITS_MAX },
		}));
		const members = Array.from({ length: 50 }, () => ({ name: ID, ...use }));
		const models = Array.from({ length: 50 }, () => ({ name: stars(80), ...use }));
		const report = { days, total: use, members, models, media, completeFromMs: AT_MS };
		const { text, chart } = describeUsage(report, "UTC", locale);
		expect(text.length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
		expect(chart?.description.length).toBeLessThanOrEqual(1024);
	});

	test("a result with all that was done to it, in the channel and as a direct message", () => {
		const changes = [{ kind: "compressed" }, { kind: "smaller", width: 99_999, height: 99_999 }, { kind: "frame" }];
		const note = { key: "resultPreview", params: { changes, sizeMiB: 99_999, taskId: ID } };
		const files = Array.from({ length: 10 }, () => ({ name: "a.png", contentType: "image/png", sizeBytes: 1, note }));
		const outcome = { kind: "made", seed: 2 ** 31, files };
		const links = files.map(() => ({ url: `https://bot.example.com/${"a".repeat(200)}`, untilS: AT_MS }));
		for (const leftCredits of [CREDITS_MAX, null]) {
			const { text, textWithoutFiles, textWithoutPrompt, direct } = composeAnswer(
				taskWith(outcome, leftCredits, locale),
				links,
			);
			const all = [text, textWithoutFiles, textWithoutPrompt, ...Object.values(direct)];
			expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
		}
	});

	test("a reason with its prompt, in the channel, as a direct message and in /job show", () => {
		for (const why of REASONS) {
			const task = taskWith({ kind: "failed", why }, CREDITS_MAX, locale);
			const { text, direct } = composeAnswer(task);
			expect(Math.max(text.length, direct.text.length)).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
			expect(jobLines(task, locale).length).toBeLessThanOrEqual(CONTENT_CHARS_MAX);
		}
	});
});

test("a direct message is in the language of whoever gets it, whatever their server reads", () => {
	const task = { ...taskWith({ kind: "failed", why: { key: "timedOut" } }, 1, "fr"), userLocale: "de" };
	const { text, direct } = composeAnswer(task);
	expect(text).toContain("C'était trop long");
	expect(direct.text).toMatch(/^Du hast das in <#\d+> in Auftrag gegeben/);
	expect(direct.text).toContain("Das hat zu lange gedauert");
});

test("a task from before its person's language was kept is read in the one it has", () => {
	const { direct } = composeAnswer(taskWith({ kind: "failed", why: { key: "timedOut" } }, 1, "de"));
	expect(direct.text).toContain("Das hat zu lange gedauert");
});
