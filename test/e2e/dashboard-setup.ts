import { openDashboard } from "./dashboard-client.ts";
import { openAtelierWithMembers } from "./members.ts";

/** Opens user clients. The returned `login` opens a session of a user at the dashboard. */
export async function openDashboards(options: Parameters<typeof openAtelierWithMembers>[0] = {}) {
	const opened = await openAtelierWithMembers(options);
	const { origin } = opened.atelier;
	const { guild } = await opened.owner.state();
	const ownerId = opened.owner.me.user.id;
	const login = (userId: string) => openDashboard(origin, userId);
	return { ...opened, origin, params: { server: guild.id }, ownerId, login };
}
