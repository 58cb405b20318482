import type { HoldPurpose } from "@atelier/ledger/auditor";
import type { TaskStore } from "./task-store.ts";

/** Returns how the ledger's audit finds the task of a hold: the two have the same id. */
export function createHoldPurpose(tasks: Pick<TaskStore, "load">): (holdId: string) => Promise<HoldPurpose> {
	return async (holdId) => {
		const loaded = await tasks.load(holdId);
		if (!loaded) return "missing";
		const { state } = loaded.task;
		return state === "delivered" || state === "withdrawn" ? "ended" : "open";
	};
}
