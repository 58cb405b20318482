import type { IncomingMessage } from "node:http";
import { fileURLToPath } from "node:url";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { freePort } from "@atelier/common/testing/free-port";
import type { HttpHandler } from "../fakes/http-server.ts";
import { creditsLeft, openAtelier, passUntilAnswered } from "./start-atelier.ts";
import { ok, openStubMediaService } from "./stub-media-service.ts";

const submitted = (request: IncomingMessage): boolean => request.url === "/api/v1/generate";

const isGivenBack = ({ content }: APIMessage): boolean => content.includes("Nothing was charged");
const isPending = ({ content }: APIMessage): boolean => content.startsWith("The service did not say");

test.each<[string, HttpHandler, string]>([
	[
		"refuses",
		(_, response) => void response.writeHead(400).end('{"code":40005,"message":"no @everyone **please**"}'),
		String.raw`refused this: ⁨no \@everyone \*\*please\*\*⁩`,
	],
	[
		"sends a page instead of an image",
		(request, response) => {
			const url = `http://${request.headers.host}/page`;
			const task = { status: "success", outputs: [{ url }] };
			if (request.url === "/page") response.setHeader("content-type", "image/png").end("<html>");
			else response.end(ok(submitted(request) ? { taskId: "t1" } : task));
		},
		"of a kind that Discord does not show",
	],
])("a service that %s leads to one sentence, and the credits are returned", async (_what, answer, sentence) => {
	const service = await openStubMediaService(answer);
	const { userClient, logs } = await openAtelier({ env: { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" } });
	const reply = await userClient.type("/image", { prompt: "a boat" });
	const { content } = await reply.until(isFinalReply);
	expect(content).toContain(sentence);
	expect(content).toContain("Nothing was charged.");
	expect(reply.messages()).toHaveLength(1);
	expect(await creditsLeft(userClient)).toBe(500);
	expect(logs()).not.toContain("planted-key");
});

test.each<[string, HttpHandler]>([
	["closes every connection", (_, response) => void response.destroy()],
	["is out of order", (_, response) => void response.writeHead(500).end('{"code":50000}')],
])(
	"a service that %s may have accepted the task: it is submitted once, and refunded at its deadline",
	async (_, answer) => {
		let submits = 0;
		const service = await openStubMediaService((request, response) => {
			if (submitted(request)) submits++;
			answer(request, response);
		});
		const clock = createManualClock();
		const { userClient, logs } = await openAtelier({
			clock,
			env: { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" },
		});
		const reply = await userClient.type("/image", { prompt: "a boat" });
		await expect.poll(() => submits).toBe(1);
		const meanwhile = await passUntilAnswered(clock, reply, isPending);
		expect(meanwhile.content).toMatch(
			/^The service did not say whether it took this, so 4 credits come back <t:\d+:R>\.$/,
		);
		// Only its deadline is waited for, and that is many minutes away.
		const { content } = await passUntilAnswered(clock, reply, isGivenBack, 2_000);
		expect(content).toContain("It is not certain that the service took this.");
		expect(content).toContain("Nothing was charged.");
		expect(submits).toBe(1);
		expect(await creditsLeft(userClient)).toBe(500);
		expect(logs()).not.toContain("planted-key");
	},
);

test("an outage of the service is named in the failure", async () => {
	const clock = createManualClock();
	const { userClient } = await openAtelier({
		clock,
		env: {
			MEDIA_API_URL: `http://127.0.0.1:${await freePort()}`,
			MEDIA_API_KEY: "key",
			MEDIA_CATALOG: fileURLToPath(new URL("models.json", import.meta.url)),
		},
	});
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await reply.until(() => true);
	const { content } = await passUntilAnswered(clock, reply);
	expect(content).toContain("cannot be reached right now");
	expect(content).toContain("Nothing was charged.");
	expect(await creditsLeft(userClient)).toBe(500);
});

test("after five consecutive outages commands are denied at once, without a request", async () => {
	let submits = 0;
	const service = await openStubMediaService((_, response) => {
		submits++;
		response.writeHead(502).end("<html>");
	});
	const clock = createManualClock();
	const { atelier, userClient, logs } = await openAtelier({
		clock,
		env: { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" },
	});
	for (let commands = 1; commands <= 5; commands++) {
		await userClient.type("/image", { prompt: "a boat" });
		await expect.poll(() => submits).toBe(commands);
	}
	await expect.poll(logs).toContain("media service down");
	const refused = await (await userClient.type("/image", { prompt: "a boat" })).until(isFinalReply);
	expect(refused.content).toContain("cannot be reached right now");
	expect(submits).toBe(5);
	const readiness = await fetch(`${atelier.origin}/readyz`);
	expect(await readiness.json()).toMatchObject({ status: "ready", media: false });
	// The outcome of five submits is unknown; the sixth has no hold.
	expect(await creditsLeft(userClient)).toBe(480);
});
