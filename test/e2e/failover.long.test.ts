/** A process delivers the tasks of all shards, not only of its own. */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { openMediaService } from "@atelier/studio/testing/servers/media-service";
import { startRedisServer } from "@atelier/store/testing/redis-server-for-test";
import { openDiscord } from "./open-discord.ts";
import { startProcess } from "./child-process.ts";
import { storeOnDisk } from "./start-atelier.ts";

describe.skipIf(!startRedisServer.isPossible)("two processes with one shard each", () => {
	test("one delivers the tasks of the other after it was killed", async () => {
		const redis = await startRedisServer(["--appendonly", "no"]);
		const discord = await openDiscord();
		const service = await openMediaService();
		// The service calls `next` at each poll to advance the task. The task stays open until the process is killed.
		const { next } = service;
		const firstPoll = Promise.withResolvers<void>();
		let mayFinish = false;
		service.next = (task) => {
			if (mayFinish) next(task);
			else firstPoll.resolve();
		};
		const userClient = await openUserClient(discord.origin);
		onTestFinished(() => userClient.close());
		const shared = {
			...discord.env,
			...(await storeOnDisk()),
			QUEUE_URL: redis.url,
			MEDIA_API_URL: service.url,
			MEDIA_API_KEY: "service-key",
			MEDIA_CATALOG: fileURLToPath(new URL("model-catalog.json", import.meta.url)),
			SHARD_COUNT: "2",
			PORT: "0",
		};
		const guildId = (await userClient.state()).guild.id;
		const guildShard = Number((BigInt(guildId) >> 22n) % 2n);
		const killed = startProcess({ ...shared, SHARDS: String(guildShard) });
		const other = startProcess({ ...shared, SHARDS: String(1 - guildShard) });
		await Promise.all([killed.logged("Atelier is ready"), other.logged("Atelier is ready")]);

		const reply = await userClient.type("/image", { prompt: "a boat" });
		await firstPoll.promise;
		await killed.end("SIGKILL");
		mayFinish = true;
		const completed = await reply.until(isFinalReply, 60_000);
		expect(filesOf(completed)).toHaveLength(1);
		expect(service.tasks).toHaveLength(1);
	}, 120_000);
});
