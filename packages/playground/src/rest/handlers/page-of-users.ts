import type { APIUser } from "discord-api-types/v10";
import { compareSnowflakes } from "../../simulator/discord-values.ts";
import { integerParam, snowflakeParam } from "../read-request.ts";
import type { RestRequest } from "../route.ts";

const LISTED_MAX = 100;
const LISTED_DEFAULT = 25;

/** Returns the users of a reaction or of an answer in the order of their ids, after `after` and at most `limit`. */
export function pageOfUsers({ query, simulator: { members } }: RestRequest, userIds: readonly string[]): APIUser[] {
	const after = snowflakeParam(query, "after") ?? 0n;
	const usersMax = integerParam(query, "limit", { min: 1, max: LISTED_MAX }) ?? LISTED_DEFAULT;
	return userIds
		.filter((id) => BigInt(id) > after)
		.toSorted(compareSnowflakes)
		.slice(0, usersMax)
		.flatMap((id) => members.userOf(id) ?? []);
}
