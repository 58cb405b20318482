import { describe, expect, test } from "vitest";
import { readOrder } from "../../src/cli/credits-arguments.ts";
import { UsageFault } from "../../src/cli/usage-fault.ts";

const GUILD = "1000000000000000001";
const read = (typed: string) => readOrder(typed.split(" "));

describe("an order", () => {
	test.each([
		[
			`grant ${GUILD} 1,000 --reason birthday --expires 2026-12-31 --id b1`,
			{
				kind: "grant",
				change: { guildId: GUILD, amountCredits: 1000, reason: "birthday", id: "b1" },
				lastDay: "2026-12-31",
			},
		],
		[
			`revoke ${GUILD} 5 --reason mistake`,
			{ kind: "revoke", change: { guildId: GUILD, amountCredits: 5, reason: "mistake", id: undefined } },
		],
		[`show ${GUILD}`, { kind: "show", guildId: GUILD }],
		["audit", { kind: "audit", guildId: undefined }],
		[`export ${GUILD}`, { kind: "export", guildId: GUILD }],
		["--help", { kind: "help" }],
	])("%s", (typed, order) => {
		expect(read(typed)).toStrictEqual(order);
	});

	test("is help where nothing was typed", () => {
		expect(readOrder([])).toStrictEqual({ kind: "help" });
	});
});

describe("what cannot be meant is said", () => {
	test.each([
		["give", "there is no command give"],
		["show", "GUILD is missing"],
		["show my-server", "expected the server's id"],
		[`grant ${GUILD} --reason birthday`, "AMOUNT: expected a whole number from 1 to 1,000,000,000"],
		[`grant ${GUILD} 0 --reason birthday`, "AMOUNT"],
		[`grant ${GUILD} 1.5 --reason birthday`, "AMOUNT"],
		[`grant ${GUILD} 1e99 --reason birthday`, "AMOUNT"],
		[`grant ${GUILD} 1e3 --reason birthday`, "AMOUNT"],
		[`grant ${GUILD} 0x10 --reason birthday`, "AMOUNT"],
		[`grant ${GUILD} 5`, "--reason: expected 3 to 200 characters"],
		[`grant ${GUILD} 5 --reason a`, "--reason: expected 3 to 200 characters"],
		[`grant ${GUILD} 5 --reason good work`, "a reason of several words goes in quotation marks"],
		[
			`grant ${GUILD} 5 --reason work --expires soon`,
			"--expires: expected a day of the calendar such as 2026-12-31, not soon",
		],
		[`grant ${GUILD} 5 --reason work --expires 2027-02-31`, "--expires: expected a day of the calendar"],
		[`grant ${GUILD} 5 --reason work --id a::b`, "--id"],
		[`revoke ${GUILD} 5 --reason work --expires 2026-12-31`, "--expires goes with grant only"],
		[`show ${GUILD} ${GUILD}`, "show takes one server, not 2"],
		[`audit ${GUILD} --reason why`, "audit takes no options"],
		[`audit --verbose`, "Unknown option '--verbose'"],
	])("%s", (typed, words) => {
		expect(() => read(typed)).toThrow(UsageFault);
		expect(() => read(typed)).toThrow(words);
	});
});
