import type { Checkpoint } from "../src/engines/engine.ts";

/** The checkpoint of one attempt in memory, for tests of an engine without a studio. */
export function createMemoryCheckpoint(): Checkpoint {
	let content: unknown;
	return {
		read: async () => content,
		async write(next) {
			content = structuredClone(next);
		},
	};
}
