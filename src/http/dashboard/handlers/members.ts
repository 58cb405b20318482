import type { Handlers } from "../api-request.ts";

/** As many as a list below a field can show. */
const FOUND_MAX = 10;

export const memberHandlers: Handlers<"memberNames" | "searchMembers"> = {
	async memberNames({ params: { server }, query: { ids } }, { directory }) {
		const wanted = [...new Set(ids.split(","))];
		const members = await Promise.all(
			wanted.map(async (id) => {
				const member = await directory.readMember(server, id);
				return { id, name: member?.name ?? id, avatarUrl: member?.avatarUrl ?? null };
			}),
		);
		return { members };
	},

	async searchMembers({ params: { server }, query: { name } }, { directory }) {
		const found = await directory.searchMembers(server, name, FOUND_MAX);
		return {
			members: found.map(({ userId, ...member }) => ({ id: userId, name: member.name, avatarUrl: member.avatarUrl })),
		};
	},
};
