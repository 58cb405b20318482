/** Services that are in trouble for a while, slow, or busy. */
import { done, fileAt, success, type OddService } from "./odd-service.ts";

export const patience: readonly OddService[] = [
	{
		title: "is at it for a minute",
		command: "/video",
		poll: ({ sinceMs, origin }) =>
			sinceMs < 60_000 ? success({ status: "processing" }) : done({ outputs: [{ url: fileAt(origin, "a.mp4") }] }),
		stepMs: 1_000,
		member: "4 credits · 496 left",
		attachments: ["video/mp4"],
		chargedCredits: 4,
		submits: 1,
		polls: { min: 2 },
		tookMs: { min: 60_000 },
	},
];
