import { expect, test } from "vitest";
import { t } from "../../../src/i18n/messages.ts";
import { formatTaskChoice, formatTaskLine } from "../../../src/services/tasks/format-task.ts";
import { messageLinkOf } from "../../../src/services/tasks/delivered-result.ts";
import { formatFinalReply } from "../../../src/services/tasks/format-result.ts";
import { baseOf, type Task, type TaskIn } from "../../../src/services/tasks/task.ts";
import { deliveredTask, failedTask, reservedTask } from "../../fakes/stored-tasks.ts";

const base = baseOf(reservedTask);
const submitted: TaskIn<"submitted"> = { ...base, state: "submitted", remoteId: "r", submittedAtMs: 1 };
const { outcome } = deliveredTask;
const settled: TaskIn<"settled"> = { ...base, state: "settled", outcome, chargedCredits: 4, leftCredits: 6 };
const timedOut = { kind: "failed", cause: "error", why: { key: "service.timedOut" } } as const;
const canceledTask: Task = { ...deliveredTask, outcome: { ...timedOut, cause: "canceled" }, chargedCredits: 0 };

test.each<[string, Task]>([
	["**Waiting** · 4 credits reserved", reservedTask],
	["**In progress** · 4 credits reserved", { ...base, state: "submitting", sentAtMs: 0 }],
	["**Unconfirmed** · 4 credits reserved", { ...base, state: "unconfirmed", sentAtMs: 0, sinceMs: 0 }],
	["**In progress** · 4 credits reserved", submitted],
	["**Canceling** · 4 credits reserved", { ...submitted, cancel: { by: "member", atMs: 0 } }],
	["**In progress** · 4 credits", settled],
	["**Done** · 4 credits", deliveredTask],
	["**Failed** · no credits", failedTask],
	["**Canceled** · no credits", canceledTask],
])("a line of the list contains %s", (words, task) => {
	const [state, , credits] = t("en", formatTaskLine(task)).split(" · ");
	expect(`${state} · ${credits}`).toBe(words);
});

const sentDirectly: Task = {
	...deliveredTask,
	shown: { kind: "delivered", route: "directMessage", messageId: "77", withFiles: true },
};

test.each<[string, Task, string]>([
	["the reply before the delivery", submitted, submitted.reply.messageId],
	["the message of the result", deliveredTask, "77"],
	["the reply if the result is a direct message", sentDirectly, submitted.reply.messageId],
])("a task links to %s", (_target, task, messageId) => {
	const { guildId, reply } = task;
	expect(messageLinkOf(task)).toBe(`https://discord.com/channels/${guildId}/${reply.channelId}/${messageId}`);
});

test.each([
	[0, "a boat (image, In progress, now)"],
	[150, "a boat (image, In progress, 2 hr. ago)"],
])("after %d minutes the choice says %s", (minutes, words) => {
	expect(formatTaskChoice(submitted, submitted.createdAtMs + minutes * 60_000, "en")).toBe(words);
});

test("a direct message uses the language of its member, and not that of the server", () => {
	const { text, direct } = formatFinalReply({ ...settled, locale: "fr", userLocale: "de", outcome: timedOut });
	expect(text).toContain("C’était trop long");
	expect(direct.text).toMatch(/^Du hast das in <#\d+> angefragt/);
	expect(direct.text).toContain("Das hat zu lange gedauert");
});
