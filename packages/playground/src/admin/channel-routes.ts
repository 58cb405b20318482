/** The bot's access to channels, and deletions by a moderator. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PageApiError, parseBody } from "../page/page-error.ts";
import { snowflake } from "./shapes.ts";
import type { AdminContext } from "./admin-context.ts";

const AccessBody = z.strictObject({ channelId: snowflake, access: z.literal(["all", "noFiles", "readOnly", "none"]) });
const MembershipBody = z.strictObject({ isMember: z.boolean() });

export function registerChannelRoutes(scope: FastifyInstance, { simulator, state, guildOf }: AdminContext): void {
	const { overrides, installs, channels, messages } = simulator;

	function guildChannel(channelId: string): string {
		if (channels.find(channelId)?.kind !== "guild") throw new PageApiError(404, "Unknown channel of a server.");
		return channelId;
	}

	scope.put("/playground/admin/access", (request) => {
		const { channelId, access } = parseBody(AccessBody, request.body);
		overrides.setAccess(guildChannel(channelId), access);
		return state(request);
	});
	scope.put("/playground/admin/membership", (request) => {
		const { isMember } = parseBody(MembershipBody, request.body);
		const guild = guildOf(request);
		const was = installs.isMember(guild);
		overrides.setBotMember(guild, isMember);
		simulator.events.emit({ type: "bot", guild, was, is: installs.isMember(guild) });
		return state(request);
	});
	scope.delete("/playground/admin/messages/:channel/:message", (request) => {
		const { channel, message } = request.params as { channel: string; message: string };
		const found = messages.find(channel, message);
		if (!found) throw new PageApiError(404, "Unknown message.");
		messages.remove(found);
		return state(request);
	});
	scope.delete("/playground/admin/channels/:channel", (request) => {
		const channelId = guildChannel((request.params as { channel: string }).channel);
		overrides.setAccess(channelId, "gone");
		for (const message of messages.newest(Number.POSITIVE_INFINITY, (each) => each.channelId === channelId))
			messages.remove(message);
		return state(request);
	});
}
