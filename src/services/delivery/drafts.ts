import type { Draft, DraftOptions, ResultStore } from "./result-store.ts";

/** What is made of one task's result until all of it is there; what was not kept by then is discarded. */
export interface Drafts extends AsyncDisposable {
	add(index: number, content: AsyncIterable<Uint8Array>, options?: DraftOptions): Promise<Draft>;
}

export function openDrafts(results: Pick<ResultStore, "draft">, taskId: string): Drafts {
	const drafts: Draft[] = [];
	return {
		async add(index, content, options) {
			const draft = await results.draft(taskId, index, content, options);
			drafts.push(draft);
			return draft;
		},
		async [Symbol.asyncDispose]() {
			for (const draft of drafts) await draft.discard();
		},
	};
}
