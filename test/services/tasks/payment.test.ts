import { describe, expect, test } from "vitest";
import { LedgerRefusalError, type Balance } from "@atelier/ledger/operations";
import { messageOfRefusedCharge } from "../../../src/services/tasks/steps/payment.ts";

const REFILLS_AT_MS = Date.UTC(2026, 11, 1);
const REFILLS_AT_S = REFILLS_AT_MS / 1000;

function refillSaid(costCredits: number, expiring: Balance["expiring"]): unknown {
	const balance: Balance = { postedCredits: 100, heldCredits: 0, availableCredits: 100, expiring };
	const route = { account: "guild:1", limits: [], refillsAtMs: REFILLS_AT_MS, monthlyCredits: 500 };
	const refusal = new LedgerRefusalError("exceeds_credits", "guild:1", balance);
	const saying = messageOfRefusedCharge(
		route,
		{ kind: "refused", leg: 0, refusal },
		{ costCredits, mediaType: "image" },
	);
	return "params" in saying && "refillsAtS" in saying.params ? saying.params.refillsAtS : "no such refusal";
}

describe("a member with too few credits reads when the next allowance comes", () => {
	test.each([
		["if it is enough by itself", 500, [], REFILLS_AT_S],
		["if it is enough with the remaining balance", 600, [], REFILLS_AT_S],
		["but not if it is too low even then", 601, [], null],
		["but not if the balance has expired by then", 501, [{ credits: 100, expiresAtMs: REFILLS_AT_MS }], null],
		["where what is left expires later", 600, [{ credits: 100, expiresAtMs: REFILLS_AT_MS + 1 }], REFILLS_AT_S],
	])("%s", (_rule, costCredits, expiring, refillsAtS) => {
		expect(refillSaid(costCredits, expiring)).toBe(refillsAtS);
	});
});
