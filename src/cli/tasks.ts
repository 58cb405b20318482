/** The operator's command line for tasks. Its exit codes: 0 done, 1 refused or failed, 2 not understood. */
import { systemClock } from "../clock.ts";
import { createTaskStore } from "../services/tasks/task-store.ts";
import { explain, openBotsStore, print, runProgram } from "./program.ts";
import { readTasksOrder, TASKS_USAGE } from "./tasks-arguments.ts";
import { carryOutTasksOrder } from "./tasks-orders.ts";

async function main(typed: readonly string[]): Promise<0 | 1> {
	const order = readTasksOrder(typed);
	if (order.kind === "help") {
		await print(TASKS_USAGE);
		return 0;
	}
	const store = await openBotsStore();
	try {
		return await carryOutTasksOrder(order, { tasks: createTaskStore(store), clock: systemClock, print });
	} finally {
		await store.close();
	}
}

await runProgram(main, (error) => explain(error, TASKS_USAGE));
