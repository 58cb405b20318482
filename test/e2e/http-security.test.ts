import { expect, test } from "vitest";
import { openDiscord } from "./open-discord.ts";
import { openAtelier, storeOnDisk } from "./start-atelier.ts";

/** One URL of each kind that a process serves, known or unknown, with valid and invalid requests. */
const ENDPOINTS = [
	["GET", "/"],
	["GET", "/livez"],
	["GET", "/readyz"],
	["GET", "/metrics"],
	["GET", "/nowhere"],
	["GET", "/%c0%ae%c0%ae/etc/passwd"],
	["GET", "/docs"],
	["GET", "/openapi.json"],
	["GET", "/api/v1/models"],
	["POST", "/api/v1/generate"],
	["GET", "/api/v1/task/1"],
	["GET", "/api/v1/%zz"],
	["GET", "/api/v10/gateway/bot"],
	["GET", "/api/v10/nowhere"],
	["GET", "/media/nothing.png"],
	["GET", "/playground/state"],
	["POST", "/playground/typeCommand"],
	["GET", "/playground/media/1/2/x.svg"],
	["GET", "/dashboard/"],
	["GET", "/dashboard/servers/1/overview"],
	["GET", "/dashboard/page.js"],
	["GET", "/dashboard/callback"],
	["GET", "/dashboard/api/session"],
	["PUT", "/dashboard/api/servers/1/settings"],
	["GET", "/dashboard/api/%zz"],
	["GET", "/results/1/0/1/x"],
	["POST", "/callbacks/media/1"],
] as const;

test("responses of every endpoint cannot be framed, executed or sniffed", async () => {
	const { atelier } = await openAtelier({ env: { PUBLIC_URL: "https://bot.example.com" } });
	for (const [method, path] of ENDPOINTS) {
		const { status, headers } = await fetch(`${atelier.origin}${path}`, { method });
		const policy = headers.get("content-security-policy") ?? "";
		expect({
			path,
			hasFailed: status === 500,
			contentTypeOptions: headers.get("x-content-type-options"),
			referrerPolicy: headers.get("referrer-policy"),
			isPolicyStrict: policy.includes("default-src 'none'") && !/unsafe|\*/.test(policy),
			mayBeFramed: !/frame-ancestors 'none'|sandbox/.test(policy) && headers.get("x-frame-options") !== "DENY",
			hasResourcePolicy: /^(?:same|cross)-origin$/.test(headers.get("cross-origin-resource-policy") ?? ""),
			allowedOrigin: headers.get("access-control-allow-origin"),
			namedSoftware: headers.get("x-powered-by") ?? headers.get("server"),
		}).toStrictEqual({
			path,
			hasFailed: false,
			contentTypeOptions: "nosniff",
			referrerPolicy: "no-referrer",
			isPolicyStrict: true,
			mayBeFramed: false,
			hasResourcePolicy: true,
			allowedOrigin: null,
			namedSoftware: null,
		});
	}
});

test("the playground does not listen for other machines unless configured", async () => {
	await expect(openAtelier({ env: { HOST: "0.0.0.0" } })).rejects.toThrow(
		/HOST is 0\.0\.0\.0: without one the playground starts/,
	);
});

test("the playground and a bot never share a store", async () => {
	const trial = await storeOnDisk();
	const { atelier } = await openAtelier({ env: trial });
	await atelier.stop();
	const { env: discord } = await openDiscord();
	await expect(openAtelier({ env: { ...trial, ...discord } })).rejects.toThrow("the trial data of the playground");

	const production = await storeOnDisk();
	const { atelier: bot } = await openAtelier({ env: { ...production, ...discord } });
	await bot.stop();
	await expect(openAtelier({ env: production })).rejects.toThrow(/belongs to the bot \d+, and without DISCORD_TOKEN/);
	const otherToken = `${Buffer.from("123456789012345678").toString("base64")}.other.token`;
	await expect(openAtelier({ env: { ...production, ...discord, DISCORD_TOKEN: otherToken } })).rejects.toThrow(
		"DISCORD_TOKEN is that of the bot 123456789012345678",
	);
});
