import type { APIUser } from "discord-api-types/v10";
import { pageById } from "../read-request.ts";
import type { RestRequest } from "../route.ts";

const LISTED_MAX = 100;
const LISTED_DEFAULT = 25;

/** Returns the users of a reaction or of an answer that the query selects. */
export function pageOfUsers({ query, simulator: { members } }: RestRequest, userIds: readonly string[]): APIUser[] {
	const page = pageById(query, userIds, (id) => id, { limitMax: LISTED_MAX, limitDefault: LISTED_DEFAULT });
	return page.flatMap((id) => members.userOf(id) ?? []);
}
