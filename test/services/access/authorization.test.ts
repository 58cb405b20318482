import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createAuthorization } from "../../../src/services/access/authorization.ts";
import type { RequestChannel } from "../../../src/services/access/request-channel.ts";
import { createPromptReviewer, type PromptReviewer } from "../../../src/services/moderation/prompt-reviewer.ts";
import { REVIEW_TIMEOUTS } from "../../../src/services/moderation/moderation-client.ts";
import { createModerationHook } from "../../../src/services/moderation/moderation-hook.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { t } from "../../../src/i18n/messages.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openHttpServer } from "@atelier/common/testing/http-server";

const request = {
	mediaType: "music",
	model: "sing-1",
	modelName: "Sing",
	scene: "text-to-music",
	prompt: "a song of the sea",
	options: { lyrics: "la la", negative_prompt: "drums", duration: 5 },
	costCredits: 5,
	typicalSeconds: 45,
} as const;
const channel: RequestChannel = { channelIds: ["50"], isAgeRestricted: false };
const logger = pino({ level: "silent" });

interface Setup {
	readonly settings?: object;
	readonly promptReviewer?: PromptReviewer;
	readonly ageRestricted?: readonly string[];
	readonly isPaused?: boolean;
	readonly limits?: { readonly monthlyCredits: number };
}

function reviewerBy(url: string, failure: "deny" | "allow", { timeouts = REVIEW_TIMEOUTS } = {}) {
	return createPromptReviewer({ moderationClient: createModerationHook({ url, apiKey: "secret", timeouts }), failure });
}

function setup({
	settings = {},
	promptReviewer,
	ageRestricted = [],
	isPaused = false,
	limits = { monthlyCredits: 0 },
}: Setup) {
	const requestedChannels: string[] = [];
	const authorization = createAuthorization({
		settings: { read: async () => storedSettings.parse(settings) },
		channels: { isAgeRestricted: async (id) => (requestedChannels.push(id), ageRestricted.includes(id)) },
		promptReviewer,
		isPausedAfterRestore: () => isPaused,
		creditCheck: { requireCredits: async () => ({ account: "", limits: [], refillsAtMs: null, ...limits }) },
		clock: createManualClock(),
	});
	const authorize = (change: { request?: object; channel?: RequestChannel } = {}) =>
		authorization.authorize(
			{
				guildId: "1",
				userId: "7",
				roleIds: [],
				request: { ...request, ...change.request },
				channel: change.channel ?? channel,
			},
			logger,
		);
	/** Resolves to the denial, or to "allowed". */
	const verdict = async (change: Parameters<typeof authorize>[0] = {}): Promise<string> => {
		try {
			await authorize(change);
			return "allowed";
		} catch (error) {
			if (error instanceof UserError) return t("en", error.messageDescriptor);
			throw error;
		}
	};
	return { requestedChannels, authorize, verdict };
}

test("new tasks are denied until the operator opens a restored store", async () => {
	expect(await setup({ isPaused: true }).verdict()).toContain("restored from a backup");
});

describe("an age-restricted model", () => {
	const restricted = { request: { needsAgeRestrictedChannel: true } };
	test("is allowed by the channel in the interaction, without a request to Discord", async () => {
		const { requestedChannels, verdict } = setup({});
		expect(await verdict(restricted)).toContain("only works in age-restricted channels");
		expect(await verdict({ ...restricted, channel: { ...channel, isAgeRestricted: true } })).toBe("allowed");
		expect(requestedChannels).toStrictEqual([]);
	});

	test("in a thread is allowed by the parent channel, which is requested from Discord", async () => {
		const thread: RequestChannel = { channelIds: ["51", "50"], isAgeRestricted: undefined };
		const inOtherChannel = setup({});
		expect(await inOtherChannel.verdict({ ...restricted, channel: thread })).toContain(
			"only works in age-restricted channels",
		);
		const inRestrictedChannel = setup({ ageRestricted: ["50"] });
		expect(await inRestrictedChannel.verdict({ ...restricted, channel: thread })).toBe("allowed");
		expect(inRestrictedChannel.requestedChannels).toStrictEqual(["50"]);
		// Other models do not depend on it.
		expect(await inRestrictedChannel.verdict({ channel: thread })).toBe("allowed");
		expect(inRestrictedChannel.requestedChannels).toHaveLength(1);
	});
});

