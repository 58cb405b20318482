/** Studios that report the end of a task: the built-in one, and a remote one at the public address of the bot. */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMediaService } from "@atelier/studio/testing/servers/media-service";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { openAtelier } from "./start-atelier.ts";

const SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

async function setup(env: Readonly<Record<string, string>>) {
	const service = await openMediaService();
	const { next } = service;
	service.next = () => {};
	service.plan("GET", "/api/v1/callbacks/secret", { json: { code: 0, data: { secret: SECRET } } });
	const clock = createManualClock();
	const mediaEnv = { MEDIA_API_URL: service.url, MEDIA_API_KEY: "service-key" };
	const { atelier, userClient } = await openAtelier({ clock, env: { ...mediaEnv, ...env } });
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await expect.poll(() => service.jobs.length).toBe(1);

	/** The service ends the task and posts to the callback's path; a proxy forwards it to the bot. */
	async function endAndReport(path: string): Promise<number> {
		service.next = next;
		const body = JSON.stringify({ code: 0, data: { taskId: service.jobs[0]?.taskId } });
		const sentAt = new Date(clock.nowMs());
		const headers = {
			"content-type": "application/json",
			"webhook-id": "msg_1",
			"webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
			"webhook-signature": new Webhook(SECRET).sign("msg_1", sentAt, body),
		};
		return (await fetch(`${atelier.origin}${path}`, { method: "POST", headers, body })).status;
	}
	return { reply, callbackUrl: service.jobs[0]?.request["callbackUrl"], endAndReport };
}

test("a remote studio calls the bot at its public address, and the result arrives without a wait for the next poll", async () => {
	const env = { MEDIA_API_PROFILE: "studio", PUBLIC_URL: "https://bot.example.com/" };
	const { reply, callbackUrl, endAndReport } = await setup(env);
	expect(callbackUrl).toMatch(/^https:\/\/bot\.example\.com\/callbacks\/media\/\d+$/);
	// The clock of the bot stands still, so no poll comes due.
	expect(await endAndReport(new URL(String(callbackUrl)).pathname)).toBe(204);
	expect(filesOf(await reply.until(isFinalReply))).toHaveLength(1);
});

test.each([
	["a service that may not sign callbacks", { PUBLIC_URL: "https://bot.example.com" }],
	["an address without TLS", { MEDIA_API_PROFILE: "studio", PUBLIC_URL: "http://bot.example.com" }],
	["a bot without a public address", { MEDIA_API_PROFILE: "studio" }],
])("%s gets no callback", async (_case, env) => {
	const { callbackUrl, endAndReport } = await setup(env);
	expect(callbackUrl).toBeUndefined();
	expect(await endAndReport("/callbacks/media/1")).toBe(404);
});

test("the built-in studio calls the bot, and the result arrives before any poll is due", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const { userClient, logs } = await openAtelier({ engine, clock: createManualClock() });
	const reply = await userClient.type("/image", { prompt: "a prompt boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	engine.runs[0]?.finish();
	expect(filesOf(await reply.until(isFinalReply))).toHaveLength(1);
	expect(logs()).toContain("callback sent");
});
