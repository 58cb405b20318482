import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDueHeap, type DueRun } from "../../../src/services/tasks/due-heap.ts";

test("after any insertions and removals, the items come in order", () => {
	// `null` removes the first item.
	const steps = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { freq: 3 }), { maxLength: 200 });
	fc.assert(
		fc.property(steps, (ranksMs) => {
			const heap = createDueHeap();
			const model: DueRun[] = [];
			const got: unknown[] = [];
			const expected: unknown[] = [];
			for (const [sequence, rankMs] of ranksMs.entries()) {
				if (rankMs === null) {
					got.push(heap.pop());
					expected.push(model.shift());
				} else {
					const due = { taskId: String(sequence), dueAtMs: rankMs, rankMs, sequence };
					heap.push(due);
					model.push(due);
					model.sort((a, b) => a.rankMs - b.rankMs || a.sequence - b.sequence);
				}
				got.push(heap.peek());
				expected.push(model[0]);
			}
			expect(got).toStrictEqual(expected);
		}),
	);
});
