/** The whole product with a poll queue on a Redis that processes could share. */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { describe, expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { serverCreditsLeft, openAtelier, storeOnDisk } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

describe.skipIf(!startRedisServer.isPossible)("with QUEUE_URL", () => {
	test("every command gets its file and one charge, also after a loss of the queue's data", async () => {
		const redis = await startRedisServer(["--appendonly", "no"]);
		const { userClient, atelier } = await openAtelier({ env: { ...(await storeOnDisk()), QUEUE_URL: redis.url } });
		expect(filesOf(await finalReply(userClient.type("/image", { prompt: "a boat" })))).toHaveLength(1);
		await redis.kill();
		const meanwhile = await userClient.type("/image", { prompt: "another boat" });
		await redis.start();
		expect(filesOf(await meanwhile.until(isFinalReply))).toHaveLength(1);
		expect(await serverCreditsLeft(userClient)).toBe(492);
		const readiness = await fetch(`${atelier.origin}/readyz`);
		expect(await readiness.json()).toMatchObject({ status: "ready" });
	});
});
