import { openDashboard } from "./dashboard-client.ts";
import { openAtelierWithMembers } from "./user-clients.ts";

/** Opens user clients. The returned `login` opens a session of a user at the dashboard. */
export async function openDashboards(options: Parameters<typeof openAtelierWithMembers>[0] = {}) {
	const opened = await openAtelierWithMembers(options);
	const { origin } = opened.atelier;
	const { members, guild } = await opened.owner.state();
	const idOf = (name: string): string => members.find(({ user }) => user.global_name === name)?.user.id ?? "no member";
	const ownerId = opened.owner.me.user.id;
	const login = (userId: string) => openDashboard(origin, userId);
	return { ...opened, origin, params: { server: guild.id }, idOf, ownerId, login };
}
