import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../src/services/delivery/reply-client.ts";
import { contentOf } from "../fakes/file-content.ts";
import { answer, IMAGE, messageOf, MINUTE_MS, openReplyClient, type Reaction } from "./reply-client-setup.ts";

const FILE = { name: "a.png", contentType: "image/png", sizeBytes: IMAGE.length };
const EDITED = messageOf('; filename="a.png"');

/** A request as Discord receives it: the content so far, and whether it was complete or the connection broke. */
interface SeenRequest {
	readonly route: "tokenEdit" | "botEdit";
	body: string;
	state: "incomplete" | "complete" | "aborted";
	readonly contentLength: number;
}

function react(reaction: Reaction | "hangUp", response: ServerResponse): void {
	if (reaction === "hangUp") return void response.destroy();
	const { status, code = 0, headers = {} } = reaction;
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(status < 300 ? EDITED : { code, message: "rejected", retry_after: 30 }));
}

/** Responds with `early` after a part of a request's file, and with `late` after all of it. */
async function setup({ early, late }: { early?: Reaction | "hangUp"; late?: "hangUp" } = {}) {
	const requests: SeenRequest[] = [];
	const remaining = { early, late };
	function handleRequest(request: IncomingMessage, response: ServerResponse): void {
		const route = request.url?.includes("/webhooks/") ? "tokenEdit" : "botEdit";
		const contentLength = Number(request.headers["content-length"]);
		const seen: SeenRequest = { route, body: "", state: "incomplete", contentLength };
		requests.push(seen);
		request.setEncoding("latin1");
		request.on("data", (text: string) => {
			seen.body += text;
			if (!remaining.early || !seen.body.includes(IMAGE)) return;
			react(remaining.early, response);
			remaining.early = undefined;
		});
		request.on("end", () => {
			seen.state = "complete";
			if (!response.headersSent) react(remaining.late ?? { status: 200 }, response);
			remaining.late = undefined;
		});
		request.socket.once("close", () => {
			if (seen.state === "incomplete") seen.state = "aborted";
		});
		request.on("error", () => {});
	}
	const opened = await openReplyClient(handleRequest);
	const { replyClient, target } = opened;
	const begin = () => replyClient.startUpload(target, FILE, new AbortController().signal);
	/** Starts an upload and sends everything that can be sent before it is completed. */
	async function sendAll(): Promise<SeenRequest> {
		const upload = begin();
		if (!upload) throw new Error("the upload did not start");
		upload.write(Buffer.from(IMAGE.slice(0, 5)));
		upload.write(Buffer.from(IMAGE.slice(5)));
		await expect.poll(() => requests[0]?.body).toContain(IMAGE);
		return requests[0] as SeenRequest;
	}
	const states = () => requests.map(({ state }) => state);
	return { ...opened, begin, sendAll, requests, states };
}

