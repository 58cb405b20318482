import { describe, expect, test } from "vitest";
import { MANAGER, MEMBER, linesOf, openDesk } from "./command-setup.ts";

describe("/quota show", () => {
	test("says what was really used, also of a limit that was made smaller", async () => {
		const { spend, type } = openDesk();
		await type(MANAGER, "quota server", { credits: 20 });
		await type(MANAGER, "quota member", { member: MEMBER, credits: 10 });
		await spend(MEMBER, 10);
		await type(MANAGER, "quota server", { credits: 6 });
		await type(MANAGER, "quota member", { member: MEMBER, credits: 5 });
		const lines = linesOf(await type(MANAGER, "quota show"));
		expect(lines).toContain("**The whole server** may use 6 credits a month; 10 used, and it starts again on <day>.");
		expect(lines).toContain(`**Members**, instead of all that: <@${MEMBER}> 5 (10 used).`);
	});

	test("has a file with every role and member where it cannot name them all", async () => {
		const { spend, type } = openDesk();
		for (let n = 0; n < 9; n++) await type(MANAGER, "quota role", { role: `3${n}`, credits: n });
		await type(MANAGER, "quota member", { member: MEMBER, credits: 5 });
		await type(MANAGER, "quota member", { member: "9", unlimited: true });
		await spend(MEMBER, 3);
		const answer = await type(MANAGER, "quota show");
		expect(linesOf(answer)).toContainEqual(expect.stringMatching(/^\*\*Roles\*\*.* and 3 more\.$/));
		expect(linesOf(answer).at(-1)).toBe("-# The file has all roles and members.");
		expect(answer.files?.map(({ name }) => name)).toStrictEqual(["limits.txt"]);
		expect(answer.files?.[0]?.attachment.toString().split("\n")).toStrictEqual([
			"Roles, of which the highest counts",
			...Array.from({ length: 9 }, (_, n) => `3${n}\t${n}`),
			"",
			"Members, instead of all that",
			"9\twithout limit",
			`${MEMBER}\t5\t3 used`,
			"",
		]);
	});

	test("has none where it names them all, and says how to be warned", async () => {
		const { type } = openDesk();
		const answer = await type(MANAGER, "quota show");
		expect(answer.files).toStrictEqual([]);
		expect(linesOf(answer).at(-1)).toBe("**Warnings** go nowhere; `/quota server` with `warn_channel` says where.");
	});
});

describe("a change of the time that limits count by", () => {
	test.each([
		["quota member", { credits: 10, per: "day" }],
		["quota server", { credits: 10, per: "month" }],
	])("says of /%s that uses are counted anew", async (command, options) => {
		const { type } = openDesk();
		expect(linesOf(await type(MANAGER, command, options))[0]).toBe("Changed. Now:");
		expect(linesOf(await type(MANAGER, command, { credits: 20 }))[0]).toBe("Changed. Now:");
		expect(linesOf(await type(MANAGER, command, { per: "week" }))[0]).toBe(
			"Changed. What was used before no longer counts, because the period is another one. Now:",
		);
	});
});
