/** What services say when they refuse or fail, and whom it concerns. */
import { success, type OddService } from "./odd-service.ts";

export const errors: readonly OddService[] = [
	{
		title: "refuses what was asked for, with a reason",
		command: "/image",
		submit: () => ({ status: 400, json: { code: 40005, message: "no @everyone" } }),
		member: ["refused this: ⁨no \\@everyone⁩"],
		chargedCredits: 0,
		submits: 1,
		polls: 0,
	},
	{
		title: "fails at what it took",
		command: "/music",
		poll: () => success({ status: "failed", error: { code: "internal" } }),
		member: "tried, and failed",
		chargedCredits: 0,
		submits: 1,
		polls: 1,
		log: [{ text: "making failed" }],
	},
];
