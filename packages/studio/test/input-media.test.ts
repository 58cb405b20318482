/** Input media: the only URLs that the service fetches for a client. */
import { describe, expect, test } from "vitest";
import { openHttpServer, type HttpHandler } from "@atelier/common/testing/http-server";
import type { StudioLimits } from "../src/limits.ts";
import { createFakeEngine, fakePng } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

async function setupWith(listener: HttpHandler, limits: Partial<StudioLimits> = {}) {
	const origin = await openHttpServer(listener);
	const engine = createFakeEngine();
	const studio = await setup({ engine, limits: { ...limits, attemptsMax: 1 }, inputOrigins: () => [origin] });
	const requestWith = (...paths: string[]) => ({
		...REQUEST,
		options: { image_input: paths.map((path) => origin + path) },
	});
	return { ...studio, engine, requestWith };
}

test("images from an allowed origin reach the engine in order, separately from its options", async () => {
	const { completeTask, engine, requestWith } = await setupWith((request, response) =>
		response.end(fakePng(request.url)),
	);
	const record = await completeTask(requestWith("/1.png", "/2.png"));
	expect(record).toMatchObject({ status: "success", scene: "image-to-image" });
	expect(record["options"]).toMatchObject(requestWith("/1.png", "/2.png").options);
	const [run] = engine.runs;
	expect(run?.inputs.images).toStrictEqual([fakePng("/1.png"), fakePng("/2.png")]);
	expect(run?.task.options).toStrictEqual({ aspect_ratio: "1:1", resolution: "1K" });
});

const INPUT_BYTES_MAX = 100_000;

/** Sends an image that never ends. */
const endless: HttpHandler = (_request, response) => {
	const more = (): void => {
		while (response.write(Buffer.alloc(65_536, "x")));
	};
	response.on("drain", more);
	response.write(fakePng());
	more();
};

describe("the response of an allowed origin is not trusted:", () => {
	test.each<[string, HttpHandler, string, string]>([
		["a redirect", (_, to) => to.writeHead(302, { location: "/a" }).end(), "invalid_input", "redirects elsewhere"],
		["a page", (_, to) => to.end("<html>"), "invalid_input", "is not a PNG, JPEG, WebP or GIF image"],
		["an endless image", endless, "invalid_input", `is larger than ${INPUT_BYTES_MAX} bytes`],
		["404", (_, to) => to.writeHead(404).end(), "invalid_input", "cannot be fetched: HTTP 404"],
		["403", (_, to) => to.writeHead(403).end(), "invalid_input", "cannot be fetched: HTTP 403"],
		["429", (_, to) => to.writeHead(429).end(), "upstream_error", "cannot be fetched: HTTP 429"],
		["503", (_, to) => to.writeHead(503).end(), "upstream_error", "cannot be fetched: HTTP 503"],
	])("%s fails the task, and says nothing about the engine", async (_name, listener, code, problem) => {
		const { completeTask, requestWith, engine, readHealth } = await setupWith(listener, {
			inputBytesMax: INPUT_BYTES_MAX,
		});
		expect(await completeTask(requestWith("/a.png"))).toMatchObject({
			status: "failed",
			error: { code, message: `the input media ${problem}` },
			credits: { reserved: 0, charged: 0, refunded: 4 },
		});
		expect(engine.runs).toHaveLength(0);
		expect(await readHealth()).toStrictEqual(["up", "up", "up"]);
	});

	test("images that are too large together fail the task", async () => {
		const inputTotalBytesMax = 1.5 * fakePng("/1.png").byteLength;
		const { completeTask, requestWith, engine } = await setupWith(
			(request, response) => response.end(fakePng(request.url)),
			{ inputTotalBytesMax },
		);
		expect(await completeTask(requestWith("/1.png"))).toMatchObject({ status: "success" });
		expect(await completeTask(requestWith("/1.png", "/2.png"))).toMatchObject({
			status: "failed",
			error: {
				code: "invalid_input",
				message: `the input media are together larger than ${inputTotalBytesMax} bytes`,
			},
		});
		expect(engine.runs).toHaveLength(1);
	});

	test("a slow response fails the task after the timeout", async () => {
		const limits = { inputTimeoutMs: 100 };
		const { completeTask, requestWith } = await setupWith((_, response) => response.write(fakePng()), limits);
		// On a busy machine even the header of the response may come too late.
		const message = expect.stringMatching(/^the input media cannot be (?:reached|read to its end)$/);
		const failure = { status: "failed", error: { code: "upstream_error", message } };
		expect(await completeTask(requestWith("/slow.png"))).toMatchObject(failure);
	});
});
