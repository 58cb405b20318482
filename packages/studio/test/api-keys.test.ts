import { describe, expect, test } from "vitest";
import { setup } from "../testing/studio-setup.ts";

describe("a key", () => {
	test("is sk- and 43 characters, and unique", async () => {
		const { studio } = await setup();
		const [first, second] = [
			await studio.createKey({ account: "acme", name: "a" }),
			await studio.createKey({ account: "acme", name: "b" }),
		];
		expect(first.key).toMatch(/^sk-[A-Za-z0-9_-]{43}$/);
		expect(second.key).not.toBe(first.key);
	});

	test("is not in the store", async () => {
		const { store, key } = await setup();
		for await (const { raw, key: place } of store.scan("")) expect(raw + place).not.toContain(key);
	});

	test("is accepted, and no other text is", async () => {
		const { studio, key } = await setup();
		expect([await studio.knowsKey(key), await studio.knowsKey(`${key}x`)]).toStrictEqual([true, false]);
	});

	test("adds its credits to the account", async () => {
		const { studio, ledger } = await setup({ credits: 5 });
		await studio.createKey({ account: "acme", name: "more", grantCredits: 7 });
		expect((await ledger.balance("studio:acme")).availableCredits).toBe(12);
	});

	test("works with any case of the word Bearer, and with no other scheme", async () => {
		const { app, key } = await setup();
		const status = async (authorization: string) =>
			(await app.inject({ url: "/api/v1/models", headers: { authorization } })).statusCode;
		expect(await status(`bearer ${key}`)).toBe(200);
		for (const wrong of [key, `Basic ${key}`, `Bearer${key}`, `Bearer ${key}x`, `Bearer ${key} ${key}`, "Bearer "]) {
			expect(await status(wrong)).toBe(401);
		}
	});

	test.each(["", "a b", "a:b", "a::b", "x".repeat(65), "ä"])(
		"is not created for an account named %j",
		async (account) => {
			const { studio } = await setup();
			await expect(studio.createKey({ account, name: "a" })).rejects.toThrow("an account is named by");
		},
	);
});
