import { GatewayOpcodes } from "discord.js";
import { expect, test } from "vitest";
import { guardReads } from "../../src/discord/packet-guard.ts";

const HELLO = JSON.stringify({ op: GatewayOpcodes.Hello, d: { heartbeat_interval: 41_250 } });

function setup() {
	const read: string[] = [];
	const faults: string[] = [];
	const shard = {
		connection: {} as object | null,
		on: () => shard,
		onMessage: async (data: unknown) => void read.push(String(data)),
	};
	guardReads(shard, { add: (error) => void faults.push((error as Error).message) });
	return { shard, read, faults };
}

test("a second HELLO on one connection is dropped", async () => {
	const { shard, read, faults } = setup();
	await shard.onMessage(HELLO);
	await shard.onMessage(HELLO);
	expect([read, faults]).toStrictEqual([[HELLO], ["Hello is repeated"]]);
});

test("the HELLO of a new connection is read, although the one before it emitted no end", async () => {
	const { shard, read, faults } = setup();
	await shard.onMessage(HELLO);
	shard.connection = {};
	await shard.onMessage(HELLO);
	expect([read, faults]).toStrictEqual([[HELLO, HELLO], []]);
});
