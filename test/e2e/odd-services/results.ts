/** Where services put their results, and what they put there in place of them. */
import { done, fileAt, type OddService } from "./odd-service.ts";

export const results: readonly OddService[] = [
	{
		title: "puts its result in a list of outputs",
		command: "/image",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.png") }] }),
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
		submits: 1,
		downloads: 1,
	},
	{
		title: "is done, and shows no file",
		command: "/image",
		poll: () => done({}),
		member: "there is no file",
		chargedCredits: 0,
		submits: 1,
		polls: 2,
		downloads: 0,
	},
];
