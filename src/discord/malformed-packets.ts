/**
 * Survives gateway packets that discord.js cannot read, such as new types of interactions. It reads packets in a promise that it
 * does not await, and early events in a timer: an error there would end the process.
 */
import { GatewayOpcodes, type Client } from "discord.js";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";

interface Packet {
	readonly op?: GatewayOpcodes;
	readonly t?: string | null;
}

/** Private members of a shard in discord.js's gateway library. */
export interface PacketReader {
	readonly connection: object | null;
	prependListener(event: "hello", listener: () => void): unknown;
	onMessage(data: unknown, isBinary: boolean): Promise<void>;
}

/** Private members of discord.js's gateway client. */
interface PacketHandler {
	handlePacket(packet?: Packet, shard?: unknown): boolean;
}

/** Names the packet. Its content is never logged. */
class PacketError extends Error {
	override readonly name = "PacketError";

	constructor({ op, t }: Packet, cause: unknown) {
		super(`${t ?? (op === undefined ? "a packet" : GatewayOpcodes[op])} is malformed`, { cause });
	}
}

/** Catches what discord.js and the listeners of its events throw for an event. */
export function guardDispatches({ ws }: Pick<Client, "ws">, throttledLogger: ThrottledLogger): void {
	const handler = ws as unknown as PacketHandler;
	const handle = handler.handlePacket.bind(ws);
	handler.handlePacket = (packet, shard) => {
		try {
			return handle(packet, shard);
		} catch (cause) {
			throttledLogger.add(new PacketError(packet ?? {}, cause));
			return true;
		}
	};
}

/** Catches what other packets throw, and rejects a HELLO that would start a second heartbeat. */
export function guardReads(shard: PacketReader, throttledLogger: ThrottledLogger): void {
	let greetedConnection: object | null = null;
	// Comes before the listeners of discord.js, which would wait for a new session.
	shard.prependListener("hello", () => {
		if (shard.connection === greetedConnection) throw new Error("repeated on its connection");
		greetedConnection = shard.connection;
	});
	const read = shard.onMessage.bind(shard);
	shard.onMessage = async (data, isBinary) => {
		try {
			await read(data, isBinary);
		} catch (cause) {
			// Only text is read: the connection is not compressed.
			const packet = typeof data === "string" ? (JSON.parse(data) as Packet) : {};
			throttledLogger.add(new PacketError(packet, cause));
		}
	};
}
