import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDownload, DownloadFailedError, DownloadRefusedError, DownloadTooLargeError } from "../src/download.ts";
import { createManualClock } from "../testing/manual-clock.ts";

const MIB = 1024 * 1024;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(
	handler: Handler,
): Promise<{ readonly origin: string; readonly port: number; readonly server: Server }> {
	const server = createServer(handler);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { origin: `http://127.0.0.1:${port}`, port, server };
}

/** A server at a trusted origin, and a download from it. */
async function setup(handler: Handler, resolve?: (hostname: string) => Promise<readonly string[]>) {
	const clock = createManualClock();
	const { origin } = await serve(handler);
	const download = createDownload({ clock, trustedOrigins: [origin], ...(resolve && { resolve }) });
	const fetchAll = async (url: string, signal = AbortSignal.timeout(10_000)): Promise<Buffer> =>
		Buffer.concat(await Array.fromAsync(download(url, signal)));
	return { clock, origin, download, fetchAll };
}

/** The outcome; observed from the start, so that a rejection is handled. */
const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("a file", () => {
	test("arrives as it is", async () => {
		const { origin, fetchAll } = await setup((_, response) => response.end("the file"));
		expect((await fetchAll(`${origin}/1.png`)).toString()).toBe("the file");
	});

	test("arrives through redirects", async () => {
		const { origin, fetchAll } = await setup(({ url }, response) =>
			url === "/end" ? response.end("the file") : response.writeHead(302, { location: "/end" }).end(),
		);
		expect((await fetchAll(`${origin}/start`)).toString()).toBe("the file");
	});

	test("from the configured service shares a connection with the one before; from elsewhere it has its own", async () => {
		const ports: number[] = [];
		const { origin, port } = await serve(({ socket }, response) => {
			ports.push(socket.remotePort ?? 0);
			response.end("the file");
		});
		const clock = createManualClock();
		const elsewhere = { resolve: async () => ["127.0.0.1"], mayReach: () => true };
		const download = createDownload({ clock, trustedOrigins: [origin], ...elsewhere });
		for (const place of [origin, origin, `http://elsewhere.test:${port}`, `http://elsewhere.test:${port}`]) {
			await Array.fromAsync(download(`${place}/1.png`, AbortSignal.timeout(10_000)));
			// A connection is free again a moment after its answer has ended.
			await new Promise((free) => setImmediate(free));
		}
		const [first, second, ...others] = ports;
		expect(second).toBe(first);
		expect(new Set([first, ...others]).size).toBe(3);
	});

	test("that stands in the answer is read from there", async () => {
		const { fetchAll } = await setup(() => {});
		expect((await fetchAll(`data:image/png;base64,${Buffer.from("the file").toString("base64")}`)).toString()).toBe(
			"the file",
		);
	});

	test.each(["data:text/plain,hello", "data:image/png;base64,%%%", "data:image/png;base64"])(
		"that stands in the answer in another way than base64 is refused: %s",
		async (uri) => {
			const { fetchAll } = await setup(() => {});
			await expect(fetchAll(uri)).rejects.toBeInstanceOf(DownloadRefusedError);
		},
	);

	test("that ends before its announced end has not arrived", async () => {
		const { origin, fetchAll } = await setup((_, response) => {
			response.writeHead(200, { "content-length": "100" });
			response.write("half", () => response.destroy());
		});
		await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadFailedError);
	});

	test.each([
		[404, true],
		[403, true],
		[410, true],
		[500, false],
	])("that is answered with %i is not there, and its link over: %s", async (status, isExpired) => {
		const { origin, fetchAll } = await setup((_, response) => response.writeHead(status).end());
		await expect(fetchAll(origin)).rejects.toMatchObject({ name: "DownloadFailedError", isExpired });
	});
});

