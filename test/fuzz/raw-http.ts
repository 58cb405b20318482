/** Sends raw HTTP requests that a regular client never sends. */
import assert from "node:assert/strict";
import { connect } from "node:net";

export interface WireRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: readonly (readonly [string, string])[];
	readonly body: Buffer;
	/** The announced length of the body minus the sent one. */
	readonly lengthOffset: number;
}

export interface WireResponse {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer;
}

const HEAD_END = "\r\n\r\n";

/** Far above the duration of a response: a request that takes this long hangs. */
const HANGS_AFTER_MS = 20_000;

/**
 * Sends a request on a connection of its own, and reads the response. Resolves to `undefined` if the server closes the connection of
 * an incomplete request without one. Rejects if a complete request gets no response, or if the server does nothing.
 */
export function exchange(port: number, request: WireRequest): Promise<WireResponse | undefined> {
	const { promise, resolve, reject } = Promise.withResolvers<WireResponse | undefined>();
	const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
	const chunks: Buffer[] = [];
	const settle = (): void => {
		clearTimeout(timer);
		socket.destroy();
		try {
			const response = readResponse(Buffer.concat(chunks));
			if (response || isIncomplete(request)) resolve(response);
			else reject(new Error("a complete request got no response"));
		} catch (error) {
			reject(error instanceof Error ? error : new Error(String(error)));
		}
	};
	const timer = setTimeout(() => {
		socket.destroy();
		reject(new Error("the request hangs"));
	}, HANGS_AFTER_MS);
	socket.on("data", (chunk: Buffer) => {
		chunks.push(chunk);
		// An event stream stays open as long as its task; its head is enough.
		if (/\r\ncontent-type: text\/event-stream/i.test(chunks[0]?.toString("latin1") ?? "")) settle();
	});
	socket.on("end", settle);
	// The server reset the connection while the request was still being written: the response before it counts.
	socket.on("error", settle);
	socket.write(serialize(request, port));
	// Otherwise the server waits for the rest of the request.
	if (isIncomplete(request)) socket.end();
	return promise;
}

/** True if the request may announce more bytes than it sends, or asks for another protocol: it may then get no response. */
function isIncomplete({ method, headers, lengthOffset }: WireRequest): boolean {
	return (
		method === "CONNECT" ||
		lengthOffset > 0 ||
		headers.some(([name]) => ["content-length", "transfer-encoding", "upgrade"].includes(name))
	);
}

function serialize({ method, path, headers, body, lengthOffset }: WireRequest, port: number): Buffer {
	const hasHeader = (name: string): boolean => headers.some(([other]) => other === name);
	const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
	if (!hasHeader("host")) lines.push(`host: 127.0.0.1:${port}`);
	if (!hasHeader("connection")) lines.push("connection: close");
	const hasLength = hasHeader("content-length") || hasHeader("transfer-encoding");
	if (!hasLength && (body.byteLength > 0 || lengthOffset !== 0)) {
		lines.push(`content-length: ${Math.max(0, body.byteLength + lengthOffset)}`);
	}
	return Buffer.concat([Buffer.from(lines.join("\r\n") + HEAD_END, "utf8"), body]);
}

function readResponse(bytes: Buffer): WireResponse | undefined {
	if (bytes.byteLength === 0) return undefined;
	const end = bytes.indexOf(HEAD_END);
	const [first = "", ...lines] = bytes.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
	const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
	if (!(status > 0)) throw new Error(`the response is not HTTP: ${bytes.subarray(0, 100).toString("latin1")}`);
	const rest = bytes.subarray(end + HEAD_END.length);
	if (status === 100) return readResponse(rest);
	const headers = Object.fromEntries(
		lines.map((line) => line.split(/:(.*)/s)).map(([name = "", value = ""]) => [name.toLowerCase(), value.trim()]),
	);
	const isChunked = headers["transfer-encoding"] === "chunked";
	// On a kept connection, a second response may follow, to the bytes after the request.
	const length = headers["content-length"];
	return {
		status,
		headers,
		body: isChunked ? unchunked(rest) : rest.subarray(0, length === undefined ? undefined : Number(length)),
	};
}

function unchunked(bytes: Buffer): Buffer {
	const parts: Buffer[] = [];
	for (let offset = 0; ;) {
		const lineEnd = bytes.indexOf("\r\n", offset);
		const size = lineEnd < 0 ? 0 : Number.parseInt(bytes.subarray(offset, lineEnd).toString("latin1"), 16);
		if (!(size > 0)) return Buffer.concat(parts);
		parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
		offset = lineEnd + 2 + size + 2;
	}
}

/** Throws if a text reveals positions in sources. */
export function assertNoSourcePositions(text: string, summary: string): void {
	assert(
		!/node_modules|node:internal|\.ts:\d+|at \S+ \(/.test(text),
		`the response contains source positions: ${summary}`,
	);
}
