/** Survives events that discord.js cannot read, such as new types of interactions: an error there would end the process. */
import type { Client } from "discord.js";
import type { ThrottledLogger } from "@atelier/common/throttled-logger";

/** Private members of discord.js's gateway client. */
interface PacketHandler {
	handlePacket(packet?: { readonly t?: string | null }, shard?: unknown): boolean;
}

/** Names the event. Its content is never logged. */
class PacketError extends Error {
	override readonly name = "PacketError";
}

/** Catches what discord.js and the listeners of its events throw for an event. */
export function guardDispatches({ ws }: Pick<Client, "ws">, throttledLogger: ThrottledLogger): void {
	const handler = ws as unknown as PacketHandler;
	const handle = handler.handlePacket.bind(ws);
	handler.handlePacket = (packet, shard) => {
		try {
			return handle(packet, shard);
		} catch (cause) {
			throttledLogger.add(new PacketError(`${packet?.t ?? "a packet"} is malformed`, { cause }));
			return true;
		}
	};
}
