/** Media services that fail for a while, lose responses, or limit their requests. */
import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { smallMediaFile } from "@atelier/common/testing/small-media-file";
import { type FakeOutcome } from "@atelier/studio/testing/servers/fake-server";
import { serverCreditsLeft, openAtelier } from "./start-atelier.ts";
import { openStubMediaService } from "./stub-media-service.ts";
import { NOT_CHARGED, delivered, type UnusualService, testServices } from "./check-unusual-service.ts";
import { done, failure, fileAt, success } from "./unusual-service.ts";
import { finalReply } from "./replies.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const AT_THE_DEADLINE = { min: 9.9 * MINUTE_MS, max: 10.3 * MINUTE_MS };
const TROUBLE = "The generation service is having problems. Your job is kept and will be checked again.";

/** A service whose polls fail for a while. */
function pollsFail(title: string, response: FakeOutcome, forMs = 10 * SECOND_MS): UnusualService {
	return {
		title,
		command: "/image",
		poll: ({ sinceMs, origin }) =>
			sinceMs < forMs ? response : done({ outputs: [{ url: fileAt(origin, "result.png") }] }),
		...delivered("image/png"),
		polls: { min: 2 },
		tookMs: { min: forMs },
		...(forMs === MINUTE_MS && { earlierText: TROUBLE }),
	};
}

/** A service whose result cannot be downloaded for a while. */
function downloadsFail(title: string, response: FakeOutcome, forMs: number): UnusualService {
	return {
		title,
		command: "/video",
		file: ({ sinceMs, request }) => (sinceMs < forMs ? response : { bytes: smallMediaFile(request.path) }),
		...delivered("video/mp4"),
		downloads: { min: 2 },
		log: [
			{ text: "result not fetched", level: "warn" },
			{ text: "service trouble over", level: "info" },
		],
	};
}

const unknownTask = failure(40400, "no such task", 404);
const tooManyRequests = failure(42900, "too many requests", 429);

testServices([
	{
		title: "returns another link after the first one has expired",
		command: "/image",
		poll: ({ origin, count }) => done({ outputs: [{ url: fileAt(origin, `${count}.png`) }] }),
		file: ({ request }) =>
			request.path.endsWith("/1.png") ? { status: 403 } : { bytes: smallMediaFile(request.path) },
		...delivered("image/png"),
		polls: 2,
		downloads: 2,
	},
	downloadsFail("closes download connections for 10 seconds", "drop", 10 * SECOND_MS),
	{
		title: "loses every result",
		command: "/image",
		file: () => ({ status: 404 }),
		stepMs: SECOND_MS,
		earlierText: TROUBLE,
		...NOT_CHARGED,
		finalText: "couldn't be downloaded",
		downloads: { min: 5, max: 60 },
		tookMs: AT_THE_DEADLINE,
		log: [{ text: "result not fetched", level: "warn" }],
	},

	pollsFail("answers polls with 404 for 10 seconds", unknownTask),
	pollsFail("closes poll connections for a minute", "drop", MINUTE_MS),
	{
		title: "loses the response to every submit",
		command: "/image",
		submit: () => "drop",
		stepMs: SECOND_MS,
		earlierText: "The generation service hasn't confirmed this job. If it doesn't, the job ends <t:",
		...NOT_CHARGED,
		finalText: "The generation service never confirmed this job. Try again.\n-# No credits were charged.",
		polls: 0,
		tookMs: AT_THE_DEADLINE,
	},
	{
		title: "denies the submits of ten concurrent commands for 15 seconds",
		command: "/image",
		times: 10,
		concurrent: true,
		submit: ({ sinceMs, taskId }) => (sinceMs < 15 * SECOND_MS ? tooManyRequests : success({ taskId })),
		finalText: "4 credits",
		attachments: ["image/png"],
		chargedCredits: 40,
		submits: { min: 11, max: 40 },
	},
	{
		title: "denies submits with Retry-After",
		command: "/image",
		submit: ({ sinceMs, taskId }) =>
			sinceMs < 20 * SECOND_MS ? { ...tooManyRequests, headers: { "retry-after": "20" } } : success({ taskId }),
		...delivered("image/png"),
		submits: 2,
		// On a busy machine the clock of the test runs ahead of the sockets.
		tookMs: { min: 20 * SECOND_MS, max: 2 * MINUTE_MS },
	},
]);

test("after five consecutive failed submits a command is denied without a request or a hold", async () => {
	let submits = 0;
	const service = await openStubMediaService((_, response) => {
		submits++;
		response.writeHead(502).end("<html>");
	});
	const env = { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" };
	const { atelier, userClient, logs } = await openAtelier({ clock: createManualClock(), env });
	for (let commands = 1; commands <= 5; commands++) {
		await userClient.type("/image", { prompt: "a boat" });
		await expect.poll(() => submits).toBe(commands);
	}
	await expect.poll(logs).toContain("media service down");
	const denied = await finalReply(userClient.type("/image", { prompt: "a boat" }));
	expect(textOf(denied)).toContain("can't be reached right now");
	expect(submits).toBe(5);
	const readiness = await fetch(`${atelier.origin}/readyz`);
	expect(await readiness.json()).toMatchObject({ status: "ready", media: false });
	// The outcome of five submits is unknown; the sixth has no hold.
	expect(await serverCreditsLeft(userClient)).toBe(480);
	expect(logs()).not.toContain("planted-key");
});
