import { setImmediate } from "node:timers/promises";
import { Client, GatewayOpcodes, Status } from "discord.js";
import { expect, test } from "vitest";
import { guardDispatches, guardReads } from "../../src/discord/malformed-packets.ts";

const HELLO = JSON.stringify({ op: GatewayOpcodes.Hello, d: { heartbeat_interval: 41_250 } });

function setup() {
	const read: string[] = [];
	const errors: string[] = [];
	const shard = {
		connection: {} as object | null,
		on: () => shard,
		onMessage: async (data: unknown) => void read.push(String(data)),
	};
	guardReads(shard, { add: (error) => void errors.push((error as Error).message) });
	return { shard, read, errors };
}

test("the Hello of a new connection is processed, even if the previous one emitted no close", async () => {
	const { shard, read, errors } = setup();
	await shard.onMessage(HELLO);
	shard.connection = {};
	await shard.onMessage(HELLO);
	expect([read, errors]).toStrictEqual([[HELLO, HELLO], []]);
});

test("a malformed dispatch before the client was ready is caught when its timer handles it", async () => {
	const errors: string[] = [];
	const client = new Client({ intents: [] });
	guardDispatches(client, { add: (error) => void errors.push((error as Error).message) });
	const ws = client.ws as unknown as { status: Status; handlePacket(packet?: object): boolean };
	ws.handlePacket({ op: GatewayOpcodes.Dispatch, t: "ENTITLEMENT_CREATE", d: null });
	ws.status = Status.Ready;
	ws.handlePacket();
	await setImmediate();
	expect(errors).toStrictEqual(["ENTITLEMENT_CREATE is malformed"]);
});
