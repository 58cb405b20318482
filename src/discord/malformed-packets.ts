/**
 * Survives gateway packets that discord.js cannot handle. It reads packets in a promise that it does not await, and
 * handles early ones in a timer: an error there would end the process.
 */
import { GatewayOpcodes, type Client } from "discord.js";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";

/** Private members of a shard in discord.js's gateway library. */
export interface PacketReader {
	readonly connection?: object | null;
	on(event: "closed", listener: () => void): unknown;
	onMessage(data: unknown, isBinary: boolean): Promise<void>;
}

/** Private members of discord.js's gateway client. */
interface PacketHandler {
	handlePacket(packet?: Packet, shard?: unknown): boolean;
}

interface Packet {
	readonly op?: unknown;
	readonly t?: unknown;
	readonly d?: unknown;
}

/** Names the packet. Its content is never logged. */
class PacketError extends Error {
	override readonly name = "PacketError";
}

/** Catches what discord.js and the listeners of its events throw for dispatches of this type. */
export function guardDispatches({ ws }: Pick<Client, "ws">, throttledLogger: ThrottledLogger): void {
	const handler = ws as unknown as PacketHandler;
	const handle = handler.handlePacket.bind(ws);
	handler.handlePacket = (packet, shard) => {
		try {
			return handle(packet, shard);
		} catch (cause) {
			throttledLogger.add(new PacketError(`${nameOf(packet)} is malformed`, { cause }));
			return true;
		}
	};
}

/** Catches what other packets throw, and drops a HELLO that would start a second heartbeat. */
export function guardReads(shard: PacketReader, throttledLogger: ThrottledLogger): void {
	const read = shard.onMessage.bind(shard);
	// The connection that sent HELLO: a shard that destroys a closing connection emits no "closed".
	let helloConnection: object | null | undefined;
	shard.on("closed", () => (helloConnection = undefined));
	shard.onMessage = async (data, isBinary) => {
		const packet = packetIn(data);
		if (packet?.op === GatewayOpcodes.Hello) {
			const isRepeated = helloConnection !== undefined && helloConnection === shard.connection;
			if (isRepeated || !hasInterval(packet)) {
				throttledLogger.add(new PacketError(`${nameOf(packet)} is ${isRepeated ? "repeated" : "malformed"}`));
				return;
			}
			helloConnection = shard.connection ?? undefined;
		}
		try {
			await read(data, isBinary);
		} catch (cause) {
			throttledLogger.add(new PacketError(`${nameOf(packet)} is malformed`, { cause }));
		}
	};
}

function packetIn(data: unknown): Packet | undefined {
	if (typeof data !== "string") return undefined;
	try {
		return (JSON.parse(data) as Packet | null) ?? undefined;
	} catch {
		return undefined;
	}
}

function hasInterval({ d }: Packet): boolean {
	const intervalMs = (d as { readonly heartbeat_interval?: unknown } | null | undefined)?.heartbeat_interval;
	return typeof intervalMs === "number" && intervalMs > 0;
}

function nameOf(packet: Packet | undefined): string {
	const { op, t } = packet ?? {};
	if (typeof t === "string" && /^[A-Z_]{1,50}$/.test(t)) return t;
	return typeof op === "number" ? (GatewayOpcodes[op] ?? "a packet") : "a packet";
}
