import type { Message } from "discord.js";
import { expect, test } from "vitest";
import { taskIdOf } from "../../../src/commands/framework/task-from-message.ts";
import { taskButtonCardRows } from "../../../src/discord/task-buttons.ts";
import { resultButtons } from "../../../src/services/tasks/result-buttons.ts";
import type { TaskIn } from "../../../src/services/tasks/task.ts";
import { longestTask } from "../longest-content.ts";

const APPLICATION_ID = "2";
const TASK_ID = "1000000000000000099";

test.each([true, false])(
	"a result in a channel message names its task, also without a Report button",
	(isReportable) => {
		const outcome = { kind: "succeeded", seed: null, files: [] };
		const task = longestTask({ state: "settled", outcome }, "en-US") as TaskIn<"settled">;
		const presentation = { ...task.presentation, isReportable };
		const rows = taskButtonCardRows(TASK_ID, resultButtons({ ...task, presentation }, { known: () => [] }), "More");
		const components = rows.map((row) => ({ toJSON: () => row }));
		const message = { author: { id: APPLICATION_ID }, components, interactionMetadata: null } as unknown as Message;
		expect(taskIdOf(message, APPLICATION_ID)).toBe(TASK_ID);
	},
);
