/** Entitlements: lists, consumption, and test entitlements. */
import {
	type APIEntitlement,
	EntitlementOwnerType,
	EntitlementType,
	type RESTPostAPIEntitlementJSONBody,
} from "discord-api-types/v10";
import { apiErrors } from "../../simulator/api-error.ts";
import { booleanParam, pageById } from "../read-request.ts";
import type { RestRequest } from "../route.ts";

const LISTED_MAX = 100;

export function read({ simulator, param }: RestRequest): APIEntitlement {
	const found = simulator.entitlements.find(param("entitlement"));
	if (!found) throw apiErrors.unknownEntitlement();
	return found;
}

export function skus({ simulator }: RestRequest): object {
	return simulator.entitlements.skus();
}

export function list({ simulator, query }: RestRequest): object {
	const skuIds = query.get("sku_ids")?.split(",");
	const matches = ({ user_id, guild_id, sku_id, consumed, deleted }: APIEntitlement): boolean =>
		(query.get("user_id") ?? user_id) === user_id &&
		(query.get("guild_id") ?? guild_id) === guild_id &&
		(skuIds?.includes(sku_id) ?? true) &&
		!(deleted && booleanParam(query, "exclude_deleted") !== false) &&
		// A consumed entitlement has ended; one without an end has not.
		!(consumed && booleanParam(query, "exclude_ended"));
	const limits = { limitMax: LISTED_MAX, isNewestByDefault: true };
	return pageById(query, simulator.entitlements.list().filter(matches), ({ id }) => id, limits);
}

export function consume(request: RestRequest): void {
	const entitlement = read(request);
	if (entitlement.deleted) throw apiErrors.unknownEntitlement();
	request.simulator.entitlements.consume(entitlement);
}

export function createTest(request: RestRequest): object {
	const { entitlements, guilds, members } = request.simulator;
	const { sku_id, owner_id: ownerId, owner_type: ownerType } = request.body as RESTPostAPIEntitlementJSONBody;
	const isGuild = ownerType === EntitlementOwnerType.Guild;
	const user_id = isGuild ? guilds.find(ownerId)?.ownerId : members.find(ownerId)?.id;
	if (user_id === undefined) throw isGuild ? apiErrors.unknownGuild() : apiErrors.unknownUser();
	const owned = { sku_id, user_id, ...(isGuild && { guild_id: ownerId }) };
	return entitlements.findActive(owned) ?? entitlements.create({ ...owned, type: EntitlementType.TestModePurchase });
}

export function removeTest(request: RestRequest): void {
	const entitlement = read(request);
	if (entitlement.type !== EntitlementType.TestModePurchase) throw apiErrors.unknownEntitlement();
	request.simulator.entitlements.refund(entitlement);
}
