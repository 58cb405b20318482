import type { HoldTaskState } from "@atelier/ledger/auditor";
import type { TaskStore } from "./task-store.ts";

/** Looks up the state of the task of a hold for the ledger's audit: the two have the same id. */
export function createHoldTaskLookup(tasks: Pick<TaskStore, "load">): (holdId: string) => Promise<HoldTaskState> {
	return async (holdId) => {
		const loaded = await tasks.load(holdId);
		if (!loaded) return "missing";
		const { state } = loaded.task;
		return state === "delivered" || state === "withdrawn" ? "ended" : "open";
	};
}
