import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDueHeap, type DueRun } from "../../../src/services/tasks/due-heap.ts";

const dueAt = (rankMs: number, sequence: number): DueRun => ({
	taskId: String(sequence),
	dueAtMs: rankMs,
	rankMs,
	sequence,
	index: 0,
});

test("after any insertions and removals, the remaining items come in order", () => {
	const steps = fc.array(
		fc.oneof(
			fc.record({ kind: fc.constant("push" as const), rankMs: fc.integer({ min: 0, max: 20 }) }),
			fc.record({ kind: fc.constant("remove" as const), which: fc.nat() }),
			fc.record({ kind: fc.constant("pop" as const) }),
		),
		{ maxLength: 200 },
	);
	fc.assert(
		fc.property(steps, (all) => {
			const heap = createDueHeap();
			let model: DueRun[] = [];
			const taken: { readonly got: DueRun | undefined; readonly expected: DueRun | undefined }[] = [];
			for (const [turn, step] of all.entries()) {
				if (step.kind === "push") {
					const due = dueAt(step.rankMs, turn);
					heap.push(due);
					model.push(due);
				} else if (step.kind === "remove") {
					const due = model[step.which % Math.max(1, model.length)];
					if (due) heap.remove(due);
					model = model.filter((each) => each !== due);
				} else {
					taken.push({ got: heap.pop(), expected: sorted(model)[0] });
					model = sorted(model).slice(1);
				}
				expect(heap.size()).toBe(model.length);
				expect(heap.peek()).toBe(sorted(model)[0]);
			}
			expect(taken.map(({ got }) => got)).toStrictEqual(taken.map(({ expected }) => expected));
			expect(Array.from({ length: model.length }, () => heap.pop())).toStrictEqual(sorted(model));
			expect(heap.pop()).toBeUndefined();
		}),
	);
});

function sorted(all: readonly DueRun[]): DueRun[] {
	return all.toSorted((a, b) => a.rankMs - b.rankMs || a.sequence - b.sequence);
}
