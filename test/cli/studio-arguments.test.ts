import { describe, expect, test } from "vitest";
import { readStudioOrder } from "../../src/cli/studio-arguments.ts";
import { UsageFault } from "../../src/cli/usage-fault.ts";

const UNRESTRICTED = { scopes: ["generate", "read"], models: null, addresses: null, expiresAtMs: null, cap: null };

describe("what an operator types about the studio", () => {
	test.each([
		[[], { kind: "start" }],
		[["--help"], { kind: "help" }],
		[["help"], { kind: "help" }],
		[["keys", "list"], { kind: "listKeys", account: undefined }],
		[["keys", "list", "acme"], { kind: "listKeys", account: "acme" }],
		[["keys", "revoke", "0123456789abcdef"], { kind: "revokeKey", id: "0123456789abcdef" }],
		[
			["accounts", "grant", "acme", "1,000", "--reason", "a gift", "--id", "g1"],
			{ kind: "grant", account: "acme", amountCredits: 1000, reason: "a gift", id: "g1" },
		],
		[
			["keys", "create", "acme", "--name", " web "],
			{ kind: "createKey", key: { account: "acme", name: "web", ...UNRESTRICTED } },
		],
		[
			[
				"keys",
				"create",
				"acme",
				"--name",
				"web",
				"--scopes",
				"read",
				"--models",
				"sketch, sketch-tune",
				"--addresses",
				"203.0.113.0/24,2001:db8::1",
				"--expires",
				"2026-12-31",
				"--cap",
				"1,000",
				"--per",
				"month",
			],
			{
				kind: "createKey",
				key: {
					account: "acme",
					name: "web",
					scopes: ["read"],
					models: ["sketch", "sketch-tune"],
					addresses: ["203.0.113.0/24", "2001:db8::1"],
					expiresAtMs: Date.UTC(2027, 0, 1),
					cap: { credits: 1000, per: "month" },
				},
			},
		],
	])("%j is understood", (typed, order) => {
		expect(readStudioOrder(typed)).toStrictEqual(order);
	});

	test.each([
		[["keys"], "there is no command keys"],
		[["keys", "drop"], "there is no command keys drop"],
		[["keys", "create"], "expected one ACCOUNT, not 0"],
		[["keys", "create", "a b", "--name", "x"], "ACCOUNT: expected"],
		[["keys", "create", "acme"], "--name: expected"],
		[["keys", "create", "acme", "--name", "x", "--scopes", "admin"], "--scopes: expected generate and read, not admin"],
		[["keys", "create", "acme", "--name", "x", "--scopes", ""], "expected a list"],
		[["keys", "create", "acme", "--name", "x", "--addresses", "10.0.0.0/33"], "--addresses: expected networks"],
		[["keys", "create", "acme", "--name", "x", "--addresses", "example.com"], "--addresses: expected networks"],
		[["keys", "create", "acme", "--name", "x", "--expires", "2026-02-30"], "--expires: expected a day"],
		[["keys", "create", "acme", "--name", "x", "--cap", "0"], "--cap: expected a whole number"],
		[["keys", "create", "acme", "--name", "x", "--cap", "5", "--per", "hour"], "--per: expected one of day"],
		[["keys", "create", "acme", "--name", "x", "--per", "day"], "--per: expected --cap"],
		[["keys", "create", "acme", "--name", "x", "--reason", "y"], "--reason does not go with this command"],
		[["keys", "revoke", "sk-secret"], "ID: expected the 16 digits"],
		[["accounts", "grant", "acme", "0", "--reason", "x"], "AMOUNT: expected"],
		[["accounts", "grant", "acme", "1e3", "--reason", "x"], "AMOUNT: expected"],
		[["accounts", "grant", "acme", "5"], "--reason: expected"],
		[["--name", "x"], "--name does not go with this command"],
		[["--nonsense"], "Unknown option"],
	])("%j is refused: %s", (typed, words) => {
		expect(() => readStudioOrder(typed)).toThrow(UsageFault);
		expect(() => readStudioOrder(typed)).toThrow(words);
	});
});
