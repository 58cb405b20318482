/** Entitlements: lists, consumption, and test entitlements. */
import { EntitlementOwnerType } from "discord-api-types/v10";
import { faults } from "../../simulator/api-error.ts";
import { booleanIn, snowflakeIn } from "../query.ts";
import type { Answer, RestRequest, RestRoom } from "../route.ts";
import type { Entitlement } from "../../simulator/entitlement.ts";

const LISTED_MAX = 100;

function checkApplication(request: RestRequest, { simulator }: RestRoom): void {
	if (request.param("application") !== simulator.seed.application.id) throw faults.unknownApplication();
}

function entitlementOf(request: RestRequest, room: RestRoom): Entitlement {
	checkApplication(request, room);
	const found = room.simulator.shop.find(request.param("entitlement"));
	if (!found) throw faults.unknownEntitlement();
	return found;
}

export function items(request: RestRequest, room: RestRoom): Answer {
	checkApplication(request, room);
	const { shop } = room.simulator;
	return { status: 200, body: shop.items().map((item) => shop.showItem(item)) };
}

export function list(request: RestRequest, room: RestRoom): Answer {
	checkApplication(request, room);
	const { query } = request;
	const { shop } = room.simulator;
	const asked = (name: string): string | undefined => query.get(name) ?? undefined;
	const [after, before] = [snowflakeIn(query, "after"), snowflakeIn(query, "before")];
	const skuIds = asked("sku_ids")?.split(",");
	const isAsked = ({ id, userId, guildId, skuId, isConsumed, isDeleted }: Entitlement): boolean =>
		userId === (asked("user_id") ?? userId) &&
		guildId === (asked("guild_id") ?? guildId) &&
		(skuIds?.includes(skuId) ?? true) &&
		!(isDeleted && booleanIn(query, "exclude_deleted") !== false) &&
		// A consumed entitlement has ended; one without an end has not.
		!(isConsumed && booleanIn(query, "exclude_ended")) &&
		BigInt(id) > (after ?? 0n) &&
		(before === undefined || BigInt(id) < before);
	const most = Math.min(Math.max(Number(query.get("limit") ?? LISTED_MAX) || LISTED_MAX, 1), LISTED_MAX);
	const found = shop.list().filter(isAsked);
	const page = after === undefined ? found.slice(-most) : found.slice(0, most);
	return { status: 200, body: page.map((each) => shop.show(each)) };
}

export function read(request: RestRequest, room: RestRoom): Answer {
	return { status: 200, body: room.simulator.shop.show(entitlementOf(request, room)) };
}

export function consume(request: RestRequest, room: RestRoom): Answer {
	const entitlement = entitlementOf(request, room);
	if (entitlement.isDeleted) throw faults.unknownEntitlement();
	room.simulator.shop.consume(entitlement);
	return { status: 204 };
}

export function createTest(request: RestRequest, room: RestRoom): Answer {
	checkApplication(request, room);
	const { shop, servers, people } = room.simulator;
	const { sku_id: skuId, owner_id: ownerId, owner_type: ownerType } = request.body as CreateBody;
	const isGuild = ownerType === EntitlementOwnerType.Guild;
	const userId = isGuild ? servers.find(ownerId)?.memberIds[0] : people.find(ownerId)?.id;
	if (userId === undefined) throw isGuild ? faults.unknownGuild() : faults.unknownUser();
	const guildId = isGuild ? ownerId : null;
	const given = shop.buy({ skuId, userId, guildId, isTest: true });
	const kept = given ?? shop.heldBy(userId, guildId).find((each) => each.skuId === skuId);
	if (!kept) throw faults.unknownEntitlement();
	return { status: 200, body: shop.show(kept) };
}

export function removeTest(request: RestRequest, room: RestRoom): Answer {
	const entitlement = entitlementOf(request, room);
	if (!entitlement.isTest) throw faults.unknownEntitlement();
	room.simulator.shop.takeBack(entitlement);
	return { status: 204 };
}

interface CreateBody {
	readonly sku_id: string;
	readonly owner_id: string;
	readonly owner_type: EntitlementOwnerType;
}
