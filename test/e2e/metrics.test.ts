import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { freePort } from "@atelier/common/testing/free-port";
import { openAtelier } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

test("metrics count an image, and contain no id", async () => {
	const { atelier, userClient } = await openAtelier();
	await finalReply(userClient.type("/image", { prompt: "a lighthouse" }));
	const response = await fetch(`${atelier.origin}/metrics`);
	const text = await response.text();
	expect(response.headers.get("content-type")).toContain("version=0.0.4");
	for (const series of [
		'atelier_tasks_finished_total{media_type="image",outcome="succeeded"} 1',
		'atelier_deliveries_total{result="tokenEdit",dedup="no"} 1',
		'atelier_media_api_requests_total{operation="submit",status="ok"} 1',
		'atelier_polls_total{outcome="success"} 1',
		"atelier_task_detection_lag_seconds_count 1",
		'atelier_shard_up{shard="0"} 1',
		'atelier_studio_submits_total{outcome="accepted"} 1',
		'atelier_studio_tasks_total{state="success"} 1',
		// 2 is up.
		'atelier_studio_engine_health{engine="fake"} 2',
	]) {
		expect(text).toContain(series);
	}
	expect(text).not.toMatch(/="[^"\n]*\d{10}[^"\n]*"/);
});

test("metrics with their own address are served there only", async () => {
	const port = await freePort();
	const { atelier } = await openAtelier({ env: { METRICS_PORT: String(port) } });
	expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
	expect((await fetch(`${atelier.origin}/metrics`)).status).toBe(404);
});

test("metrics reject web pages whose host name resolves to this machine, and tell other machines how to read them", async () => {
	const { atelier } = await openAtelier();
	const ownPort = await freePort();
	await openAtelier({ env: { METRICS_PORT: String(ownPort) } });
	for (const port of [new URL(atelier.origin).port, String(ownPort)]) {
		const statusFor = async (headers: Readonly<Record<string, string>>): Promise<number | undefined> => {
			const sent = request({ host: "127.0.0.1", port, path: "/metrics", headers }).end();
			const [response] = (await once(sent, "response")) as [IncomingMessage];
			response.resume();
			return response.statusCode;
		};
		expect(await statusFor({ host: `evil.example:${port}` })).toBe(403);
		expect(await statusFor({ host: `localhost:${port}`, origin: "http://evil.example" })).toBe(403);
		expect(await statusFor({ host: `localhost:${port}` })).toBe(200);
	}
	const forwarded = await fetch(`${atelier.origin}/metrics`, { headers: { "x-forwarded-for": "203.0.113.7" } });
	expect(forwarded.status).toBe(403);
	expect(await forwarded.text()).toContain("METRICS_PORT");
	const open = await openAtelier({ env: { HOST: "0.0.0.0", PLAYGROUND_REACH: "network" } });
	expect((await fetch(`${open.atelier.origin}/metrics`)).status).toBe(403);
});
