import { once } from "node:events";
import { Events, Status } from "discord.js";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createDiscord } from "../../src/discord/client.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openDiscord } from "../e2e/open-discord.ts";
import { openSingleProcessCoordinator } from "../fakes/single-process-coordinator.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";

/** A ready client on a gateway that answers no RESUME until the test allows it. */
async function setup() {
	const { origin, env } = await openDiscord();
	const clock = createManualClock();
	const discord = createDiscord({
		apiUrl: env.DISCORD_API_URL,
		shards: "auto",
		shardCount: "auto",
		cluster: await openSingleProcessCoordinator(),
		clock,
		logger: pino({ level: "silent" }),
		onLost: () => {},
	});
	onTestFinished(() => discord.close());
	const { client } = discord;
	await Promise.all([once(client, Events.ClientReady), client.login(env.DISCORD_TOKEN)]);
	const events: string[] = [];
	client.on(Events.ShardReady, () => void events.push("ready"));
	client.on(Events.ShardResume, () => void events.push("resumed"));
	const adminClient = openAdminClient(origin);
	await adminClient.setGateway({ answersResume: false });
	const status = () => client.ws.shards.first()?.status;
	async function closeAndResume(): Promise<void> {
		await adminClient.gateway({ act: "close", code: 4000 });
		await expect.poll(status).not.toBe(Status.Ready);
		await expect.poll(status).toBe(Status.Resuming);
	}
	return { clock, adminClient, events, isUp: () => discord.isUp(), closeAndResume };
}

test("a session that is not resumed within half a minute is dropped, and a new one is started", async () => {
	const { clock, events, isUp, closeAndResume } = await setup();
	await closeAndResume();
	await clock.advance(29_000);
	expect([isUp(), events]).toStrictEqual([false, []]);
	await clock.advance(1_000);
	await expect.poll(isUp).toBe(true);
	expect(events).toStrictEqual(["ready"]);
});

test("a session that is resumed in time is kept", async () => {
	const { clock, adminClient, events, isUp } = await setup();
	await adminClient.setGateway({ answersResume: true });
	await adminClient.gateway({ act: "close", code: 4000 });
	await expect.poll(() => events).toStrictEqual(["resumed"]);
	await clock.advance(60_000);
	expect([isUp(), events]).toStrictEqual([true, ["resumed"]]);
});
