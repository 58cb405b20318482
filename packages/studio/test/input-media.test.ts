/** Input media: the only URLs that the service fetches for a client. */
import { describe, expect, test } from "vitest";
import { openHttpServer, type HttpHandler } from "@atelier/common/testing/http-server";
import { createFakeEngine, fakePng } from "../testing/fake-engine.ts";
import { REQUEST, setup } from "../testing/studio-setup.ts";

async function serve(listener: HttpHandler): Promise<{ origin: string; requestedPaths: string[] }> {
	const requestedPaths: string[] = [];
	const origin = await openHttpServer((request, response) => {
		requestedPaths.push(String(request.url));
		listener(request, response);
	});
	return { origin, requestedPaths };
}

async function setupWith(listener: HttpHandler, limits: { inputBytesMax?: number; inputTimeoutMs?: number } = {}) {
	const { origin, requestedPaths } = await serve(listener);
	const engine = createFakeEngine();
	const studio = await setup({ engine, limits: { ...limits, attemptsMax: 1 }, inputOrigins: () => [origin] });
	const requestWith = (...paths: string[]) => ({
		...REQUEST,
		options: { image_input: paths.map((path) => origin + path) },
	});
	return { ...studio, engine, origin, requestedPaths, requestWith };
}

const failedWith = (code: string, message: unknown) => ({
	status: "failed",
	error: { code, message },
	credits: { reserved: 0, charged: 0, refunded: 4 },
});

test("images from an allowed origin reach the engine in order, separately from its options", async () => {
	const { completeTask, engine, requestWith } = await setupWith((request, response) =>
		response.end(fakePng(request.url)),
	);
	const record = await completeTask(requestWith("/1.png", "/2.png"));
	expect(record).toMatchObject({ status: "success", scene: "image-to-image" });
	expect(record["options"]).toMatchObject(requestWith("/1.png", "/2.png").options);
	const task = engine.runs[0]?.task;
	expect(task?.inputs).toStrictEqual([fakePng("/1.png"), fakePng("/2.png")]);
	expect(task?.options).toStrictEqual({ aspect_ratio: "1:1", resolution: "1K" });
});

describe("the response of an allowed origin is not trusted", () => {
	test("a redirect fails the task and is not followed", async () => {
		const elsewhere = await serve((_request, response) => response.end(fakePng()));
		const { completeTask, requestWith } = await setupWith((_request, response) =>
			response.writeHead(302, { location: `${elsewhere.origin}/secret` }).end(),
		);
		expect(await completeTask(requestWith("/a.png"))).toMatchObject(
			failedWith("invalid_input", "the input media redirects elsewhere"),
		);
		expect(elsewhere.requestedPaths).toStrictEqual([]);
	});

	test("a file that is not an image fails the task, for any content type", async () => {
		const { completeTask, requestWith, engine } = await setupWith((_request, response) =>
			response.writeHead(200, { "content-type": "image/png" }).end("<html>"),
		);
		expect(await completeTask(requestWith("/a.png"))).toMatchObject(
			failedWith("invalid_input", "the input media is not a PNG, JPEG, WebP or GIF image"),
		);
		expect(engine.runs).toHaveLength(0);
	});

	test("reads at most the limit", async () => {
		const { completeTask, requestWith } = await setupWith(
			(_request, response) => {
				const more = (): void => {
					while (response.write(Buffer.alloc(65_536, "x")));
				};
				response.on("drain", more);
				response.write(fakePng());
				more();
			},
			{ inputBytesMax: 100_000 },
		);
		expect(await completeTask(requestWith("/endless.png"))).toMatchObject(
			failedWith("invalid_input", "the input media is larger than 100000 bytes"),
		);
	});

	test("waits at most the timeout", async () => {
		const { completeTask, requestWith } = await setupWith((_request, response) => response.write(fakePng()), {
			inputTimeoutMs: 100,
		});
		expect(await completeTask(requestWith("/slow.png"))).toMatchObject(
			// On a busy machine even the header of the response may come too late.
			failedWith("upstream_error", expect.stringMatching(/^the input media cannot be (?:reached|read to its end)$/)),
		);
	});

	test("a bad input does not affect the health of the engine", async () => {
		const { completeTask, call, requestWith } = await setupWith((_request, response) => response.writeHead(503).end());
		await completeTask(requestWith("/a.png"));
		const { models } = (await call("GET", "/api/v1/models?mediaType=image")).body.data;
		expect(models).toMatchObject([{ health: "up" }]);
	});

	test.each([
		[404, "invalid_input"],
		[403, "invalid_input"],
		[429, "upstream_error"],
		[503, "upstream_error"],
	])("HTTP %i is %s", async (status, code) => {
		const { completeTask, requestWith } = await setupWith((_request, response) => response.writeHead(status).end());
		expect(await completeTask(requestWith("/a.png"))).toMatchObject(
			failedWith(code, `the input media cannot be fetched: HTTP ${status}`),
		);
	});
});
