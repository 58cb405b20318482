/** Buying what the application sells, and getting the money back. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { bodyOf } from "../http/parse-body.ts";
import { PageRefusalError } from "../http/refusal.ts";
import { snowflake } from "./shapes.ts";
import type { ControlsRoom } from "./admin-context.ts";

const PurchaseBody = z.strictObject({
	userId: snowflake.optional(),
	skuId: snowflake,
	/** Bought for the server, and not for the person alone. */
	isForServer: z.boolean().default(false),
});

export function registerShopControls(scope: FastifyInstance, { world, state, serverOf }: ControlsRoom): void {
	const { shop, people } = world;

	scope.post("/playground/controls/purchases", (request) => {
		const { userId = people.first.id, skuId, isForServer } = bodyOf(PurchaseBody, request.body);
		if (!people.find(userId)) throw new PageRefusalError(404, "There is no such person here.");
		if (!shop.items().some(({ id }) => id === skuId)) throw new PageRefusalError(404, "There is no such item to buy.");
		if (!shop.buy({ skuId, userId, guildId: isForServer ? serverOf(request).id : null, isTest: false }))
			throw new PageRefusalError(409, "They still have one that the bot has not consumed.");
		return state(request);
	});
	scope.delete("/playground/controls/purchases/:entitlement", (request) => {
		const found = shop.find((request.params as { entitlement: string }).entitlement);
		if (!found || found.isDeleted) throw new PageRefusalError(404, "There is no such purchase.");
		shop.takeBack(found);
		return state(request);
	});
}
