import { createHash } from "node:crypto";
import type { EngineTask } from "./engine.ts";

export const SEED_MAX = 2 ** 31 - 1;

/** Returns the requested seed, or one derived from the task id, the same in every attempt. */
export function seedOf({ taskId, options }: Pick<EngineTask, "taskId" | "options">): number {
	const { seed } = options;
	if (typeof seed === "number") return seed;
	return createHash("sha256").update(`seed/${taskId}`).digest().readUInt32BE(0) % SEED_MAX;
}
