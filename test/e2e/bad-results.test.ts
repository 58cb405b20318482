/** Invalid results of a service: a clear reason, no charge, and no file left. */
import { readdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import type { Reply } from "@atelier/playground/user-client";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openHttpServer, type HttpHandler } from "../fakes/http-server.ts";
import { creditsLeft, newFolder, openAtelier } from "./start-atelier.ts";
import { ok, openStubMediaService } from "./stub-media-service.ts";

const MIB = 1024 * 1024;

interface Ordering {
	readonly file?: HttpHandler;
	readonly path?: (reads: number) => string;
	readonly url?: () => string;
}

const isAnswered = ({ states }: Reply): boolean =>
	states.some((state) => state.kind === "message" && isFinalReply(state.message));

/** A service whose one result is what `file` sends, or what stands at `url`; counts how often the task is read. */
async function request({ file = () => {}, path = () => "/1.png", url }: Ordering) {
	let reads = 0;
	const service: string = await openStubMediaService((incoming, response) => {
		if (incoming.url === "/api/v1/generate") response.end(ok({ taskId: "t1" }));
		else if (incoming.url?.startsWith("/api/v1/task/t1")) {
			const outputs = [{ url: url?.() ?? `${service}${path(++reads)}` }];
			response.end(ok({ taskId: "t1", status: "success", outputs }));
		} else if (incoming.url?.startsWith("/api/")) response.writeHead(404).end();
		else file(incoming, response);
	});
	const folder = await newFolder();
	const clock = createManualClock();
	const env = { MEDIA_API_URL: service, MEDIA_API_KEY: "key", DATA_DIR: folder };
	const { userClient, logs } = await openAtelier({ clock, env });
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await reply.until(() => true);
	const left = async (): Promise<string[]> => await readdir(join(folder, "results"));
	/** Yields to running work on sockets and disks. */
	async function answered(stepMs = 50) {
		for (let passes = 0; passes < 10_000 && !isAnswered(reply); passes++) {
			await sleep(5);
			await clock.advance(stepMs);
		}
		return await reply.until(isFinalReply);
	}
	return { userClient, logs, left, answered, reads: () => reads };
}

const inside = { reached: 0 };
const secret: HttpHandler = (_, response) => {
	inside.reached++;
	response.setHeader("content-type", "image/png").end(fakePng());
};
/** The same file at another origin of this machine, which is not trusted. */
const toInside = async (): Promise<HttpHandler> => {
	const location = `${await openHttpServer(secret)}/1.png`;
	return (_, response) => response.writeHead(302, { location }).end();
};

const NOT_HERE = "where this bot must not fetch files from";

test.each<[string, () => Promise<Ordering> | Ordering, string]>([
	["HTML declared as an image", () => ({ file: html }), "of a kind that Discord does not show"],
	["a tag that says it is music, and junk behind it", () => ({ file: junkBehindTag }), "is damaged"],
	[
		"four announced gigabytes",
		() => ({ file: announceFourGigabytes }),
		"larger than 256 MiB, the most that this bot fetches",
	],
	["a stream without an end", () => ({ file: sendForEver }), "larger than 256 MiB, the most that this bot fetches"],
	["a redirect to a private address", async () => ({ file: await toInside() }), NOT_HERE],
	["a redirect to itself", () => ({ file: redirectForEver }), NOT_HERE],
	["a name for this machine", async () => ({ url: await byName() }), NOT_HERE],
	["the address of a cloud's secrets", () => ({ url: () => "http://169.254.169.254/latest/meta-data/" }), NOT_HERE],
])("%s is explained in one sentence, free, and leaves no file", async (_what, make, sentence) => {
	inside.reached = 0;
	const { userClient, answered, left } = await request(await make());
	const { content } = await answered();
	expect(content).toContain(sentence);
	expect(content).toContain("Nothing was charged.");
	expect(await creditsLeft(userClient)).toBe(500);
	expect(await left()).toStrictEqual([]);
	expect(inside.reached).toBe(0);
});

test.each<[string, HttpHandler, string]>([
	["an expired link whose replacement has expired too,", gone, "responded with 410"],
	["a truncated download", breakOff, "no response from"],
	["a server that sends slowly", (_, response) => void response.write("x"), "sends too slowly"],
])("%s is retried until the deadline, then given up, free, and leaves no file", async (_what, file, reason) => {
	const { userClient, answered, left, logs, reads } = await request({ file });
	const { content } = await answered(1_000);
	expect(content).toContain("could not be fetched");
	expect(content).toContain("Nothing was charged.");
	expect(logs().split(reason).length).toBeGreaterThan(1);
	expect(reads()).toBeGreaterThan(10);
	expect(await creditsLeft(userClient)).toBe(500);
	expect(await left()).toStrictEqual([]);
});

test("an expired link is replaced by another poll, and the result is delivered", async () => {
	const { answered, reads, userClient } = await request({
		file: ({ url }, response) => (url === "/fresh.png" ? response.end(fakePng()) : response.writeHead(403).end()),
		path: (count) => (count > 1 ? "/fresh.png" : "/stale.png"),
	});
	expect((await answered()).attachments).toHaveLength(1);
	expect([reads(), await creditsLeft(userClient)]).toStrictEqual([2, 496]);
});

test("a file inside of the response is a result", async () => {
	const { answered } = await request({
		url: () => `data:image/png;base64,${Buffer.from(fakePng()).toString("base64")}`,
	});
	expect((await answered()).attachments).toHaveLength(1);
});

function html(_: IncomingMessage, response: ServerResponse): void {
	response.setHeader("content-type", "image/png").end("<html><body>a picture, honestly</body></html>");
}

function junkBehindTag(_: IncomingMessage, response: ServerResponse): void {
	const tag = Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f");
	response.setHeader("content-type", "audio/mpeg").end(Buffer.concat([tag, Buffer.alloc(50_000, "junk")]));
}

function announceFourGigabytes(_: IncomingMessage, response: ServerResponse): void {
	response.writeHead(200, { "content-length": String(4 * 1024 * MIB) }).flushHeaders();
}

function sendForEver(_: IncomingMessage, response: ServerResponse): void {
	const chunk = Buffer.alloc(MIB);
	const send = (): void => {
		while (!response.destroyed && response.write(chunk));
	};
	response.on("drain", send);
	send();
}

function redirectForEver({ url = "/" }: IncomingMessage, response: ServerResponse): void {
	response.writeHead(302, { location: `${url}x` }).end();
}

function gone(_: IncomingMessage, response: ServerResponse): void {
	response.writeHead(410).end();
}

function breakOff(_: IncomingMessage, response: ServerResponse): void {
	response.writeHead(200, { "content-length": "1000" });
	response.write(fakePng(), () => response.destroy());
}

async function byName(): Promise<() => string> {
	const { port } = new URL(await openHttpServer(secret));
	return () => `http://localhost:${port}/1.png`;
}