/** Opens a moderation service with this response. Returns the requests that it has received. */
async function openModerationService(
	answer: (request: IncomingMessage) => { status?: number; body: string; location?: string },
) {
	const received: { body: unknown; authorization: string | undefined }[] = [];
	const origin = await openHttpServer((incoming, response) => {
		void text(incoming).then((typed) => {
			received.push({ body: JSON.parse(typed), authorization: incoming.headers.authorization });
			const { status = 200, body, location } = answer(incoming);
			response.writeHead(status, { "content-type": "application/json", ...(location !== undefined && { location }) });
			return response.end(body);
		});
	});
	return { received, url: `${origin}/judge` };
}

describe("the moderation service", () => {
	test("gets requests that the server allows, with all texts and the key", async () => {
		const { received, url } = await openModerationService(() => ({ body: '{"allow":true}' }));
		const promptReviewer = reviewerBy(url, "deny");
		expect(await setup({ promptReviewer }).verdict()).toBe("allowed");
		expect(await setup({ promptReviewer, settings: { access: { mediaOff: ["music"] } } }).verdict()).toContain(
			"turned off in this server",
		);
		expect(received).toStrictEqual([
			{
				authorization: "Bearer secret",
				body: {
					kind: "prompt",
					text: "a song of the sea",
					negativePrompt: "drums",
					lyrics: "la la",
					mediaType: "music",
					model: "sing-1",
					guildId: "1",
					userId: "7",
				},
			},
		]);
	});

	test("may take a while: the limits after it apply", async () => {
		const changed = { monthlyCredits: 0 };
		const { url } = await openModerationService(() => {
			changed.monthlyCredits = 10;
			return { body: '{"allow":true}' };
		});
		const { authorize } = setup({ promptReviewer: reviewerBy(url, "deny"), limits: changed });
		expect(await authorize()).toMatchObject({ monthlyCredits: 10 });
	});

	const violence = '{"allow":false,"categories":["violence/graphic"],"reason":"too bloody"}';
	const minors = '{"allow":false,"categories":["sexual","sexual/minors"]}';
	const lenient = { sexual: "spoiler", other: "spoiler" };
	test.each([
		[
			"with a reason, which mentions no one",
			'{"allow":false,"reason":"@everyone **no**"}',
			{},
			String.raw`doesn't accept that prompt: ${"\u2068"}\@everyone \*\*no\*\*`,
		],
		["without a reason", '{"allow":false}', {}, "doesn't accept that prompt. Try other words."],
		["with a category and a reason", violence, {}, "doesn't accept that prompt: \u2068too bloody"],
		["with a category that the server hides behind a spoiler", violence, { violence: "spoiler" }, "allowed"],
		[
			"with a category that the server restricts",
			violence,
			{ violence: "ageRestricted" },
			"in age-restricted channels",
		],
		["with a category, if other categories are allowed", violence, lenient, "doesn't accept that prompt"],
		["as sexual content with minors, under any rules", minors, lenient, "doesn't accept that prompt"],
	])("rejects a prompt %s", async (_what, body, safety, expected) => {
		const { url } = await openModerationService(() => ({ body }));
		const { verdict } = setup({ promptReviewer: reviewerBy(url, "allow"), settings: { safety } });
		expect(await verdict()).toContain(expected);
	});

	test("rejects a category in some channels only, if the server restricts it", async () => {
		const { url } = await openModerationService(() => ({ body: violence }));
		const settings = { safety: { violence: "ageRestricted" } };
		const { verdict } = setup({ promptReviewer: reviewerBy(url, "deny"), settings });
		expect(await verdict({ channel: { ...channel, isAgeRestricted: true } })).toBe("allowed");
	});

	test.each([
		["an error", { status: 500, body: "{}" }],
		["no JSON", { body: "yes" }],
		["a value of another type", { body: '{"allow":"maybe"}' }],
		["a body that is too large", { body: JSON.stringify({ allow: true, pad: "x".repeat(70_000) }) }],
		["a redirect", { status: 307, body: "", location: "http://127.0.0.1:1/elsewhere" }],
	])("with an invalid response (%s) is handled as configured", async (_what, answer) => {
		const { url } = await openModerationService(() => answer);
		expect(await setup({ promptReviewer: reviewerBy(url, "deny") }).verdict()).toContain("can't be reached right now");
		expect(await setup({ promptReviewer: reviewerBy(url, "allow") }).verdict()).toBe("allowed");
	});

	test("that is silent denies if it is configured to", async () => {
		const url = await openHttpServer(() => {});
		const silent = reviewerBy(url, "deny", { timeouts: { promptMs: 50, resultMs: 50 } });
		expect(await setup({ promptReviewer: silent }).verdict()).toContain("can't be reached right now");
	});
});
