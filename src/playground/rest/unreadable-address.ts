import type { FastifyReply } from "fastify";
import { faults } from "../world/fault.ts";

/**
 * Answers for an address below /api that the server cannot read, such as `/api/v10/users/%ff`: no route sees it, and clients
 * expect Discord's form. False where the address is another one.
 */
export function refuseUnreadableAddress(url: string, reply: FastifyReply): boolean {
	if (!url.startsWith("/api/")) return false;
	const fault = faults.notFound();
	void reply
		.code(fault.status)
		.header("content-type", "application/json")
		.send(Buffer.from(JSON.stringify(fault.toBody())));
	return true;
}
