import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { APIMessage } from "discord-api-types/v10";
import { expect, onTestFinished, test } from "vitest";
import { isAnswer } from "../../src/discord/is-answer.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { creditsLeft, openAtelier, passUntilAnswered } from "./atelier.ts";

const MODEL = {
	id: "far-1",
	name: "Far",
	mediaType: "image",
	scenes: ["text-to-image"],
	price: { credits: 4, per: "output" },
};
const ok = (data: unknown): string => JSON.stringify({ code: 0, message: "ok", data });

/** A service somewhere else, that lists one model and answers the rest as a test says. */
async function openService(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
	const server = createServer((request, response) => {
		if (request.url === "/api/v1/models") response.end(ok({ models: [MODEL] }));
		else answer(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const submitted = (request: IncomingMessage): boolean => request.url === "/api/v1/generate";

const isGivenBack = ({ content }: APIMessage): boolean => content.includes("Nothing was charged");
const isPending = ({ content }: APIMessage): boolean => content.startsWith("The service did not say");

test.each<[string, (request: IncomingMessage, response: ServerResponse) => void, string]>([
	[
		"refuses",
		(_, response) => void response.writeHead(400).end('{"code":40005,"message":"no @everyone **please**"}'),
		String.raw`refused this: ⁨no \@everyone \*\*please\*\*⁩`,
	],
	[
		"fails",
		(request, response) =>
			void response.end(ok(submitted(request) ? { taskId: "t1" } : { status: "failed", error: { code: "internal" } })),
		"tried, and failed",
	],
	[
		"is done with nothing",
		(request, response) =>
			void response.end(ok(submitted(request) ? { taskId: "t1" } : { status: "success", outputs: [] })),
		"there is no file",
	],
	[
		"sends a page for a picture",
		(request, response) => {
			const url = `http://${request.headers.host}/page`;
			const task = { status: "success", outputs: [{ url }] };
			if (request.url === "/page") response.setHeader("content-type", "image/png").end("<html>");
			else response.end(ok(submitted(request) ? { taskId: "t1" } : task));
		},
		"of a kind that Discord does not show",
	],
])("a service that %s leads to one clear sentence, and the credits come back", async (_what, answer, sentence) => {
	const service = await openService(answer);
	const { person, logs } = await openAtelier({ env: { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" } });
	const reply = await person.type("/image", { prompt: "a boat" });
	const { content } = await reply.until(isAnswer);
	expect(content).toContain(sentence);
	expect(content).toContain("Nothing was charged.");
	expect(reply.messages()).toHaveLength(1);
	expect(await creditsLeft(person)).toBe(500);
	expect(logs()).not.toContain("planted-key");
});

test.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
	["closes every connection", (_, response) => void response.destroy()],
	["answers HTML", (_, response) => void response.end("<html>maintenance</html>")],
	["answers another shape", (_, response) => void response.end('{"hello":"world"}')],
	["succeeds without a task id", (_, response) => void response.end(ok({}))],
	["answers without an end", (_, response) => void response.end("x".repeat(3 * 1024 * 1024))],
	["is out of order", (_, response) => void response.writeHead(500).end('{"code":50000}')],
])(
	"a service that %s may have the order: it is sent once, and given back when its deadline is over",
	async (_, answer) => {
		let submits = 0;
		const service = await openService((request, response) => {
			if (submitted(request)) submits++;
			answer(request, response);
		});
		const clock = createManualClock();
		const { person, logs } = await openAtelier({
			clock,
			env: { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" },
		});
		const reply = await person.type("/image", { prompt: "a boat" });
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
		expect(await creditsLeft(person)).toBe(500);
		expect(logs()).not.toContain("planted-key");
	},
);

test("a service that is down is named as down, when waiting did not help", async () => {
	const clock = createManualClock();
	const { person } = await openAtelier({
		clock,
		env: {
			MEDIA_API_URL: await addressOfNobody(),
			MEDIA_API_KEY: "key",
			MEDIA_CATALOGUE: fileURLToPath(new URL("models.json", import.meta.url)),
		},
	});
	const reply = await person.type("/image", { prompt: "a boat" });
	await reply.until(() => true);
	const { content } = await passUntilAnswered(clock, reply);
	expect(content).toContain("cannot be reached right now");
	expect(content).toContain("Nothing was charged.");
	expect(await creditsLeft(person)).toBe(500);
});

test("a service that was not there five times in a row is not asked again at once: commands are refused for nothing", async () => {
	let submits = 0;
	const service = await openService((_, response) => {
		submits++;
		response.writeHead(502).end("<html>");
	});
	const clock = createManualClock();
	const { atelier, person, logs } = await openAtelier({
		clock,
		env: { MEDIA_API_URL: service, MEDIA_API_KEY: "planted-key" },
	});
	for (let commands = 1; commands <= 5; commands++) {
		await person.type("/image", { prompt: "a boat" });
		await expect.poll(() => submits).toBe(commands);
	}
	await expect.poll(logs).toContain("media service down");
	const refused = await (await person.type("/image", { prompt: "a boat" })).until(isAnswer);
	expect(refused.content).toContain("cannot be reached right now");
	expect(submits).toBe(5);
	const readiness = await fetch(`${atelier.origin}/readyz`);
	expect(await readiness.json()).toMatchObject({ status: "ready", media: false });
	// Of five orders nobody knows whether the service has them; the sixth has set nothing aside.
	expect(await creditsLeft(person)).toBe(480);
});

/** Where something listened a moment ago. */
async function addressOfNobody(): Promise<string> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return `http://127.0.0.1:${port}`;
}

test("an engine that fails for good is one sentence, and free", async () => {
	const engine = createFakeEngine({ script: [{ kind: "fail", code: "content_policy", retryable: false }] });
	const { person } = await openAtelier({ engine });
	const { content } = await (await person.type("/image", { prompt: "a boat" })).until(isAnswer);
	expect(content).toContain("does not accept this prompt");
	expect(await creditsLeft(person)).toBe(500);
});

test("an engine that fails once is tried again without anybody noticing", async () => {
	const engine = createFakeEngine({ script: [{ kind: "fail", retryable: true }] });
	const { person } = await openAtelier({ engine });
	const { content } = await (await person.type("/image", { prompt: "a boat" })).until(isAnswer);
	expect(engine.runs).toHaveLength(2);
	expect(content).toContain("4 credits · 496 left");
});
