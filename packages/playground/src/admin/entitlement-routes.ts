/** Purchases of the application's items, and refunds. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PageApiError, parseBody } from "../page/page-error.ts";
import { snowflake } from "./shapes.ts";
import type { AdminContext } from "./admin-context.ts";

const PurchaseBody = z.strictObject({
	userId: snowflake.optional(),
	skuId: snowflake,
	/** Bought for the guild instead of for the user. */
	isForGuild: z.boolean().default(false),
});

export function registerEntitlementRoutes(scope: FastifyInstance, { simulator, state, guildOf }: AdminContext): void {
	const { entitlements, members } = simulator;

	scope.post("/playground/admin/purchases", (request) => {
		const { userId = members.defaultUser.id, skuId, isForGuild } = parseBody(PurchaseBody, request.body);
		if (!members.find(userId)) throw new PageApiError(404, "Unknown user.");
		if (!entitlements.skus().some(({ id }) => id === skuId)) throw new PageApiError(404, "Unknown item.");
		if (!entitlements.create({ skuId, userId, guildId: isForGuild ? guildOf(request).id : null, isTest: false }))
			throw new PageApiError(409, "The user still has one that the bot has not consumed.");
		return state(request);
	});
	scope.delete("/playground/admin/purchases/:entitlement", (request) => {
		const found = entitlements.find((request.params as { entitlement: string }).entitlement);
		if (!found || found.isDeleted) throw new PageApiError(404, "Unknown purchase.");
		entitlements.refund(found);
		return state(request);
	});
}
