/** The number of guilds: two for a look, ten thousand for a load test. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { parseBody } from "../page/page-error.ts";
import { GUILDS_MAX } from "../simulator/guilds.ts";
import type { GuildList } from "./admin-contract.ts";
import type { AdminContext } from "./admin-context.ts";

const LISTED_MAX = 1_000;

const CountBody = z.strictObject({ count: z.number().int().min(1).max(GUILDS_MAX) });
const ListQuery = z.object({
	from: z.coerce.number().int().min(0).default(0),
	limit: z.coerce.number().int().min(1).max(LISTED_MAX).default(100),
});

export function registerGuildRoutes(scope: FastifyInstance, { simulator, state }: AdminContext): void {
	scope.put("/playground/admin/guilds", (request) => {
		simulator.installs.setCount(parseBody(CountBody, request.body).count);
		return state(request);
	});
	scope.get("/playground/admin/guilds", (request): GuildList => {
		const { from, limit } = parseBody(ListQuery, request.query);
		const listed = simulator.guilds.all(from).take(limit);
		const servers = listed.map(({ id, name, channels, memberIds }) => ({
			id,
			name,
			channelIds: channels.map((channel) => channel.id),
			memberIds,
		}));
		return { guildCount: simulator.guilds.count, guilds: [...servers] };
	});
}
