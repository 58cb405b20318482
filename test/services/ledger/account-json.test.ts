import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonOf, keptIn, type AccountJson } from "../../../src/services/ledger/account-json.ts";
import { EMPTY_ACCOUNT, type Account } from "../../../src/services/ledger/account.ts";
import { isPlain } from "../../../src/services/store/plain-json.ts";

const text = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('"holds":[', '{"postedCredits":', "],", '\\"'));
const share = fc.record({ grantId: text, credits: fc.nat(), expiresAtMs: fc.nat() });
const hold = fc.record({ id: text, credits: fc.nat(), shares: fc.array(share, { maxLength: 2 }) });
const step = fc.record({
	postedCredits: fc.integer(),
	shares: fc.array(share, { maxLength: 2 }),
	held: fc.array(hold, { maxLength: 2 }),
	ended: fc.option(fc.nat(5)),
	copied: fc.nat(2),
});

function next(
	before: Account,
	{ postedCredits, shares, held, ended, copied }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): Account {
	const holds = [...before.holds.filter((_, index) => index !== ended), ...held];
	const seq = before.seq + 1;
	const entry = {
		seq,
		operationId: `reserve:${seq}`,
		kind: "reserve" as const,
		amountCredits: 1,
		postedAfterCredits: postedCredits,
		heldAfterCredits: 0,
		atMs: 5,
		by: "system",
		reason: held[0]?.id ?? "none",
	};
	return { postedCredits, shares, holds, seq, entries: [...before.entries.slice(copied), entry] };
}

test("whatever becomes of an account, its JSON is what making all of it anew would be, or left to the store", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
			let account = EMPTY_ACCOUNT;
			let last: AccountJson | undefined;
			for (const each of steps) {
				account = next(account, each);
				const made = jsonOf(account, last);
				const whole = JSON.stringify(account);
				expect(made?.json).toBe(isPlain(whole) ? whole : undefined);
				last = made && keptIn(`{"value":${made.json}}`, made);
				expect(last).toStrictEqual(made);
			}
		}),
		{ numRuns: 2000 },
	);
});
