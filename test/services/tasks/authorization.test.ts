import type { ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createAuthorization } from "../../../src/services/tasks/authorization.ts";
import type { RequestChannel } from "../../../src/services/access/request-channel.ts";
import { createPromptReviewer, type PromptReviewer } from "../../../src/services/moderation/prompt-reviewer.ts";
import { createModerationHook } from "../../../src/services/moderation/moderation-hook.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
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
const inAgeRestricted: RequestChannel = { ...channel, isAgeRestricted: true };
const thread: RequestChannel = { channelIds: ["51", "50"], isAgeRestricted: undefined };

interface Setup {
	readonly settings?: object;
	readonly promptReviewer?: PromptReviewer;
	readonly ageRestricted?: readonly string[];
	readonly isPaused?: boolean;
	readonly plan?: object;
}

function setup({ settings = {}, promptReviewer, ageRestricted = [], isPaused = false, plan = {} }: Setup) {
	const requestedChannels: string[] = [];
	const authorizeAttempt = createAuthorization({
		settings: { read: async () => storedSettingsSchema.parse(settings) },
		channels: { isAgeRestricted: async (id) => (requestedChannels.push(id), ageRestricted.includes(id)) },
		promptReviewer,
		isPausedAfterRestore: () => isPaused,
		accounts: { planPayment: async () => ({ limits: [], refillsAtMs: null, monthlyCredits: 0, ...plan }) },
		ledger: {
			lastWrittenBalance: () => undefined,
			balance: async () => ({ postedCredits: 5, heldCredits: 0, availableCredits: 5, expiring: [] }),
		},
		lowCredits: { onDenial() {} },
		clock: createManualClock(),
	});
	const authorize = (where = channel, change: object = {}) =>
		authorizeAttempt(
			{ guildId: "1", userId: "7", roleIds: [], request: { ...request, ...change }, channel: where },
			pino({ level: "silent" }),
		);
	/** Resolves to the denial, or to "allowed". */
	async function verdict(...attempt: Parameters<typeof authorize>): Promise<string> {
		try {
			await authorize(...attempt);
			return "allowed";
		} catch (error) {
			if (error instanceof UserError) return t("en", error.messageDescriptor);
			throw error;
		}
	}
	return { requestedChannels, authorize, verdict };
}

test("new tasks are denied until the operator opens a restored store", async () => {
	expect(await setup({ isPaused: true }).verdict()).toContain("restored from a backup");
});

const restricted = { needsAgeRestrictedChannel: true };
const DENIED = "only works in age-restricted channels";

test.each<[string, object, RequestChannel, readonly string[], string, readonly string[]]>([
	["an age-restricted model in another channel", restricted, channel, [], DENIED, []],
	["an age-restricted model in such a channel", restricted, inAgeRestricted, [], "allowed", []],
	["an age-restricted model in a thread of another channel", restricted, thread, [], DENIED, ["50"]],
	["an age-restricted model in a thread of such a channel", restricted, thread, ["50"], "allowed", ["50"]],
	["another model in any thread", {}, thread, [], "allowed", []],
])(
	"%s is decided, with a request to Discord only for threads",
	async (_what, change, where, ageRestricted, ...rest) => {
		const [expected, requested] = rest;
		const { verdict, requestedChannels } = setup({ ageRestricted });
		expect(await verdict(where, change)).toContain(expected);
		expect(requestedChannels).toStrictEqual(requested);
	},
);

interface Answer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** A server whose moderation service gives this answer, or none. */
async function setupModerated(answer: Answer | undefined, failure: "deny" | "allow", more: Setup = {}) {
	const received: unknown[] = [];
	const respond = ({ status = 200, headers = {}, body = "" }: Answer, response: ServerResponse) =>
		response.writeHead(status, headers).end(body);
	const origin = await openHttpServer((incoming, response) => {
		void json(incoming).then((body) => {
			received.push({ body, authorization: incoming.headers.authorization });
			return answer && respond(answer, response);
		});
	});
	const timeouts = answer ? {} : { timeouts: { promptMs: 50, resultMs: 50 } };
	const moderationClient = createModerationHook({ url: `${origin}/judge`, apiKey: "secret", ...timeouts });
	return { received, ...setup({ promptReviewer: createPromptReviewer({ moderationClient, failure }), ...more }) };
}

describe("the moderation service", () => {
	const allowed = { body: '{"allow":true}' };

	test("gets requests that the server allows, with all texts and the key", async () => {
		const { received, verdict } = await setupModerated(allowed, "deny");
		expect(await verdict()).toBe("allowed");
		const body = {
			kind: "prompt",
			text: "a song of the sea",
			negativePrompt: "drums",
			lyrics: "la la",
			mediaType: "music",
			model: "sing-1",
			guildId: "1",
			userId: "7",
		};
		expect(received).toStrictEqual([{ authorization: "Bearer secret", body }]);
		const denied = await setupModerated(allowed, "deny", { settings: { access: { mediaOff: ["music"] } } });
		expect(await denied.verdict()).toContain("turned off in this server");
		expect(denied.received).toStrictEqual([]);
	});

	test("may take a while: the limits after it apply", async () => {
		const plan = { monthlyCredits: 0 };
		const promptReviewer = { review: async () => void (plan.monthlyCredits = 10) };
		expect(await setup({ plan, promptReviewer }).authorize()).toMatchObject({ monthlyCredits: 10 });
	});

	const violence = '{"allow":false,"categories":["violence/graphic"],"reason":"too bloody"}';
	const minors = '{"allow":false,"categories":["sexual","sexual/minors"]}';
	const REJECTED = "doesn't accept that prompt";
	test.each<[string, string, object, string, RequestChannel?]>([
		[
			"rejected with a reason, which mentions no one",
			'{"allow":false,"reason":"@everyone **no**"}',
			{},
			String.raw`${REJECTED}: ${"\u2068"}\@everyone \*\*no\*\*`,
		],
		["rejected without a reason", '{"allow":false}', {}, `${REJECTED}. Try other words.`],
		["rejected with a category and a reason", violence, {}, `${REJECTED}: \u2068too bloody`],
		["allowed in a category that the server hides behind a spoiler", violence, { violence: "spoiler" }, "allowed"],
		["rejected in a restricted category", violence, { violence: "ageRestricted" }, "in age-restricted channels"],
		["allowed in its channels", violence, { violence: "ageRestricted" }, "allowed", inAgeRestricted],
		["rejected in a category, if others are allowed", violence, { sexual: "spoiler", other: "spoiler" }, REJECTED],
		["rejected as sexual content with minors, under any rules", minors, { sexual: "spoiler" }, REJECTED],
	])("has prompts %s", async (_what, body, safety, expected, where) => {
		const { verdict } = await setupModerated({ body }, "allow", { settings: { safety } });
		expect(await verdict(where)).toContain(expected);
	});

	test.each<[string, Answer | undefined]>([
		["an error", { status: 500, body: "{}" }],
		["no JSON", { body: "yes" }],
		["a value of another type", { body: '{"allow":"maybe"}' }],
		["a body that is too large", { body: JSON.stringify({ allow: true, pad: "x".repeat(70_000) }) }],
		["a redirect", { status: 307, headers: { location: "http://127.0.0.1:1/elsewhere" } }],
		["silence", undefined],
	])("that answers with %s is handled as configured", async (_what, answer) => {
		expect(await (await setupModerated(answer, "deny")).verdict()).toContain("can't be reached right now");
		expect(await (await setupModerated(answer, "allow")).verdict()).toBe("allowed");
	});
});