describe("a streaming upload", () => {
	test("is an incomplete request until its message is ready, and then a complete one", async () => {
		const { sendAll, deliver, requests } = await setup();
		const seen = await sendAll();
		expect(seen.state).toBe("incomplete");
		expect(seen.body).not.toContain("payload_json");
		expect(await deliver()).toMatchObject({ kind: "delivered", route: "tokenEdit", withFiles: true });
		expect(requests).toHaveLength(1);
		expect(seen.state).toBe("complete");
		expect(seen.body).toHaveLength(seen.contentLength);
		const [, payload = ""] = /name="payload_json"\r\n\r\n([^\r]*)\r\n--/.exec(seen.body) ?? [];
		expect(JSON.parse(payload)).toMatchObject({
			content: null,
			components: [{ components: [{ items: [{ description: "a boat" }] }, { content: "the whole answer" }] }],
			attachments: [{ id: "0", filename: "a.png", description: "a boat" }],
			allowed_mentions: { parse: [] },
		});
	});

	test("is aborted if it stays idle, and its bytes are released", async () => {
		const { sendAll, deliver, clock, takeUploads, states } = await setup();
		await sendAll();
		await clock.advance(5_000);
		await expect.poll(states).toStrictEqual(["aborted"]);
		(await takeUploads())();
		expect(await deliver()).toMatchObject({ kind: "delivered" });
		expect(states()).toStrictEqual(["aborted", "complete"]);
	});

	test.each([
		["another name", { name: "a.webp" }],
		["another content type", { contentType: "image/webp" }],
		["another size", { content: contentOf("smaller") }],
		["a longer description than announced", { description: "x".repeat(20_000) }],
	])("is replaced by a regular request if the delivered file has %s", async (_what, change) => {
		const { sendAll, deliver, requests, states } = await setup();
		await sendAll();
		await deliver({ ...answer, files: answer.files.map((file) => ({ ...file, ...change })) });
		await expect.poll(states).toStrictEqual(["aborted", "complete"]);
		expect(requests[1]?.body).toContain("the whole answer");
	});

	test("is not aborted by a progress update, which is postponed", async () => {
		const { sendAll, updateProgress, deliver, states } = await setup();
		await sendAll();
		expect(await updateProgress()).toBe("postponed");
		await deliver();
		expect(states()).toStrictEqual(["complete"]);
	});

	test("does not start twice, without memory, or with a token that is about to expire", async () => {
		const { begin, clock, takeUploads } = await setup();
		const release = await takeUploads();
		expect(begin()).toBeUndefined();
		release();
		const upload = begin();
		expect(upload).toBeDefined();
		expect(begin()).toBeUndefined();
		upload?.abort();
		await clock.advance(14.6 * MINUTE_MS);
		expect(begin()).toBeUndefined();
	});

	test("is not completed with a token that is about to expire", async () => {
		const { begin, deliver, clock, requests, states } = await setup();
		const upload = begin();
		upload?.write(Buffer.from(IMAGE.slice(0, 5)));
		await expect.poll(() => requests.length).toBe(1);
		await clock.advance(14.6 * MINUTE_MS);
		upload?.write(Buffer.from(IMAGE.slice(5)));
		expect(await deliver()).toMatchObject({ route: "botEdit" });
		await clock.advance(5_000);
		await expect.poll(states).toStrictEqual(["aborted", "complete"]);
		expect(requests[1]?.route).toBe("botEdit");
	});
});

describe("a failed streaming upload", () => {
	test("is repeated if the connection breaks before its end", async () => {
		const { sendAll, deliver, states } = await setup({ early: "hangUp" });
		await sendAll();
		await expect.poll(states).toStrictEqual(["aborted"]);
		expect(await deliver()).toMatchObject({ kind: "delivered", withFiles: true });
		expect(states()).toStrictEqual(["aborted", "complete"]);
	});

	test("has an unknown outcome if the connection breaks after its end, like any other edit", async () => {
		const { sendAll, deliver, requests } = await setup({ late: "hangUp" });
		await sendAll();
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(requests).toHaveLength(1);
		expect(await deliver()).toMatchObject({ kind: "delivered" });
	});

	test("is not repeated after an early rejection of its size", async () => {
		const { sendAll, deliver, states } = await setup({ early: { status: 413, code: 40_005 } });
		await sendAll();
		await expect.poll(states).toStrictEqual(["aborted"]);
		expect(await deliver()).toMatchObject({ kind: "filesRejected", isForSize: true, largestBytes: IMAGE.length });
		expect(states()).toHaveLength(1);
	});

	test.each([
		["a 502", { status: 502 }],
		["a rate limit", { status: 429, headers: { "retry-after": "30" } }],
	])("is postponed by %s, and not repeated at once", async (_what, early) => {
		const { sendAll, deliver, states } = await setup({ early });
		await sendAll();
		await expect.poll(states).toStrictEqual(["aborted"]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(states()).toHaveLength(1);
	});
});
