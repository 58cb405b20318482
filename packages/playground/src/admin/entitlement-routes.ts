/** Purchases of the application's items, and refunds. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { bodyOf } from "../http/parse-body.ts";
import { PageRefusalError } from "../http/refusal.ts";
import { snowflake } from "./shapes.ts";
import type { AdminContext } from "./admin-context.ts";

const PurchaseBody = z.strictObject({
	userId: snowflake.optional(),
	skuId: snowflake,
	/** Bought for the guild instead of for the user. */
	isForServer: z.boolean().default(false),
});

export function registerEntitlementRoutes(scope: FastifyInstance, { simulator, state, serverOf }: AdminContext): void {
	const { shop, people } = simulator;

	scope.post("/playground/controls/purchases", (request) => {
		const { userId = people.first.id, skuId, isForServer } = bodyOf(PurchaseBody, request.body);
		if (!people.find(userId)) throw new PageRefusalError(404, "Unknown user.");
		if (!shop.items().some(({ id }) => id === skuId)) throw new PageRefusalError(404, "Unknown item.");
		if (!shop.buy({ skuId, userId, guildId: isForServer ? serverOf(request).id : null, isTest: false }))
			throw new PageRefusalError(409, "The user still has one that the bot has not consumed.");
		return state(request);
	});
	scope.delete("/playground/controls/purchases/:entitlement", (request) => {
		const found = shop.find((request.params as { entitlement: string }).entitlement);
		if (!found || found.isDeleted) throw new PageRefusalError(404, "Unknown purchase.");
		shop.takeBack(found);
		return state(request);
	});
}
