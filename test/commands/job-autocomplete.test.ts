import { expect, test } from "vitest";
import type { Task } from "../../src/services/tasks/task.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { deliveredTask, failedTask } from "../fakes/stored-tasks.ts";
import { dispatchWith } from "./fake-services.ts";
import { fakeInteraction, fakeOptions } from "./fake-interaction.ts";

const copies = (task: Task, count: number, firstId: number) =>
	Array.from({ length: count }, (_, index) => ({ ...task, id: String(firstId + index) }));

test("the choices of /job get reach back beyond many tasks that have no result, up to Discord's maximum", async () => {
	const tasks = [...copies(failedTask, 60, 1000), ...copies(deliveredTask, 30, 2000)];
	const responses: (readonly { readonly value: string }[])[] = [];
	const interaction = fakeInteraction(["isAutocomplete"], {
		type: 4,
		commandName: "job",
		options: { ...fakeOptions({}, "get"), getFocused: () => "" },
		respond: async (choices: readonly { readonly value: string }[]) => void responses.push(choices),
	});
	const memberTasks = { list: async (_member: unknown, { max }: { max: number }) => tasks.slice(0, max) };
	await dispatchWith({ memberTasks, clock: createManualClock() })(interaction);
	expect(responses.map((choices) => choices.map(({ value }) => value))).toStrictEqual([
		copies(deliveredTask, 25, 2000).map(({ id }) => id),
	]);
});