describe("a server cannot", () => {
	test("send more than the bound, announced", async () => {
		const { origin, fetchAll } = await setup((_, response) => {
			response.writeHead(200, { "content-length": String(4 * 1024 * MIB) }).flushHeaders();
		});
		await expect(fetchAll(origin)).rejects.toStrictEqual(new DownloadTooLargeError(4 * 1024 * MIB, 256 * MIB));
	});

	test("send more than the bound, unannounced, and what came is not kept in memory", async () => {
		let sentBytes = 0;
		const chunk = Buffer.alloc(MIB);
		const { origin, clock } = await setup((_, response) => {
			const send = (): void => {
				while (!response.destroyed && response.write(chunk)) sentBytes += MIB;
				sentBytes += MIB;
			};
			response.on("drain", send);
			send();
		});
		const download = createDownload({ clock, trustedOrigins: [origin], bytesMax: 32 * MIB });
		let receivedBytes = 0;
		async function drain(): Promise<void> {
			for await (const received of download(origin, AbortSignal.timeout(30_000))) receivedBytes += received.byteLength;
		}
		await expect(drain()).rejects.toBeInstanceOf(DownloadTooLargeError);
		expect(receivedBytes).toBeGreaterThan(31 * MIB);
		expect(sentBytes).toBeLessThan(76 * MIB);
	});

	test("drip", async () => {
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

	test("say nothing", async () => {
		const asked = Promise.withResolvers<void>();
		const { clock, origin, fetchAll } = await setup(() => asked.resolve());
		const failure = failureOf(fetchAll(origin));
		await asked.promise;
		await clock.advance(20_000);
		expect(await failure).toBeInstanceOf(DownloadFailedError);
	});

	test("go on for ever, fast enough as it is", async () => {
		const enough = Buffer.alloc(64 * 1024);
		const responses: ServerResponse[] = [];
		const { clock, origin, download } = await setup((_, response) => {
			responses.push(response);
			response.write(enough);
		});
		let receivedBytes = 0;
		const reading = (async () => {
			for await (const chunk of download(origin, AbortSignal.timeout(30_000))) receivedBytes += chunk.byteLength;
		})();
		const failure = failureOf(reading);
		for (let window = 1; window <= 15; window++) {
			await expect.poll(() => receivedBytes).toBe(window * enough.byteLength);
			await clock.advance(20_000);
			responses[0]?.write(enough);
		}
		expect(await failure).toMatchObject({ message: expect.stringContaining("more than 5 minutes") });
	});

	test("redirect for ever", async () => {
		let asked = 0;
		const { origin, fetchAll } = await setup((_, response) => {
			response.writeHead(302, { location: `/${++asked}` }).end();
		});
		await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadRefusedError);
		expect(asked).toBe(6);
	});

	test.each([
		"http://127.0.0.1:1/",
		"http://[::1]:1/",
		"http://[::ffff:127.0.0.1]:1/",
		"http://2130706433:1/",
		"http://169.254.169.254/latest/meta-data/",
		"http://10.0.0.1/",
		"file:///etc/passwd",
		"ftp://files.example/",
	])("redirect to %s", async (location) => {
		const { origin, fetchAll } = await setup((_, response) => response.writeHead(302, { location }).end());
		await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadRefusedError);
	});

	test("redirect to another port of the machine that is trusted", async () => {
		let reached = 0;
		const inside = await serve((_, response) => {
			reached++;
			response.end("secret");
		});
		const { origin, fetchAll } = await setup((_, response) =>
			response.writeHead(302, { location: inside.origin }).end(),
		);
		await expect(fetchAll(origin)).rejects.toBeInstanceOf(DownloadRefusedError);
		expect(reached).toBe(0);
	});
});

describe("a name", () => {
	test.each([
		["that leads to a private address", ["10.0.0.1"]],
		["with one private address among public ones", ["93.184.216.34", "127.0.0.1"]],
		["that leads nowhere", []],
	])("%s is refused", async (_what, addresses) => {
		const { fetchAll } = await setup(
			() => {},
			async () => addresses,
		);
		await expect(fetchAll("http://files.example/1.png")).rejects.toBeInstanceOf(DownloadRefusedError);
	});

	test("that cannot be looked up may be there the next time", async () => {
		const { fetchAll } = await setup(
			() => {},
			async () => {
				throw new Error("EAI_AGAIN");
			},
		);
		await expect(fetchAll("http://files.example/1.png")).rejects.toBeInstanceOf(DownloadFailedError);
	});

	test("is looked up once, and the connection goes to what was checked, wherever the name leads a moment later", async () => {
		const { port } = await serve((_, response) => response.end("the file"));
		const answers = [["127.0.0.1"], ["10.0.0.1"]];
		const checked: string[] = [];
		const download = createDownload({
			clock: createManualClock(),
			trustedOrigins: [],
			resolve: async () => answers.shift() ?? [],
			mayReach: (address) => checked.push(address) > 0,
		});
		const url = `http://rebinding.example:${port}/`;
		const [file] = await Array.fromAsync(download(url, AbortSignal.timeout(10_000)));
		expect(String(file)).toBe("the file");
		expect(checked).toStrictEqual(["127.0.0.1"]);
		expect(answers).toHaveLength(1);
	});
});

test("an aborted download rejects, and the server sees the connection close", async () => {
	const stop = new AbortController();
	const closed = Promise.withResolvers<void>();
	const { origin, fetchAll } = await setup((request, response) => {
		request.socket.on("close", () => closed.resolve());
		response.write("x", () => stop.abort(new Error("stopping")));
	});
	await expect(fetchAll(origin, stop.signal)).rejects.toThrow("stopping");
	await closed.promise;
});
