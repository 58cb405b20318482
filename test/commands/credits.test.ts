import { describe, expect, test } from "vitest";
import { MANAGER, MEMBER, linesOf, setupCredits } from "./command-setup.ts";

describe("/credits show", () => {
	test("shows the next grant as a local time and a duration", async () => {
		const { type } = setupCredits();
		const { content } = await type(MEMBER, "credits show");
		const dayS = Date.UTC(2026, 11, 1) / 1000;
		expect(content).toContain(`The next 500 come on <t:${dayS}:f>, <t:${dayS}:R>.`);
	});

	test("names the limits of a member without a personal limit", async () => {
		const { type } = setupCredits();
		expect(linesOf(await type(MEMBER, "credits show"))).toContain("You may use as many of them as there are.");
		await type(MANAGER, "quota medium", { medium: "video", credits: 0 });
		await type(MANAGER, "quota medium", { medium: "music", credits: 5 });
		expect(linesOf(await type(MEMBER, "credits show")).slice(-3)).toStrictEqual([
			"You may use as many of them as there are, within these limits:",
			"For videos the admins of this server have given its members none.",
			"For music you have **5** of 5 credits a day left.",
		]);
	});

	test("shows a limit of 0 as no credits", async () => {
		const { type } = setupCredits();
		await type(MANAGER, "quota medium", { medium: "music", credits: 5 });
		await type(MANAGER, "quota member", { credits: 0 });
		expect(linesOf(await type(MEMBER, "credits show")).slice(3)).toStrictEqual([
			"The admins of this server have given you none to use.",
		]);
	});
});

describe("/credits history of a member", () => {
	test("shows usage, and not the member's grants to the server", async () => {
		const { spend, type } = setupCredits();
		await type(MANAGER, "credits grant", { amount: 100, reason: "contest" });
		await spend(MANAGER, 4);
		expect(linesOf(await type(MANAGER, "credits history", { member: MANAGER }))).toStrictEqual([
			"**What your credits went to**, newest first:",
			expect.stringContaining("**−4** → 596"),
		]);
		expect((await type(MANAGER, "credits history")).content).toContain("**+100** → 600");
	});

	test("without entries in the searched range is one sentence", async () => {
		const { spend, type } = setupCredits();
		await Promise.all(Array.from({ length: 100 }, () => spend(MANAGER, 1)));
		for (let n = 0; n < 50; n++) await Promise.all(Array.from({ length: 50 }, () => spend(MANAGER, 1, "void")));
		expect(linesOf(await type(MEMBER, "credits history"))).toStrictEqual([
			"There is nothing to show as far back as this looked. To look further add `before: 202`.",
		]);
		expect(linesOf(await type(MEMBER, "credits history", { before: 202 }))).toStrictEqual([
			"There is nothing to show.",
		]);
	});
});

describe("a grant with an unknown outcome", () => {
	test("is reported as uncertain, with the place to check", async () => {
		const { storage, type } = setupCredits();
		await type(MANAGER, "credits show");
		let isConnected = true;
		const compareAndSet = storage.compareAndSet.bind(storage);
		const get = storage.get.bind(storage);
		storage.compareAndSet = async (key, expected, next) => {
			await compareAndSet(key, expected, next);
			isConnected = !next.includes("contest");
			if (!isConnected) throw new Error("connection lost");
			return true;
		};
		storage.get = async (key: string) => {
			if (!isConnected) throw new Error("connection lost");
			return await get(key);
		};
		expect((await type(MANAGER, "credits grant", { amount: 100, reason: "contest" })).content).toBe(
			"It is not certain whether this was done: look at `/credits history` before you do it again.",
		);
	});
});
