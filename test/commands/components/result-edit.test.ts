import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { IMAGES_OPTION } from "@atelier/media-protocol/model";
import { taskCustomIds } from "../../../src/discord/task-buttons.ts";
import { textsIn } from "../../../src/discord/message-contents.ts";
import { deliveredTask } from "../../fakes/stored-tasks.ts";
import { fakeInteraction } from "../fake-interaction.ts";
import { dispatchWith } from "../fake-services.ts";
import { longestModel } from "../longest-content.ts";

test.each([
	["", ["a form"]],
	["?ex=ffffffff", ["a form"]],
	["?ex=1", [expect.stringContaining("isn't available anymore")]],
])("Edit for a result from an image with the link %j responds with %j", async (query, expected) => {
	const responses: unknown[] = [];
	const options = { [IMAGES_OPTION]: [`https://cdn.discordapp.com/boat.png${query}`] };
	const task = { ...deliveredTask, request: { ...deliveredTask.request, options } };
	const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
		customId: taskCustomIds.edit.encode({ taskId: task.id }),
		showModal: async () => void responses.push("a form"),
		reply: async ({ components }: { components?: unknown }) => void responses.push(textsIn(components).join("\n")),
	});
	await dispatchWith({
		clock: createManualClock(),
		catalog: { known: () => [] },
		resultAccess: { requireVisible: async () => task },
	})(interaction);
	expect(responses).toStrictEqual(expected);
});

test.each([
	["５", "a deferral"],
	["five", expect.stringContaining("must be a whole number")],
])("a duration of %j in the form of Edit gets %s", async (duration, expected) => {
	const responses: unknown[] = [];
	const { request } = deliveredTask;
	const model = { ...longestModel(request.mediaType), id: request.model };
	const interaction = fakeInteraction(["isModalSubmit"], {
		customId: taskCustomIds.edit.encode({ taskId: deliveredTask.id }),
		fields: { fields: new Map([["duration", { value: duration }]]), getTextInputValue: () => "a boat" },
		reply: async ({ components }: { components?: unknown }) => void responses.push(textsIn(components).join("\n")),
	});
	void dispatchWith({
		clock: createManualClock(),
		catalog: { known: () => [model] },
		resultAccess: { requireVisible: async () => deliveredTask },
		async sendFirstResponse() {
			responses.push("a deferral");
			await new Promise(() => {});
		},
	})(interaction);
	await expect.poll(() => responses).toStrictEqual([expected]);
});
