import { describe, expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { formatJobChoice, formatJobLine } from "../../../src/services/tasks/format-job.ts";
import { messageLinkOf } from "../../../src/services/tasks/delivered-result.ts";
import { formatFinalReply } from "../../../src/services/tasks/format-result.ts";
import type { Outcome, Task, TaskIn } from "../../../src/services/tasks/task.ts";
import { MINUTE_MS, submission } from "./task-setup.ts";

const CREATED_AT_MS = Date.UTC(2026, 0, 1);
const { roleIds: _, ...requestFields } = submission;
const base = {
	...requestFields,
	limitAccounts: [],
	createdAtMs: CREATED_AT_MS,
	deadlineAtMs: CREATED_AT_MS + 10 * MINUTE_MS,
};
const cancel = { by: "member", atMs: CREATED_AT_MS } as const;
const submitted: TaskIn<"submitted"> = { ...base, state: "submitted", remoteId: "r", submittedAtMs: CREATED_AT_MS };
const succeeded: Outcome = { kind: "succeeded", files: [], seed: null };

function delivered(outcome: Outcome, shown: TaskIn<"delivered">["shown"] = { kind: "undelivered" }): Task {
	const chargedCredits = outcome.kind === "succeeded" ? 4 : 0;
	return { ...base, state: "delivered", outcome, chargedCredits, leftCredits: 6, shown, deliveredAtMs: CREATED_AT_MS };
}

describe("a line of the list", () => {
	test.each<[string, Task]>([
		["**Waiting** · 4 credits reserved", { ...base, state: "reserved" }],
		["**In progress** · 4 credits reserved", { ...base, state: "submitting", sentAtMs: 0 }],
		["**Unconfirmed** · 4 credits reserved", { ...base, state: "unconfirmed", sentAtMs: 0, sinceMs: 0 }],
		["**In progress** · 4 credits reserved", submitted],
		["**Canceling** · 4 credits reserved", { ...submitted, cancel }],
		[
			"**In progress** · 4 credits",
			{ ...base, state: "settled", outcome: succeeded, chargedCredits: 4, leftCredits: 6 },
		],
		["**Done** · 4 credits", delivered(succeeded)],
		["**Failed** · no credits", delivered({ kind: "failed", cause: "error", why: { key: "service.timedOut" } })],
		[
			"**Canceled** · no credits",
			delivered({ kind: "failed", cause: "canceled", why: { key: "service.canceledByMember" } }),
		],
	])("contains %s", (words, task) => {
		const [state, , credits] = t("en", formatJobLine(task)).split(" · ");
		expect(`${state} · ${credits}`).toBe(words);
	});

	test.each([
		["the reply before the delivery", submitted, submission.reply.messageId],
		["the message of the result", delivered(succeeded, shownAs("botPost")), "77"],
		[
			"the reply if the result is a direct message",
			delivered(succeeded, shownAs("directMessage")),
			submission.reply.messageId,
		],
	])("links to %s", (_target, task, messageId) => {
		const link = `https://discord.com/channels/${submission.guildId}/${submission.reply.channelId}/${messageId}`;
		expect(messageLinkOf(task)).toBe(link);
	});
});

function shownAs(route: "botPost" | "directMessage") {
	return { kind: "delivered", route, messageId: "77", withFiles: true } as const;
}

test.each([
	[0, "a boat (In progress, now)"],
	[150, "a boat (In progress, 2 hr. ago)"],
])("after %d minutes the choice says %s", (minutes, words) => {
	expect(formatJobChoice(submitted, CREATED_AT_MS + minutes * MINUTE_MS, "en")).toBe(words);
});

test("a direct message uses the language of its member, and not that of the server", () => {
	const { text, direct } = formatFinalReply({
		...base,
		locale: "fr",
		userLocale: "de",
		state: "settled",
		outcome: { kind: "failed", cause: "error", why: { key: "service.timedOut" } },
		chargedCredits: 0,
		leftCredits: 1,
	});
	expect(text).toContain("C’était trop long");
	expect(direct.text).toMatch(/^Du hast das in <#\d+> angefragt/);
	expect(direct.text).toContain("Das hat zu lange gedauert");
});
