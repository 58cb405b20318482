/** Services that are in trouble for a while, slow, or busy. */
import type { FakeAnswer } from "@atelier/studio/testing/servers/fake-server";
import { tinyMedia } from "@atelier/common/testing/tiny-media";
import { done, fileAt, success, type OddService } from "./odd-service.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const delivered = { member: "4 credits · 496 left", chargedCredits: 4, submits: 1 } as const;
const TROUBLE = "The service has trouble. Your job is kept, and is checked again.";

type Trouble = FakeAnswer | "drop";

/** Every poll is answered so for a while, and then as it should be. */
function polls(title: string, trouble: Trouble, forMs: number, change: Partial<OddService> = {}): OddService {
	return {
		title,
		command: "/image",
		poll: ({ sinceMs, origin }) =>
			sinceMs < forMs ? trouble : done({ outputs: [{ url: fileAt(origin, "result.png") }] }),
		...delivered,
		attachments: ["image/png"],
		polls: { min: 2 },
		tookMs: { min: forMs },
		...change,
	};
}

/** The link to the result is answered so for a while, and then as it should be. */
function links(title: string, trouble: Trouble, forMs: number): OddService {
	return {
		title,
		command: "/video",
		file: ({ sinceMs, request }) => (sinceMs < forMs ? trouble : { bytes: tinyMedia(request.path) }),
		...delivered,
		attachments: ["video/mp4"],
		downloads: { min: 2 },
		log: [
			{ text: "result not fetched", level: "warn" },
			{ text: "service trouble over", level: "info" },
		],
	};
}

const noSuchTask = { status: 404, json: { code: 40400, message: "no such task" } } as const;
const rateLimited = { json: { code: -1, message: "rate limit exceeded" } } as const;
const tooMany = { status: 429, json: { code: 42900, message: "too many requests" } } as const;

export const patience: readonly OddService[] = [
	{
		title: "is at it for a minute",
		command: "/video",
		poll: ({ sinceMs, origin }) =>
			sinceMs < 60_000 ? success({ status: "processing" }) : done({ outputs: [{ url: fileAt(origin, "a.mp4") }] }),
		stepMs: 1_000,
		...delivered,
		attachments: ["video/mp4"],
		polls: { min: 2 },
		tookMs: { min: 60_000 },
	},

	polls("does not know a task that it took, for 10 seconds", noSuchTask, 10 * SECOND_MS),
	polls("answers polls with 401 for 10 seconds", { status: 401 }, 10 * SECOND_MS),
	polls("answers polls with 403 for 10 seconds", { status: 403 }, 10 * SECOND_MS),
	polls("answers polls with code -1 for 10 seconds", { json: { code: -1, message: "error" } }, 10 * SECOND_MS),
	polls("answers polls with a rate limit and 200 for 10 seconds", rateLimited, 10 * SECOND_MS),
	polls("answers polls with a page for 10 seconds", { text: "<html>" }, 10 * SECOND_MS),
	polls("hangs up on polls for a minute", "drop", MINUTE_MS, { meanwhile: TROUBLE }),
	polls("does not know a task for six minutes", noSuchTask, 6 * MINUTE_MS, {
		stepMs: SECOND_MS,
		meanwhile: TROUBLE,
		polls: { min: 5, max: 40 },
		log: [
			{ text: '"poll failed"', level: "warn" },
			{ text: "service trouble over", level: "info" },
		],
	}),
	polls("never knows the task that it took", noSuchTask, Number.POSITIVE_INFINITY, {
		stepMs: SECOND_MS,
		member: "gave an answer that makes no sense",
		attachments: [],
		chargedCredits: 0,
		tookMs: { min: 9.9 * MINUTE_MS, max: 10.3 * MINUTE_MS },
		log: [{ text: '"poll failed"', level: "warn" }],
	}),

	links("answers the link to its result with 404 for 5 seconds", { status: 404 }, 5 * SECOND_MS),
	links("answers the link to its result with 503 for 10 seconds", { status: 503 }, 10 * SECOND_MS),
	links("hangs up on downloads for 10 seconds", "drop", 10 * SECOND_MS),
	{
		title: "loses every result",
		command: "/image",
		file: () => ({ status: 404 }),
		stepMs: SECOND_MS,
		meanwhile: TROUBLE,
		member: "could not be fetched",
		chargedCredits: 0,
		submits: 1,
		downloads: { min: 5, max: 60 },
		tookMs: { min: 9.9 * MINUTE_MS, max: 10.3 * MINUTE_MS },
		log: [{ text: "result not fetched", level: "warn" }],
	},

	{
		title: "hangs up on a submit, and finds no task by its key",
		command: "/image",
		submit: () => "drop",
		stepMs: SECOND_MS,
		meanwhile: "The service did not say whether it took this, so 4 credits come back <t:",
		member: "It is not certain that the service took this. Nothing was charged.",
		chargedCredits: 0,
		submits: 1,
		polls: 0,
		tookMs: { min: 9.9 * MINUTE_MS, max: 10.3 * MINUTE_MS },
	},
	{
		title: "hangs up on a submit, and does not find its task yet",
		command: "/image",
		profile: "studio",
		submit: () => "drop",
		stepMs: SECOND_MS,
		meanwhile: "that is being looked up, and 4 credits come back if it is still not known <t:",
		member: "Nothing was charged.",
		chargedCredits: 0,
		polls: 0,
		tookMs: { max: 10.3 * MINUTE_MS },
	},
	{
		title: "answers a submit after a minute",
		command: "/image",
		submit: ({ taskId }) => ({ ...success({ taskId }), afterMs: MINUTE_MS }),
		...delivered,
		attachments: ["image/png"],
		meanwhile: "**Being sent**",
		tookMs: { min: MINUTE_MS },
	},
	{
		title: "takes nothing for 15 seconds, and does not say for how long",
		command: "/image",
		submit: ({ sinceMs, taskId }) => (sinceMs < 15 * SECOND_MS ? tooMany : success({ taskId })),
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
		submits: { min: 2, max: 8 },
	},
	{
		title: "takes nothing of ten members for 15 seconds, and does not say for how long",
		command: "/image",
		times: 10,
		atOnce: true,
		submit: ({ sinceMs, taskId }) => (sinceMs < 15 * SECOND_MS ? tooMany : success({ taskId })),
		member: "4 credits",
		attachments: ["image/png"],
		chargedCredits: 40,
		submits: { min: 11, max: 40 },
	},
	{
		title: "says for how long it takes nothing",
		command: "/image",
		submit: ({ sinceMs, taskId }) =>
			sinceMs < 20 * SECOND_MS ? { ...tooMany, headers: { "retry-after": "20" } } : success({ taskId }),
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
		submits: 2,
		tookMs: { min: 20 * SECOND_MS, max: 40 * SECOND_MS },
	},
	{
		title: "never takes anything",
		command: "/image",
		submit: () => tooMany,
		stepMs: SECOND_MS,
		meanwhile: "The service is busy. This is sent as soon as there is room.",
		member: "is busy. Try again in a few minutes. Nothing was charged.",
		chargedCredits: 0,
		submits: { min: 5, max: 16 },
		polls: 0,
		tookMs: { min: 5 * MINUTE_MS, max: 7 * MINUTE_MS },
	},
];
