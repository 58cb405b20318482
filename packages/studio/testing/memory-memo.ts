import type { Memo } from "../src/engines/engine.ts";

/** The checkpoint of one attempt in memory, for tests of an engine without a studio. */
export function createMemoryMemo(): Memo {
	let content: unknown;
	return {
		read: async () => content,
		async write(next) {
			content = structuredClone(next);
		},
	};
}
