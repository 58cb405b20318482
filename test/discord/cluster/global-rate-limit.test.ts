import { REST } from "discord.js";
import { expect, test } from "vitest";
import { createGlobalRateLimit, withGlobalRateLimit } from "../../../src/discord/cluster/global-rate-limit.ts";
import { openHttpServer } from "@atelier/common/testing/http-server";
import { createManualClock } from "@atelier/common/testing/manual-clock";

test("all clients of a process share the limit, and requests without the bot token are exempt", async () => {
	let taken = 0;
	const rest = {
		api: await openHttpServer((_request, response) => response.writeHead(204).end()),
		...withGlobalRateLimit({ wait: async () => void taken++ }),
	};
	const clients = [new REST(rest), new REST(rest)] as const;
	await Promise.all(clients.map((client) => client.setToken("token").get("/users/@me")));
	expect(taken).toBe(2);
	const edits = Array.from({ length: 60 }, (_, n) =>
		clients[0].patch(`/webhooks/1/token-${n}/messages/@original`, { auth: false }),
	);
	await Promise.all(edits);
	expect(taken).toBe(2);
});

test("while the coordinator is unreachable, a process uses its share of the limit", async () => {
	const clock = createManualClock();
	const rateLimit = createGlobalRateLimit({
		perSecond: 40,
		clock,
		takeSharedRequestSlot: () => Promise.reject(new Error("away")),
		share: () => 1 / 4,
	});
	// A quarter of 40 requests a second is 10. One of them is kept for bursts, so the even schedule allows nine a second.
	let passed = 0;
	for (let n = 0; n < 100; n++) void rateLimit.wait().then(() => passed++);
	await clock.advance(999);
	expect(passed).toBe(9);
	await clock.advance(9_000);
	expect(passed).toBe(90);
});

test("a request whose wait would be too long asks for a slot again after a second", async () => {
	const clock = createManualClock();
	const answers = [undefined, 500];
	const rateLimit = createGlobalRateLimit({
		perSecond: 50,
		clock,
		takeSharedRequestSlot: async () => answers.shift(),
		share: () => 1,
	});
	let isDone = false;
	void rateLimit.wait().then(() => (isDone = true));
	await clock.advance(1_499);
	expect(isDone).toBe(false);
	await clock.advance(1);
	expect(isDone).toBe(true);
});
