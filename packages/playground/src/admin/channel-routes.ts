/** The bot's access to channels, and deletions by a moderator. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { bodyOf } from "../http/parse-body.ts";
import { PageRefusalError } from "../http/refusal.ts";
import { snowflake } from "./shapes.ts";
import type { AdminContext } from "./admin-context.ts";

const AccessBody = z.strictObject({ channelId: snowflake, access: z.literal(["all", "noFiles", "readOnly", "none"]) });
const MembershipBody = z.strictObject({ isMember: z.boolean() });

export function registerChannelRoutes(scope: FastifyInstance, { simulator, state, serverOf }: AdminContext): void {
	const { switches, installs, places, messages } = simulator;

	function guildChannel(channelId: string): string {
		if (places.find(channelId)?.kind !== "guild") throw new PageRefusalError(404, "Unknown channel of a server.");
		return channelId;
	}

	scope.put("/playground/controls/access", (request) => {
		const { channelId, access } = bodyOf(AccessBody, request.body);
		switches.setAccess(guildChannel(channelId), access);
		return state(request);
	});
	scope.put("/playground/controls/membership", (request) => {
		const { isMember } = bodyOf(MembershipBody, request.body);
		const server = serverOf(request);
		const was = installs.isMember(server);
		switches.setBotMember(server, isMember);
		simulator.events.emit({ type: "bot", server, was, is: installs.isMember(server) });
		return state(request);
	});
	scope.delete("/playground/controls/messages/:channel/:message", (request) => {
		const { channel, message } = request.params as { channel: string; message: string };
		const found = messages.find(channel, message);
		if (!found) throw new PageRefusalError(404, "Unknown message.");
		messages.remove(found);
		return state(request);
	});
	scope.delete("/playground/controls/channels/:channel", (request) => {
		const channelId = guildChannel((request.params as { channel: string }).channel);
		switches.setAccess(channelId, "gone");
		for (const message of messages.newest(Number.POSITIVE_INFINITY, (each) => each.channelId === channelId))
			messages.remove(message);
		return state(request);
	});
}
