import { expect, test } from "vitest";
import { openAdminClient } from "../src/admin/admin-client.ts";
import { deferred, openPlayground } from "../testing/setup.ts";

test("every request is logged with its verdict and without a token", async () => {
	const playground = await openPlayground();
	const adminClient = openAdminClient(playground.origin);
	await playground.rest("GET", "/users/@me");
	await playground.rest("POST", "/users/@me/channels", { recipient: "1" });
	await playground.rest("GET", "/nowhere");
	await expect.poll(async () => (await adminClient.requests()).requests).toHaveLength(3);
	const { requests, counts } = await adminClient.requests();
	expect(requests).toMatchObject([
		{ id: 1, method: "GET", path: "/users/@me", status: 200, verdict: "valid", errors: [] },
		{ id: 2, method: "POST", status: 400, verdict: "invalid" },
		{ id: 3, path: "/nowhere", status: 404, verdict: "unchecked" },
	]);
	expect(requests[1]?.errors.join()).toContain("recipient: Discord knows no recipient here.");
	expect(counts).toStrictEqual({ valid: 1, invalid: 1, unchecked: 1 });
	expect((await adminClient.requests(2)).requests.map(({ id }) => id)).toStrictEqual([3]);

	const { interaction } = await deferred({ playground });
	await interaction.webhook("PATCH", { content: "x" });
	const after = await adminClient.requests(3);
	expect(after.requests.at(-1)).toMatchObject({
		method: "PATCH",
		path: expect.stringMatching(/^\/webhooks\/\d+\/…\//),
	});
	expect(JSON.stringify(after)).not.toContain(interaction.token);
});

test("an injected response is marked in the log", async () => {
	const playground = await openPlayground();
	const adminClient = openAdminClient(playground.origin);
	await adminClient.inject({ times: 1, answer: { kind: "error", status: 503, code: 0 } });
	await adminClient.inject({ times: 1, answer: { kind: "hangUp" } });
	await playground.rest("GET", "/users/@me");
	await expect(playground.rest("GET", "/users/@me")).rejects.toThrow("fetch failed");
	await playground.rest("GET", "/users/@me");
	await expect
		.poll(async () => (await adminClient.requests()).requests.map(({ status, isInjected }) => [status, isInjected]))
		.toStrictEqual([
			[503, true],
			[0, true],
			[200, false],
		]);
});
