import { describe, expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { formatJobChoice, formatJobLine, formatJobLines } from "../../../src/services/tasks/format-job.ts";
import { renderFinalReply } from "../../../src/services/tasks/render-result.ts";
import type { Outcome, Task, TaskIn } from "../../../src/services/tasks/task.ts";
import { MINUTE_MS, taskRequest } from "./task-setup.ts";

const CREATED_AT_MS = Date.UTC(2026, 0, 1);
const { roleIds: _, ...asked } = taskRequest;
const base = {
	...asked,
	payment: { account: "guild:1", limits: [], monthlyCredits: 0, refillsAtMs: null },
	createdAtMs: CREATED_AT_MS,
	deadlineAtMs: CREATED_AT_MS + 10 * MINUTE_MS,
};
const cancel = { by: "member", atMs: CREATED_AT_MS } as const;
const submitted: TaskIn<"submitted"> = { ...base, state: "submitted", remoteId: "r", submittedAtMs: CREATED_AT_MS };
const made: Outcome = { kind: "succeeded", files: [], seed: null };

function delivered(outcome: Outcome, shown: TaskIn<"delivered">["shown"] = { kind: "undelivered" }): Task {
	const chargedCredits = outcome.kind === "succeeded" ? 4 : 0;
	return { ...base, state: "delivered", outcome, chargedCredits, leftCredits: 6, shown, deliveredAtMs: CREATED_AT_MS };
}

describe("a line of the list", () => {
	test.each<[string, Task]>([
		["**waiting** · 4 credits set aside", { ...base, state: "reserved" }],
		["**being sent** · 4 credits set aside", { ...base, state: "submitting", sinceMs: 0 }],
		["**not certain** · 4 credits set aside", { ...base, state: "submitting", sinceMs: 0, unknown: { sinceMs: 0 } }],
		["**being made** · 4 credits set aside", submitted],
		["**being canceled** · 4 credits set aside", { ...submitted, cancel }],
		["**being delivered** · 4 credits set aside", { ...base, state: "finished", outcome: made }],
		["**done** · 4 credits", delivered(made)],
		["**failed** · nothing charged", delivered({ kind: "failed", why: { key: "timedOut" } })],
		["**canceled** · nothing charged", delivered({ kind: "failed", why: { key: "canceledByMember" } })],
	])("contains %s", (words, task) => {
		const [state, , , credits] = t("en", formatJobLine(task)).split(" · ");
		expect(`${state} · ${credits}`).toBe(words);
	});

	test.each([
		["the reply before the delivery", submitted, taskRequest.reply.messageId],
		["the message of the result", delivered(made, shownAs("botPost")), "77"],
		[
			"the reply if the result is a direct message",
			delivered(made, shownAs("directMessage")),
			taskRequest.reply.messageId,
		],
	])("links to %s", (_target, task, messageId) => {
		const link = `https://discord.com/channels/${taskRequest.guildId}/${taskRequest.reply.channelId}/${messageId}`;
		expect(t("en", formatJobLine(task))).toContain(`[message](${link})`);
	});
});

function shownAs(route: "botPost" | "directMessage") {
	return { kind: "delivered", route, messageId: "77", withFiles: true } as const;
}

test("an open task shows the state of its cancellation", () => {
	const task: Task = { ...submitted, cancel, cancelAnswer: "not_supported" };
	expect(formatJobLines(task, "en")).toContain("The service cannot stop what it has begun.");
	expect(formatJobLines(submitted, "en")).not.toContain("cannot stop");
});

test.each([
	[0, "a boat — being made, just now"],
	[59, "a boat — being made, 59 min. ago"],
	[150, "a boat — being made, 2 hr. ago"],
	[3 * 24 * 60, "a boat — being made, 3 days ago"],
])("after %d minutes the choice says %s", (minutes, words) => {
	expect(t("en", formatJobChoice(submitted, CREATED_AT_MS + minutes * MINUTE_MS))).toBe(words);
});

test("the prompt in a choice stays within Discord's limit", () => {
	const request = { ...taskRequest.request, prompt: "😀".repeat(500) };
	expect(t("en", formatJobChoice({ ...submitted, request }, CREATED_AT_MS)).length).toBeLessThanOrEqual(100);
});

describe("a direct message", () => {
	const timedOut: TaskIn<"settled"> = {
		...base,
		locale: "fr",
		state: "settled",
		outcome: { kind: "failed", why: { key: "timedOut" } },
		chargedCredits: 0,
		leftCredits: 1,
	};

	test("uses the language of its member, whatever the server uses", () => {
		const { text, direct } = renderFinalReply({ ...timedOut, userLocale: "de" });
		expect(text).toContain("C'était trop long");
		expect(direct.text).toMatch(/^Du hast das in <#\d+> in Auftrag gegeben/);
		expect(direct.text).toContain("Das hat zu lange gedauert");
	});

	test("of a task without a stored language uses the language of the task", () => {
		const { direct } = renderFinalReply({ ...timedOut, locale: "de" });
		expect(direct.text).toContain("Das hat zu lange gedauert");
	});
});
