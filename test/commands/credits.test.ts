import { describe, expect, test } from "vitest";
import { credits } from "../../src/commands/credits.ts";
import { idField } from "../../src/discord/custom-id.ts";
import { CreditChangeUncertainError } from "../../src/services/credits/credit-service.ts";
import { formatHistoryCsv } from "../../src/services/credits/credits-csv.ts";
import { MANAGER, MEMBER, linesOf, setupCredits } from "./credit-command-setup.ts";

describe("/credits show", () => {
	test("names the limits by media type for a member without a personal limit", async () => {
		const { type } = setupCredits();
		expect(linesOf(await type(MEMBER, "credits show"))).toContain("You have no personal limit.");
		await type(MANAGER, "quota media_type", { media_type: "video", credits: 0 });
		await type(MANAGER, "quota media_type", { media_type: "music", credits: 5 });
		expect(linesOf(await type(MEMBER, "credits show")).slice(-3)).toStrictEqual([
			"You have no personal limit, except:",
			"You don't have any credits for videos in this server. Ask an admin.",
			"You have **5** of 5 credits for songs left today. This limit resets <day>.",
		]);
	});

	test("shows a personal limit of 0 as no credits, without the limits by media type", async () => {
		const { type } = setupCredits();
		await type(MANAGER, "quota media_type", { media_type: "music", credits: 5 });
		await type(MANAGER, "quota member", { credits: 0 });
		expect(linesOf(await type(MEMBER, "credits show")).slice(3)).toStrictEqual([
			"You don't have any credits in this server. Ask an admin.",
		]);
	});
});

test("the option `before` accepts only numbers that the buttons of the history can carry", () => {
	const before = JSON.stringify(credits.definition).match(/"max_value":(\d+)/)?.[1] ?? "";
	expect(idField.number.decode(before)).toBe(9_999_999_999);
	expect(idField.number.decode(String(Number(before) + 1))).toBeUndefined();
});

describe("/credits history of a member", () => {
	test("shows usage, and not the member's grants to the server", async () => {
		const { spend, type } = setupCredits();
		await type(MANAGER, "balance grant", { amount: 100, reason: "contest" });
		await spend(MANAGER, 4);
		expect(linesOf(await type(MANAGER, "credits history", { member: MANAGER }))).toStrictEqual([
			"**Your credit history**, newest first",
			expect.stringContaining("**−4** → 596"),
		]);
		expect(linesOf(await type(MANAGER, "credits history")).join("\n")).toContain("**+100** → 600");
	});

	test("without entries in the searched range is one sentence, and a CSV file searches twice as far", async () => {
		const { spend, type } = setupCredits();
		// One monthly grant and 100 charges are the entries 1 to 201, and 2,500 returned holds the 5,000 after them. A page searches 5,000.
		await Promise.all(Array.from({ length: 100 }, () => spend(MANAGER, 1)));
		for (let n = 0; n < 50; n++) await Promise.all(Array.from({ length: 50 }, () => spend(MANAGER, 1, "void")));
		expect(linesOf(await type(MEMBER, "credits history"))).toStrictEqual([
			"Nothing found so far. To search further back, add `before`: 202",
		]);
		expect(linesOf(await type(MEMBER, "credits history", { before: 202 }))).toStrictEqual(["Nothing to show yet."]);
		const csv = await type(MEMBER, "credits history", { csv: true });
		expect(linesOf(csv)).toStrictEqual(["0 entries, newest first."]);
		expect(csv.files?.map(({ attachment }) => attachment.toString())).toStrictEqual([formatHistoryCsv([], undefined)]);
	});
});

const failUncertainly = () => Promise.reject(new CreditChangeUncertainError("1", {}));

test("a grant with an unknown outcome is reported as uncertain, with the place to check", async () => {
	const { type } = setupCredits({ creditService: { grant: failUncertainly } });
	expect(linesOf(await type(MANAGER, "balance grant", { amount: 100, reason: "contest" }))).toEqual([
		"This may not have worked. Check `/credits history` before you try again.",
	]);
});
