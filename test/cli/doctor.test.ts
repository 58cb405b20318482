import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { fakeImageModel } from "@atelier/studio/testing/fake-engine";
import { openAtelier } from "../e2e/start-atelier.ts";
import { openDiscord } from "../e2e/open-discord.ts";
import { openService } from "../services/generation/service-setup.ts";
import { runCli } from "./run-cli.ts";

const KEY = "sk-planted-key-4711";

async function runDoctor(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
	const folder = await createTempFolder();
	const fullEnv = { PORT: "0", DATA_DIR: join(folder, "data"), ...env };
	const { code, stdout, stderr } = await runCli(["doctor", ...args], { env: fullEnv });
	const output = [...stdout, stderr].join("\n");
	expect(output).not.toContain(KEY);
	return { code, output };
}

test("without configuration the doctor reports that studio and playground are built in, and checks the rest", async () => {
	const { code, output } = await runDoctor({});
	expect(code).toBe(0);
	expect(output).toContain("the built-in studio generates media");
	expect(output).toContain("the built-in playground stands in for Discord");
	expect(output).toContain("the first start creates it");
	expect(output).toContain("No problems found.");
});

test("a port in use is an error", async () => {
	const PORT = new URL(await openHttpServer((_, response) => response.end("something else"))).port;
	const { code, output } = await runDoctor({ PORT });
	expect(code).toBe(1);
	expect(output).toContain(`cannot listen at 127.0.0.1:${PORT} (EADDRINUSE)`);
});

test("the doctor reports an address at which the playground would not start, or serves no or unprotected metrics", async () => {
	const { code, output } = await runDoctor({ HOST: "0.0.0.0" });
	expect(code).toBe(1);
	expect(output).toMatch(/ {2}fix .*because HOST is 0\.0\.0\.0.*PLAYGROUND_REACH=network/);
	expect(output).not.toContain("the built-in playground stands in for Discord");
	const reachable = { HOST: "0.0.0.0", PLAYGROUND_REACH: "network" };
	const without = await runDoctor(reachable);
	expect(without.code).toBe(0);
	expect(without.output).toMatch(/ {2}note +no metrics are served, because HOST is 0\.0\.0\.0\n.*Set METRICS_PORT/);
	const own = { ...reachable, METRICS_PORT: "9464" };
	expect((await runDoctor(own)).output).not.toMatch(/ {2}note .*metrics/);
	const { output: open } = await runDoctor({ ...own, METRICS_HOST: "0.0.0.0" });
	expect(open).toMatch(/ {2}note +metrics at 0\.0\.0\.0:9464 have no authentication/);
});

test("the doctor reads the engine file as the start does, and reports its problems", async () => {
	const STUDIO_ENGINES = join(await createTempFolder(), "engines.json");
	const engine = { kind: "openai-images", url: "http://127.0.0.1:9", secret: { env: "ENGINE_KEY" } };
	const engines = [{ engine: "hosted", model: "painter-1" }];
	const model = { ...fakeImageModel, options: {}, scenes: ["text-to-image"], price: { credits: 1 }, engines };
	await writeFile(STUDIO_ENGINES, JSON.stringify({ engines: { hosted: engine }, models: [model] }));
	const missing = await runDoctor({ STUDIO_ENGINES });
	expect(missing.output).toContain("engines.hosted.secret: expected the secret in the variable ENGINE_KEY");
	expect(missing.code).toBe(1);
	expect((await runDoctor({ STUDIO_ENGINES, ENGINE_KEY: KEY })).output).toContain("engines: 1");
	expect((await runDoctor({ STUDIO_ENGINES: "/nowhere/engines.json" })).output).toContain("/nowhere/engines.json");
});

/** An Atelier with its key to its own studio. */
async function openRunningAtelier() {
	const folder = await createTempFolder();
	const { atelier, userClient } = await openAtelier({ env: { DATA_DIR: folder } });
	await userClient.type("/credits show");
	const key = (await readFile(join(folder, "studio.key"), "utf8")).trim();
	return { folder, origin: atelier.origin, key };
}

test("against a studio of a running Atelier the doctor finds no problem, and submits no task unless requested", async () => {
	const { folder, origin } = await openRunningAtelier();
	const { code, output } = await runDoctor({ DATA_DIR: folder, STORE_URL: "memory:", PORT: new URL(origin).port });
	expect(output).toContain("the built-in studio, which runs, as studio");
	expect(output).toMatch(/models: \d/);
	expect(output).toContain("this is its response for a missing task");
	expect(output).toContain("no task for an unused key");
	expect(output).toMatch(/submit not tested: a task \(image by [\w-]+\) would cost \d+ credits/);
	expect(code).toBe(0);
});

test("against a studio a requested trial task is shown field by field, after its price", async () => {
	const { origin, key } = await openRunningAtelier();
	const service = { MEDIA_API_URL: origin, MEDIA_API_KEY: key, MEDIA_API_PROFILE: "studio" };
	const { code, output } = await runDoctor(service, "--try");
	expect(output).not.toContain(key);
	expect(output.indexOf("would cost")).toBeLessThan(output.indexOf("POST /api/v1/generate: HTTP 200"));
	expect(output).toContain("state: success (success) (at data.status)");
	expect(output).toMatch(/outputs: http\S+ \(at data\.outputs\)/);
	expect(output).toMatch(/cost in credits: \d+ \(at data\.costCredits\)/);
	expect(code).toBe(0);
});

test("against a studio a wrong key is reported once", async () => {
	const { origin } = await openRunningAtelier();
	const { code, output } = await runDoctor({ MEDIA_API_URL: origin, MEDIA_API_KEY: "wrong" });
	expect(code).toBe(1);
	expect(output).toContain("rejected with code 40100");
	expect(output.match(/Check MEDIA_API_KEY/g)).toHaveLength(1);
});

test("a service that returns HTML is an error, and the output contains no secret", async () => {
	const MEDIA_API_URL = await openService((_, response) => response.end(`<html>${KEY}</html>`));
	const { env } = await openDiscord();
	const { code, output } = await runDoctor({ ...env, MEDIA_API_URL, MEDIA_API_KEY: KEY });
	expect(code).toBe(1);
	expect(output).toContain("is not a media service");
	expect(output).toMatch(/the bot is \S+ \(\d+\)/);
	expect(output).toContain("Problems to fix: 1.");
	expect(output).not.toContain(env.DISCORD_TOKEN);
});
