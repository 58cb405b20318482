import { setImmediate } from "node:timers/promises";
import { Client, GatewayOpcodes, Status } from "discord.js";
import { expect, test } from "vitest";
import { guardDispatches } from "../../src/discord/malformed-packets.ts";

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
