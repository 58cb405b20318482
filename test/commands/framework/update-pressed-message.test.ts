/** Moderators learn of a failed action only if the action itself failed: its message may be deleted meanwhile. */
import { DiscordAPIError, MessageFlagsBitField, PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import type { Task } from "../../../src/services/tasks/task.ts";
import { failedTask } from "../../fakes/stored-tasks.ts";
import { dispatchWith } from "../fake-services.ts";
import { fakeInteraction } from "../fake-interaction.ts";

const { id: taskId } = failedTask;
const withheld = { cause: "flagged", categories: [], files: [], seed: null } as const;
const task = { ...failedTask, outcome: { kind: "failed", cause: "withheld", why: { key: "service.away" }, withheld } };
const REPORTED = { taskId, userId: "7", channelId: "50", messageId: null, prompt: "a boat", reports: {}, done: {} };

const services = {
	settings: { read: () => Promise.reject(new Error("the store is away")) },
	reportActions: { act: async () => ({ reported: REPORTED }) },
	withheldDecisions: { decide: async () => ({ task: task as Task, action: "discard", byUserId: "7", atS: 1 }) },
};

const errorOf = (code: number) => new DiscordAPIError({ code, message: "" }, code, 400, "PATCH", "", {});

test.each([
	["of a report", `1:moderate:dismiss:${taskId}:${taskId}`, 0],
	["of a withheld result, a card", `1:withheld:discard:${taskId}`, 1 << 15],
	["of a withheld result, a text", `1:withheld:discard:${taskId}`, 0],
])(
	"no failure is shown if the message %s was deleted, and no failed action otherwise",
	async (_what, customId, flags) => {
		const calls: string[] = [];
		let editError = errorOf(10_008);
		const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
			customId,
			permissions: PermissionFlagsBits.ManageGuild,
			message: { components: [], flags: new MessageFlagsBitField(flags) },
			deferred: true,
			ephemeral: null,
			editReply: async () => {
				calls.push("edit");
				throw editError;
			},
			followUp: async ({ content }: { content: string }) => void calls.push(content),
		});
		await dispatchWith(services)(interaction);
		expect(calls).toStrictEqual(["edit"]);
		editError = errorOf(50_035);
		await dispatchWith(services)(interaction);
		const notice = "Done, but the message in the report channel couldn't be updated.";
		expect(calls).toStrictEqual(["edit", "edit", notice]);
	},
);
