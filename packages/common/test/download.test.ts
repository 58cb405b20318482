import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createDownload, DownloadFailedError, DownloadRejectedError, DownloadTooLargeError } from "../src/download.ts";
import { openHttpServer, type HttpHandler } from "../testing/http-server.ts";
import { createManualClock } from "../testing/manual-clock.ts";

const MIB = 1024 * 1024;
const never = new AbortController().signal;

type DownloadDeps = Partial<Parameters<typeof createDownload>[0]>;

function setupClient(deps: DownloadDeps) {
	const clock = createManualClock();
	const download = createDownload({ clock, trustedOrigins: [], ...deps });
	const fetchAll = async (url: string, signal = never): Promise<Buffer> =>
		Buffer.concat(await Array.fromAsync(download(url, signal)));
	return { clock, download, fetchAll };
}

/** Starts a server at a trusted origin. */
async function setup(handler: HttpHandler, deps: DownloadDeps = {}) {
	const origin = await openHttpServer(handler);
	return { origin, ...setupClient({ trustedOrigins: [origin], ...deps }) };
}

/** Starts a server with a name that resolves to its address. */
async function setupNamed(handler: HttpHandler) {
	const sockets: Socket[] = [];
	const { port } = new URL(await openHttpServer(handler, (socket) => sockets.push(socket)));
	const { fetchAll } = setupClient({ resolve: async () => ["127.0.0.1"], isAllowedAddress: () => true });
	return { sockets, fetchAll, url: `http://files.test:${port}/` };
}

/** Handles a rejection that comes before the test awaits it. */
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("a file", () => {
	test("is downloaded through redirects", async () => {
		const { origin, fetchAll } = await setup(({ url }, response) =>
			url === "/end" ? response.end("the file") : response.writeHead(302, { location: "/end" }).end(),
		);
		expect((await fetchAll(`${origin}/start`)).toString()).toBe("the file");
	});

	test("in a data URI is decoded without a request", async () => {
		const { fetchAll } = setupClient({});
		expect((await fetchAll(`data:image/png;base64,${Buffer.from("the file").toString("base64")}`)).toString()).toBe(
			"the file",
		);
	});

	test.each(["data:text/plain,hello", "data:image/png;base64,%%%", "data:image/png;base64"])(
		"in a data URI that is not base64 is rejected: %s",
		async (uri) => {
			const { fetchAll } = setupClient({});
			await expect(fetchAll(uri)).rejects.toBeInstanceOf(DownloadRejectedError);
		},
	);

	test("that ends before its declared length is rejected", async () => {
		const { origin, fetchAll } = await setup((_, response) => {
			response.writeHead(200, { "content-length": "100" });
			response.write("half", () => response.destroy());
		});
		await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadFailedError);
	});

	test("of exactly the limit is downloaded, and only a declared length is reported", async () => {
		const { origin, download } = await setup(
			({ url }, response) => {
				if (url === "/chunked") response.write("the ");
				response.end(url === "/chunked" ? "file" : "the file");
			},
			{ bytesMax: 8 },
		);
		const sizes: number[] = [];
		for (const url of [`${origin}/chunked`, origin]) {
			const chunks = await Array.fromAsync(download(url, never, (sizeBytes) => sizes.push(sizeBytes)));
			expect(Buffer.concat(chunks).toString()).toBe("the file");
		}
		expect(sizes).toStrictEqual([8]);
	});

	test.each([
		[404, true],
		[403, true],
		[410, true],
		[500, false],
	])("fails for a response with status %i; its link has expired: %s", async (status, isExpired) => {
		const { origin, fetchAll } = await setup((_, response) => response.writeHead(status).end());
		await expect(fetchAll(origin)).rejects.toMatchObject({ name: "DownloadFailedError", isExpired });
	});
});

describe("a server cannot", () => {
	test("declare a length above the limit", async () => {
		const { origin, fetchAll } = await setup((_, response) => {
			response.writeHead(200, { "content-length": String(4 * 1024 * MIB) }).flushHeaders();
		});
		await expect(fetchAll(origin)).rejects.toStrictEqual(new DownloadTooLargeError(4 * 1024 * MIB, 256 * MIB));
	});

	test("send more than the limit without a declared length, and the excess is not buffered", async () => {
		let sentBytes = 0;
		const chunk = Buffer.alloc(MIB);
		const handler: HttpHandler = (_, response) => {
			const send = (): void => {
				while (!response.destroyed && response.write(chunk)) sentBytes += MIB;
				sentBytes += MIB;
			};
			response.on("drain", send);
			send();
		};
		const { origin, download } = await setup(handler, { bytesMax: 32 * MIB });
		let receivedBytes = 0;
		async function drain(): Promise<void> {
			for await (const received of download(origin, never)) receivedBytes += received.byteLength;
		}
		await expect(drain()).rejects.toBeInstanceOf(DownloadTooLargeError);
		expect(receivedBytes).toBeGreaterThan(31 * MIB);
		// The limit, and what the buffers of both sockets can hold.
		expect(sentBytes).toBeLessThan(76 * MIB);
	});

	test("send the body too slowly", async () => {
		const first = Promise.withResolvers<void>();
		const { clock, origin, fetchAll } = await setup((_, response) => {
			response.write("x", () => first.resolve());
		});
		const failure = failureOf(fetchAll(origin));
		await first.promise;
		await clock.advance(20_000);
		expect(await failure).toMatchObject({
			name: "DownloadFailedError",
			message: expect.stringContaining("sends too slowly"),
		});
	});

	test("send an endless body, even at a sufficient rate", async () => {
		const enough = Buffer.alloc(64 * 1024);
		const responses: ServerResponse[] = [];
		const { clock, origin, download } = await setup((_, response) => {
			responses.push(response);
			response.write(enough);
		});
		let receivedBytes = 0;
		const reading = (async () => {
			for await (const chunk of download(origin, never)) receivedBytes += chunk.byteLength;
		})();
		const failure = failureOf(reading);
		for (let window = 1; window <= 15; window++) {
			await expect.poll(() => receivedBytes).toBe(window * enough.byteLength);
			await clock.advance(20_000);
			responses[0]?.write(enough);
		}
		expect(await failure).toMatchObject({ message: expect.stringContaining("more than 5 minutes") });
	});

	test("redirect endlessly", async () => {
		let requests = 0;
		const { origin, fetchAll } = await setup((_, response) => {
			response.writeHead(302, { location: `/${++requests}` }).end();
		});
		await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadRejectedError);
		// The first request and 5 redirects.
		expect(requests).toBe(6);
	});

	test.each(["http://127.0.0.1:1/", "http://[::1]:1/", "file:///etc/passwd", "ftp://files.example/"])(
		"redirect to %s",
		async (location) => {
			const { origin, fetchAll } = await setup((_, response) => response.writeHead(302, { location }).end());
			await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadRejectedError);
		},
	);

	test("redirect to another port of a trusted host", async () => {
		let reached = 0;
		const inside = await openHttpServer((_, response) => {
			reached++;
			response.end("secret");
		});
		const { origin, fetchAll } = await setup((_, response) => response.writeHead(302, { location: inside }).end());
		await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadRejectedError);
		expect(reached).toBe(0);
	});
});

