/** Members of a server, by id or by name. */
import * as schemas from "../schemas/members.ts";

export const memberEndpoints = {
	memberNames: {
		method: "GET",
		path: "/servers/:server/members",
		access: "moderator",
		summary: "Read the names of members",
		query: schemas.MemberIds,
		response: schemas.Members,
	},
	searchMembers: {
		method: "GET",
		path: "/servers/:server/members/search",
		access: "moderator",
		summary: "Find members by the beginning of their name",
		query: schemas.MemberSearch,
		response: schemas.Members,
	},
} as const;
