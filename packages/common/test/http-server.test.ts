import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "../src/http-server.ts";

const JSON_HEADERS = { "content-type": "application/json" };

test("a body may have 16 KiB, also at an unknown path, unless its route takes more", async () => {
	const app = createHttpServer();
	app.post("/default", () => "read");
	app.post("/large", { bodyLimit: 64 * 1024 }, () => "read");
	const statusOf = async (url: string, bytes: number) =>
		(await app.inject({ method: "POST", url, headers: JSON_HEADERS, payload: `"${"x".repeat(bytes - 2)}"` }))
			.statusCode;
	expect([await statusOf("/default", 16 * 1024), await statusOf("/default", 16 * 1024 + 1)]).toStrictEqual([200, 413]);
	expect([await statusOf("/nowhere", 16 * 1024), await statusOf("/nowhere", 16 * 1024 + 1)]).toStrictEqual([404, 413]);
	expect(await statusOf("/large", 60 * 1024)).toBe(200);
});

test("a body of tiny chunks arrives whole, and is joined into few chunks", async () => {
	const app = createHttpServer();
	onTestFinished(() => app.close());
	let chunks = 0;
	app.addHook("preParsing", (_request, _reply, payload, done) => {
		payload.on("data", () => (chunks += 1)).pause();
		done(null, payload);
	});
	app.post("/", (request) => ({ length: String(request.body).length }));
	await app.listen({ host: "127.0.0.1", port: 0 });
	const body = JSON.stringify("é".repeat(6_000));
	const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
	socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
	socket.write("connection: close\r\ntransfer-encoding: chunked\r\n\r\n");
	const encoded = [...Buffer.from(body)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
	socket.end(Buffer.concat([...encoded, Buffer.from("0\r\n\r\n")]));
	expect(await text(socket)).toContain('{"length":6000}');
	expect(chunks).toBeLessThan(5);
});

test("a client that disconnects before it receives the rejection of its body ends no process", async () => {
	const app = createHttpServer();
	onTestFinished(() => app.close());
	let socket: Socket | undefined;
	const isClosed = new Promise<void>((resolve) => {
		app.server.once("request", (request: IncomingMessage) => request.once("close", resolve));
	});
	app.addHook("onSend", async () => {
		socket?.destroy();
		await isClosed;
	});
	await app.listen({ host: "127.0.0.1", port: 0 });
	socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
	socket.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
	socket.write(`transfer-encoding: chunked\r\n\r\nffffff\r\n${"x".repeat(20_000)}`);
	await isClosed;
	expect((await app.inject({ url: "/" })).statusCode).toBe(404);
});
