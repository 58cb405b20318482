import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDueHeap, type DueRun } from "../../../src/services/tasks/due-heap.ts";

const dueAt = (rankMs: number, sequence: number): DueRun => ({
	taskId: String(sequence),
	dueAtMs: rankMs,
	rankMs,
	sequence,
});

test("after any insertions and removals, the remaining items come in order", () => {
	const steps = fc.array(fc.option(fc.integer({ min: 0, max: 20 }), { freq: 3 }), { maxLength: 200 });
	fc.assert(
		fc.property(steps, (ranksMs) => {
			const heap = createDueHeap();
			let model: DueRun[] = [];
			const first: { readonly got: DueRun | undefined; readonly expected: DueRun | undefined }[] = [];
			for (const [turn, rankMs] of ranksMs.entries()) {
				if (rankMs === null) {
					first.push({ got: heap.pop(), expected: model[0] });
					model = model.slice(1);
				} else {
					const due = dueAt(rankMs, turn);
					heap.push(due);
					model = sorted([...model, due]);
				}
				first.push({ got: heap.peek(), expected: model[0] });
			}
			expect(first.map(({ got }) => got)).toStrictEqual(first.map(({ expected }) => expected));
			expect(Array.from({ length: model.length + 1 }, () => heap.pop())).toStrictEqual([...model, undefined]);
		}),
	);
});

function sorted(all: readonly DueRun[]): DueRun[] {
	return all.toSorted((a, b) => a.rankMs - b.rankMs || a.sequence - b.sequence);
}
