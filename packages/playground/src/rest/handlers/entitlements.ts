/** Entitlements: lists, consumption, and test entitlements. */
import { EntitlementOwnerType, type RESTPostAPIEntitlementJSONBody } from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import { booleanParam, pageById } from "../read-request.ts";
import type { RestRequest } from "../route.ts";
import type { Entitlement } from "../../simulator/documents.ts";

const LISTED_MAX = 100;

function entitlementOf(request: RestRequest): Entitlement {
	const found = request.simulator.entitlements.find(request.param("entitlement"));
	if (!found) throw apiErrors.unknownEntitlement();
	return found;
}

export function skus(request: RestRequest): object {
	const { entitlements } = request.simulator;
	return entitlements.skus().map((item) => entitlements.serializeSku(item));
}

export function list(request: RestRequest): object {
	const { query } = request;
	const { entitlements } = request.simulator;
	const param = (name: string): string | undefined => query.get(name) ?? undefined;
	const skuIds = param("sku_ids")?.split(",");
	const matches = ({ userId, guildId, skuId, isConsumed, isDeleted }: Entitlement): boolean =>
		userId === (param("user_id") ?? userId) &&
		guildId === (param("guild_id") ?? guildId) &&
		(skuIds?.includes(skuId) ?? true) &&
		!(isDeleted && booleanParam(query, "exclude_deleted") !== false) &&
		// A consumed entitlement has ended; one without an end has not.
		!(isConsumed && booleanParam(query, "exclude_ended"));
	const limits = { limitMax: LISTED_MAX, isNewestByDefault: true };
	const page = pageById(query, entitlements.list().filter(matches), ({ id }) => id, limits);
	return page.map((each) => entitlements.serialize(each));
}

export function read(request: RestRequest): object {
	return request.simulator.entitlements.serialize(entitlementOf(request));
}

export function consume(request: RestRequest): void {
	const entitlement = entitlementOf(request);
	if (entitlement.isDeleted) throw apiErrors.unknownEntitlement();
	request.simulator.entitlements.consume(entitlement);
}

export function createTest(request: RestRequest): object {
	const { entitlements, guilds, members } = request.simulator;
	const { sku_id: skuId, owner_id: ownerId, owner_type: ownerType } = request.body as RESTPostAPIEntitlementJSONBody;
	const isGuild = ownerType === EntitlementOwnerType.Guild;
	const userId = isGuild ? guilds.find(ownerId)?.ownerId : members.find(ownerId)?.id;
	if (userId === undefined) throw isGuild ? apiErrors.unknownGuild() : apiErrors.unknownUser();
	const owned = { skuId, userId, guildId: isGuild ? ownerId : null };
	return entitlements.serialize(entitlements.findActive(owned) ?? entitlements.create({ ...owned, isTest: true }));
}

export function removeTest(request: RestRequest): void {
	const entitlement = entitlementOf(request);
	if (!entitlement.isTest) throw apiErrors.unknownEntitlement();
	request.simulator.entitlements.refund(entitlement);
}
