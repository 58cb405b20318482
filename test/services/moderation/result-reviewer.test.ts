import { pino } from "pino";
import { expect, test } from "vitest";
import { createOpenAiModeration } from "../../../src/services/moderation/openai-moderation.ts";
import { createResultReviewer } from "../../../src/services/moderation/result-reviewer.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { OPENAI_KEY, openOpenAiServer } from "../../fakes/openai-server.ts";

const request = {
	mediaType: "image",
	model: "draw-1",
	modelName: "Draw",
	scene: "text-to-image",
	prompt: "a boat",
	options: {},
	costCredits: 5,
	typicalSeconds: 45,
} as const;
const file = { name: "boat.jpg", contentType: "image/jpeg", sizeBytes: 3 };
const MINORS = { kind: "withhold", cause: "illegal", isForModerators: false };
const VIOLENT = { kind: "withhold", cause: "flagged", categories: ["violence"], isForModerators: true };
const UNCHECKED = { kind: "withhold", cause: "unchecked", categories: [], isForModerators: true };

/** Reviews two images whose frames `extract` reads. The service fails for the first one, and flags the second one. */
async function review(
	flagged: readonly string[],
	failure: "deny" | "allow",
	extract: () => Promise<readonly Uint8Array[]> = async () => [Buffer.from([0xff, 0xd8, 0xff])],
) {
	const judgments = [{ status: 500 }, { flagged }];
	const { url } = await openOpenAiServer({ moderate: () => judgments.shift() ?? { flagged: [] } });
	const settings = storedSettingsSchema.parse({ safety: { sexual: "spoiler" }, reportChannelId: "9" });
	const reviewer = createResultReviewer({
		moderationClient: createOpenAiModeration({ url, apiKey: OPENAI_KEY, model: "omni-moderation-latest" }),
		failure,
		frames: { extract },
		results: { locateFullSize: async () => ({ path: "boat.jpg", sizeBytes: 3, keptUntilMs: 0, hasPreview: false }) },
		settings: { read: async () => settings },
		channels: { isAgeRestricted: async () => false },
	});
	const reply = { channelId: "8" } as Parameters<typeof reviewer.review>[0]["reply"];
	const context = { signal: new AbortController().signal, logger: pino({ level: "silent" }) };
	return await reviewer.review({ id: "1", guildId: "2", userId: "3", request, reply }, [file, file], context);
}

test.each([
	[["sexual/minors"], "deny", MINORS],
	[["sexual/minors"], "allow", MINORS],
	[["violence"], "deny", VIOLENT],
	[["violence"], "allow", VIOLENT],
	[["sexual"], "deny", UNCHECKED],
	[["sexual"], "allow", { kind: "show", isSpoiler: true }],
] as const)(
	"an image flagged as %j beside one that could not be judged, with `%s` after failures",
	async (flagged, failure, outcome) => {
		expect(await review(flagged, failure)).toMatchObject(outcome);
	},
);

test.each(["deny", "allow"] as const)(
	"an error of the machine decides nothing, with `%s` after failures",
	async (failure) => {
		const noProcess = Object.assign(new Error("spawn node"), { code: "EAGAIN" });
		await expect(review([], failure, () => Promise.reject(noProcess))).rejects.toBe(noProcess);
	},
);
