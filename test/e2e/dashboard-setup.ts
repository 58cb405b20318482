import { openDashboard } from "./dashboard-client.ts";
import { openAtelierWithMembers } from "./start-atelier.ts";

/** Starts a bot, and opens a session of the owner at the dashboard. The returned `login` opens one of another user. */
export async function openDashboards(options: Parameters<typeof openAtelierWithMembers>[0] = {}) {
	const opened = await openAtelierWithMembers(options);
	const { origin } = opened.atelier;
	const { guild } = await opened.owner.state();
	const ownerId = opened.owner.me.user.id;
	const login = (userId: string) => openDashboard(origin, userId);
	return { ...opened, ...(await login(ownerId)), origin, params: { server: guild.id }, ownerId, login };
}
