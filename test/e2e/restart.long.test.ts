import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { expect, onTestFinished, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { serverCreditsLeft, storeOnDisk } from "./start-atelier.ts";
import { freePort } from "@atelier/common/testing/free-port";
import { startProcess, type StartedProcess } from "./child-process.ts";

async function setup() {
	const port = await freePort();
	const env = { PORT: String(port), ...(await storeOnDisk()) };
	const start = async (): Promise<StartedProcess> => {
		const started = startProcess(env);
		await started.logged("Atelier is ready");
		return started;
	};
	const first = await start();
	const userClient = await openUserClient(`http://127.0.0.1:${port}`);
	onTestFinished(() => userClient.close());
	return { first, start, userClient };
}

test.each([
	["killed after the task was stored", "task created", "SIGKILL"],
	["killed while the engine runs", "task started", "SIGKILL"],
	["killed after the result was downloaded", "result downloaded", "SIGKILL"],
	["stopped while the engine runs", "task started", "SIGTERM"],
] as const)(
	"a process that is %s and restarted delivers the video once, and charges it once",
	async (_what, message, signal) => {
		const { first, start, userClient } = await setup();
		await first.logged("commands registered");
		const reply = await userClient.type("/video", {
			prompt: "a party",
			aspect_ratio: "1:1",
			resolution: "480p",
			duration: 2,
		});
		await first.logged(message);
		const code = await first.end(signal);
		expect(code).toBe(signal === "SIGTERM" ? 0 : null);
		const second = await start();
		await second.logged("commands unchanged");

		const answer = await reply.until(isFinalReply, 60_000);
		await second.logged("task delivered");
		expect(filesOf(answer)).toMatchObject([{ content_type: "video/mp4" }]);
		expect(textOf(answer)).toContain("4 credits · 496 left");
		expect(await serverCreditsLeft(userClient)).toBe(496);
		const videos = (await userClient.messages()).filter((shown) => filesOf(shown).length > 0);
		expect(videos.map(({ id }) => id)).toStrictEqual([answer.id]);
		expect(await second.end("SIGTERM")).toBe(0);
	},
	90_000,
);
