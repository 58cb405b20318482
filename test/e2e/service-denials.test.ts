/** Media services that deny requests. */
import { NOT_CHARGED, testServices } from "./check-unusual-service.ts";
import { failure, success } from "./unusual-service.ts";

const NOT_WORKING_TEXT = "The generation service isn't working for this bot right now.";

testServices([
	{
		title: "denies a request with a reason",
		command: "/image",
		submit: () => failure(40005, "no @everyone **please**", 400),
		...NOT_CHARGED,
		finalText: String.raw`rejected this: ⁨no \@everyone \*\*please\*\*⁩`,
		polls: 0,
	},
	{
		title: "denies requests because the operator's account is empty",
		command: "/image",
		times: 3,
		submit: () => failure(402, "Insufficient credits"),
		finalText: NOT_WORKING_TEXT,
		chargedCredits: 0,
		submits: 3,
		polls: 0,
		log: [
			{ text: "media service rejected the account of this bot", level: "error" },
			{ text: "Insufficient credits", level: "info", times: 3 },
		],
	},
	{
		title: "denies the API key with the text of its login page",
		command: "/image",
		profile: "shipany",
		submit: () => failure(-1, "no auth, please sign in"),
		...NOT_CHARGED,
		finalText: NOT_WORKING_TEXT,
		log: [{ text: "media service rejected the API key of this bot", level: "error" }],
	},
	{
		title: "reports moderation in a failed task, behind a number",
		command: "/image",
		profile: "kie",
		poll: () => success({ state: "fail", failCode: "422", failMsg: "flagged content: NSFW" }, "kie"),
		...NOT_CHARGED,
		finalText: "doesn't accept this prompt",
		polls: 1,
		log: [{ text: "flagged content: NSFW" }],
	},
	{
		title: "repeats the prompt in its reason",
		command: "/image",
		prompt: "forty two purple elephants",
		submit: () => failure(40005, 'cannot draw "forty two purple elephants" in this size'),
		...NOT_CHARGED,
		finalText: String.raw`cannot draw \[prompt\] in this size`,
		log: [{ text: "cannot draw [prompt] in this size" }, { text: "purple elephants", times: 0 }],
	},
]);
