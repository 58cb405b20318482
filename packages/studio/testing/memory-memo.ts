import type { Memo } from "../src/engines/engine.ts";

/** What one attempt writes down, for tests that run an engine without a studio. */
export function createMemoryMemo(): Memo {
	let content: unknown;
	return {
		read: async () => content,
		async write(next) {
			content = structuredClone(next);
		},
	};
}
