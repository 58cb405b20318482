/** Random interleavings of the store calls of two processes. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createAuditor } from "../src/audit-store.ts";
import { createLedger } from "../src/ledger.ts";
import { LedgerRejectedError } from "../src/operations.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import type { KvAdapter } from "@atelier/store/kv-adapter";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const GUILD = "guild:1";
const GRANTED = 10;
const note = { by: "member:1", reason: "test" };

type Step =
	| { readonly kind: "reserve"; readonly hold: number; readonly credits: number; readonly hasDocument: boolean }
	| { readonly kind: "post"; readonly hold: number }
	| { readonly kind: "void"; readonly hold: number };

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		kind: fc.constant("reserve" as const),
		hold: fc.nat(4),
		credits: fc.integer({ min: 1, max: 8 }),
		hasDocument: fc.boolean(),
	}),
	fc.record({ kind: fc.constant("post" as const), hold: fc.nat(4) }),
	fc.record({ kind: fc.constant("void" as const), hold: fc.nat(4) }),
);

/** The calls of one process, each of which waits for its turn. */
function scheduled(scheduler: fc.Scheduler, inner: KvAdapter): KvAdapter {
	return {
		...inner,
		get: scheduler.scheduleFunction((key: string) => inner.get(key)),
		compareAndSet: scheduler.scheduleFunction((...changes: Parameters<KvAdapter["compareAndSet"]>) =>
			inner.compareAndSet(...changes),
		),
	};
}

function property() {
	const stepsOfProcess = fc.array(step, { minLength: 1, maxLength: 8 });
	return fc.asyncProperty(fc.scheduler(), stepsOfProcess, stepsOfProcess, async (scheduler, first, second) => {
		const disk = createMemoryAdapter();
		const clock = createManualClock();
		const store = createKeyvStore(disk);
		await createLedger({ store, clock }).grant(GUILD, "grant:1", GRANTED, note);
		const reserved = new Map<number, number[]>();
		const documents = new Map<string, number>();
		const processes = [first, second].map(async (steps) => {
			const ledger = createLedger({ store: createKeyvStore(scheduled(scheduler, disk)), clock });
			await Promise.all(steps.map((each) => apply(each).catch(ignoreRejection)));

			async function apply(each: Step): Promise<void> {
				const id = `t${each.hold}`;
				switch (each.kind) {
					case "post":
						return void (await ledger.post(GUILD, id, 1, note));
					case "void":
						return void (await ledger.void(GUILD, id, note));
					case "reserve": {
						const alsoWrite = [{ key: `document:${id}`, value: each.credits }];
						await ledger.reserve(GUILD, id, each.credits, note, each.hasDocument ? { alsoWrite } : {});
						reserved.set(each.hold, [...(reserved.get(each.hold) ?? []), each.credits]);
						if (!each.hasDocument) return;
						expect(documents.has(`document:${id}`)).toBe(false);
						documents.set(`document:${id}`, each.credits);
					}
				}
			}
		});
		await scheduler.waitFor(Promise.all(processes));

		expect((await createAuditor({ store }).account(GUILD)).findings).toStrictEqual([]);
		const entries = await createLedger({ store, clock }).history(GUILD, { limit: 100 });
		for (const [hold, amounts] of reserved) {
			const reservations = entries.filter(({ operationId }) => operationId === `reserve:t${hold}`);
			expect(reservations.map(({ amountCredits }) => amountCredits)).toStrictEqual([amounts[0]]);
			expect(new Set(amounts).size).toBe(1);
		}
		// A document exists if and only if its reservation was acknowledged, which happens once.
		const found = await Array.fromAsync(store.scan("document:"));
		expect(found).toHaveLength(documents.size);
		expect(new Map(found.map(({ key, value }) => [key, value]))).toStrictEqual(documents);
	});
}

test("in every interleaving of two processes, acknowledged operations happen once, and the audit finds nothing", async () => {
	await expect(fc.assert(property(), { numRuns: 400 })).resolves.toBeUndefined();
});

function ignoreRejection(error: unknown): void {
	if (!(error instanceof LedgerRejectedError)) throw error;
}
