import { describe, expect, test } from "vitest";
import { setup } from "@atelier/studio/testing/studio-setup";
import { runCli } from "./run-cli.ts";

async function setupCli() {
	const studio = await setup();
	const printed: string[] = [];
	const errors: string[] = [];
	async function type(line: string): Promise<number> {
		const { code, stdout, stderr } = await runCli(line.split(" "), studio);
		printed.push(...stdout);
		errors.push(stderr);
		return code;
	}
	const statusOf = async (key: string): Promise<number> =>
		(await studio.call("GET", "/api/v1/models", { key })).body.code;
	return { ...studio, type, printed, errors, statusOf };
}

describe("an operator", () => {
	test("creates a key that works in the running studio, sees it once, and revokes it", async () => {
		const { type, printed, errors, statusOf } = await setupCli();
		expect(await type("keys create beta --name web")).toBe(0);
		const key = /^sk-\S+/.exec(printed[0] ?? "")?.[0] ?? "";
		const id = /The key ([0-9a-f]{16}) of beta/.exec(printed[0] ?? "")?.[1] ?? "";
		expect(await statusOf(key)).toBe(0);
		await type("keys list beta");
		expect(printed[1]).toBe(`${id}  beta  good  generate+read  "web"`);
		expect(await type(`keys revoke ${id}`)).toBe(0);
		expect(await statusOf(key)).toBe(40101);
		await type("keys list beta");
		expect(printed.at(-1)).toBe(`${id}  beta  revoked  generate+read  "web"`);
		expect(printed.slice(1).join("")).not.toContain(key);
		expect(await type("keys revoke 0000000000000000")).toBe(1);
		expect(errors.at(-1)).toBe("There is no key 0000000000000000.");
		expect(await type("keys list gamma")).toBe(1);
		expect(errors.at(-1)).toBe("gamma has no key.");
	});

	test("sees the permissions and the expiry of a key", async () => {
		const { type, printed, clock } = await setupCli();
		const limits = "--scopes read --models a,b --addresses 10.0.0.0/8,2001:db8::/48 --expires 2026-01-01";
		await type(`keys create beta --name x ${limits}`);
		await type("keys list beta");
		expect(printed[1]).toContain(
			'beta  good  read  a,b  10.0.0.0/8,2001:db8::/48  until 2026-01-02T00:00:00.000Z  "x"',
		);
		await clock.advance(86_400_000);
		await type("keys list beta");
		expect(printed[2]).toContain("expired");
		expect(await type("keys create beta --name y --expires 2026-01-01")).toBe(2);
	});

	test("sets a spend cap for a key, and sees its remainder", async () => {
		const { type, printed, call } = await setupCli();
		await type("keys create acme --name x --cap 7 --per day");
		const key = /^sk-\S+/.exec(printed[0] ?? "")?.[0] ?? "";
		const request = { mediaType: "image", model: "fake-image", prompt: "x" };
		expect((await call("POST", "/api/v1/generate", { body: request, key })).status).toBe(200);
		await type("keys list acme");
		expect(printed.slice(1).find((line) => line.includes('"x"'))).toContain("3 of 7 credits a day left");
	});

	test("lists the accounts with credits, without secrets", async () => {
		const { type, printed, errors, store } = await setupCli();
		await type("keys create beta --name web");
		const key = /^sk-\S+/.exec(printed[0] ?? "")?.[0] ?? "none";
		// A repeat with the same id has no effect.
		for (const _ of [1, 2]) await type("accounts grant beta 1500 --reason gift --id g1");
		expect(await type("accounts grant beta 7 --reason gift --id g1")).toBe(1);
		expect(errors.at(-1)).toBe("This change was already made with a different amount. Nothing was changed this time.");
		const secret = (await store.get<{ callbackSecret: string }>("studio-account:beta"))?.value.callbackSecret;
		expect(secret).toMatch(/^whsec_/);
		printed.length = 0;
		expect(await type("accounts list beta")).toBe(0);
		expect(printed[0]).toMatch(/^beta {2}1,500 credits available, 0 held {2}since \d{4}-/);
		expect(await type("accounts")).toBe(0);
		expect(printed.length).toBeGreaterThan(2);
		expect(printed.join("\n")).not.toContain(key);
		expect(printed.join("\n")).not.toContain(secret ?? "none");
		expect(await type("accounts list unknown")).toBe(1);
		expect(errors.at(-1)).toBe("There is no account unknown.");
	});

	test("revokes every key of one account, and no other", async () => {
		const { type, printed, errors, statusOf } = await setupCli();
		for (const account of ["beta", "beta", "gamma"]) await type(`keys create ${account} --name web`);
		const keys = printed.flatMap((line) => /^sk-\S+/.exec(line)?.[0] ?? []);
		expect(await Promise.all(keys.map(statusOf))).toStrictEqual([0, 0, 0]);
		expect(await type("accounts revoke beta")).toBe(0);
		expect(printed.filter((line) => line.startsWith("Revoked: "))).toHaveLength(2);
		expect(await Promise.all(keys.map(statusOf))).toStrictEqual([40101, 40101, 0]);
		expect(await type("accounts revoke beta")).toBe(1);
		expect(errors.at(-1)).toBe("beta has no active key.");
	});
});