describe("a host name", () => {
	test.each<[string, () => readonly string[], new (...args: never) => Error]>([
		["that resolves to a private address is rejected", () => ["10.0.0.1"], DownloadRejectedError],
		["with a private address among public ones is rejected", () => ["93.184.216.34", "::1"], DownloadRejectedError],
		["that resolves to no address is rejected", () => [], DownloadRejectedError],
		["that cannot be resolved allows a retry", () => expect.fail("EAI_AGAIN"), DownloadFailedError],
	])("%s", async (_case, resolve, errorClass) => {
		const { fetchAll } = setupClient({ resolve: async () => resolve() });
		await expect(fetchAll("http://files.example/1.png")).rejects.toBeInstanceOf(errorClass);
	});

	test("of this machine is resolved by DNS and rejected", async () => {
		const { fetchAll } = setupClient({});
		await expect(fetchAll("http://localhost:1/")).rejects.toBeInstanceOf(DownloadRejectedError);
	});

	test("is resolved once: the connection uses the verified address, even if DNS changes", async () => {
		const origin = await openHttpServer((_, response) => response.end("the file"));
		const resolutions = [["127.0.0.1"], ["10.0.0.1"]];
		const checked: string[] = [];
		const { fetchAll } = setupClient({
			resolve: async () => resolutions.shift() ?? [],
			isAllowedAddress: (address) => checked.push(address) > 0,
		});
		const file = await fetchAll(origin.replace("127.0.0.1", "rebinding.example"));
		expect(String(file)).toBe("the file");
		expect(checked).toStrictEqual(["127.0.0.1"]);
		expect(resolutions).toHaveLength(1);
	});
});

describe("a connection", () => {
	test("to a checked address serves one download, and is closed after it", async () => {
		const { sockets, fetchAll, url } = await setupNamed((_, response) => response.end("the file"));
		await fetchAll(url);
		await fetchAll(url);
		expect(sockets).toHaveLength(2);
		await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
	});

	test("whose response is discarded is not replaced", async () => {
		const { sockets, fetchAll, url } = await setupNamed((_, response) => response.writeHead(404).write("x"));
		await expect(fetchAll(url)).rejects.toBeInstanceOf(DownloadFailedError);
		await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
		expect(sockets).toHaveLength(1);
	});

	test.each<[string, (response: ServerResponse, abort: () => void) => void]>([
		["before the headers", (_response, abort) => abort()],
		["during the body", (response, abort) => void response.write("x", abort)],
	])("is closed by an abort %s", async (_when, respond) => {
		const stop = new AbortController();
		const abort = (): void => stop.abort(new Error("stopping"));
		const { sockets, fetchAll, url } = await setupNamed((_, response) => respond(response, abort));
		await expect(fetchAll(url, stop.signal)).rejects.toThrow("stopping");
		await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
	});

	test("names the requested host, and does not delay an abort before it is established", async () => {
		// No timer ends the wait for the connection.
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		onTestFinished(() => void vi.useRealTimers());
		const stop = new AbortController();
		const hellos: Buffer[] = [];
		// Never answers the TLS handshake.
		const server = createServer((socket) => {
			socket.once("data", (hello) => {
				hellos.push(hello);
				stop.abort(new Error("stopping"));
			});
		}).listen(0, "127.0.0.1");
		onTestFinished(() => void server.close());
		await once(server, "listening");
		const { fetchAll } = setupClient({ resolve: async () => ["127.0.0.1"], isAllowedAddress: () => true });
		const { port } = server.address() as AddressInfo;
		await expect(fetchAll(`https://files.test:${port}/`, stop.signal)).rejects.toThrow("stopping");
		expect(hellos.map((hello) => hello.includes("files.test"))).toStrictEqual([true]);
	});

	test("uses the credentials in the URL", async () => {
		const { fetchAll, url } = await setupNamed(({ headers }, response) => response.end(headers.authorization));
		const authorization = await fetchAll(url.replace("//", "//us%40er:secret@"));
		expect(String(authorization)).toBe(`Basic ${Buffer.from("us@er:secret").toString("base64")}`);
	});
});
