import { describe, expect, test } from "vitest";
import { MANAGER, MEMBER, linesOf, setupCredits } from "./credit-command-setup.ts";

describe("/quota show", () => {
	test("attaches a file with every role and member if it cannot list them all", async () => {
		const { spend, type } = setupCredits();
		for (let n = 0; n < 9; n++) await type(MANAGER, "quota role", { role: `3${n}`, credits: n });
		await type(MANAGER, "quota member", { member: MEMBER, credits: 5 });
		await type(MANAGER, "quota member", { member: "9", unlimited: true });
		await spend(MEMBER, 3);
		const answer = await type(MANAGER, "quota show");
		expect(linesOf(answer)).toContainEqual(expect.stringMatching(/^\*\*Role limits\*\*.*, and 3 more$/));
		expect(linesOf(answer).at(-1)).toBe("-# The file lists all roles and members.");
		expect(answer.files?.map(({ name }) => name)).toStrictEqual(["limits.txt"]);
		expect(answer.files?.[0]?.attachment.toString().split("\n")).toStrictEqual([
			"Role limits (the highest applies)",
			...Array.from({ length: 9 }, (_, n) => `3${n} ${n}`),
			"",
			"Member exceptions",
			"9 no limit",
			`${MEMBER} 3 of 5 used`,
			"",
		]);
	});
});

describe("the member limit of a server without one", () => {
	const RESETS = "**Member limit**: none · other limits reset every day";

	test.each<[string, string, string, Parameters<ReturnType<typeof setupCredits>["type"]>[2]]>([
		["no other limit", "**Member limit**: none", "show", {}],
		["an unlimited role", "**Member limit**: none", "role", { role: "31", unlimited: true }],
		["a limit of a role", RESETS, "role", { role: "31", credits: 5 }],
		["a limit of a member", RESETS, "member", { member: "9", credits: 5 }],
		["a limit of a media type", RESETS, "media_type", { media_type: "video", credits: 5 }],
		["another period", "**Member limit**: none · other limits reset every week", "member", { per: "week" }],
	])("is, with %s: %s", async (_case, line, command, options) => {
		const { type } = setupCredits();
		expect(linesOf(await type(MANAGER, `quota ${command}`, options))).toContain(line);
	});
});

const usedCreditsIn = (answer: Parameters<typeof linesOf>[0]): readonly string[] =>
	linesOf(answer).flatMap(
		(line) => /(?:\*\*Server limit\*\*: |\*\*Member exceptions\*\*: <@\d+> )(\d+) of/.exec(line)?.[1] ?? [],
	);

describe("a limit that is set during its period", () => {
	test("counts earlier and later spending in the period, and no failed task", async () => {
		const { spend, type } = setupCredits();
		await spend(MEMBER, 90);
		await spend(MANAGER, 9);
		await spend(MEMBER, 7, "void");
		await type(MANAGER, "quota server", { credits: 100 });
		await type(MANAGER, "quota member", { member: MEMBER, credits: 200 });
		expect(usedCreditsIn(await type(MANAGER, "quota show"))).toStrictEqual(["99", "90"]);
		await spend(MEMBER, 1);
		expect(usedCreditsIn(await type(MANAGER, "quota show"))).toStrictEqual(["100", "91"]);
		await expect(spend(MEMBER, 1)).rejects.toThrow("exceeds_credits");
	});

	test("does not count the previous period, nor a hold of it that is posted later", async () => {
		const { clock, spend, type } = setupCredits();
		await spend(MEMBER, 40);
		const postHold = await spend(MEMBER, 10, "open");
		await clock.advance(24 * 60 * 60_000);
		await postHold();
		await spend(MEMBER, 5);
		await type(MANAGER, "quota member", { member: MEMBER, credits: 20 });
		expect(usedCreditsIn(await type(MANAGER, "quota show"))).toStrictEqual(["5"]);
	});

	test("counts the spending in its new period after a change of the period", async () => {
		const { clock, spend, type } = setupCredits();
		await type(MANAGER, "quota server", { credits: 100, per: "day" });
		await spend(MEMBER, 30);
		await clock.advance(24 * 60 * 60_000);
		await spend(MEMBER, 5);
		expect(usedCreditsIn(await type(MANAGER, "quota show"))).toStrictEqual(["5"]);
		expect(usedCreditsIn(await type(MANAGER, "quota server", { per: "month" }))).toStrictEqual(["35"]);
	});
});
