import { expect, test } from "vitest";
import { listServers } from "../../../src/http/dashboard/list-servers.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { DirectoryUnavailableError } from "../../../src/services/access/guild-directory.ts";

const server = (id: string, access: "manager" | "member") => ({ id, name: `Server ${id}`, iconUrl: null, access });

test("servers are listed with the present access, without those that the bot or the user left or that never used it", async () => {
	const permissions = { isAdministrator: false, isModerator: true };
	const access: Record<string, () => unknown> = {
		promoted: () => ({ roleIds: [], permissions: { ...permissions, isManager: true } }),
		demoted: () => ({ roleIds: [], permissions: { ...permissions, isManager: false } }),
		left: () => undefined,
		down: () => {
			throw new DirectoryUnavailableError({});
		},
	};
	const services = {
		directory: { readAccess: async (guildId: string) => access[guildId]?.() },
		ledger: { history: async (account: string) => (account === "guild:unused" ? [] : [{}]) },
	} as unknown as DashboardServices;
	const servers = [
		server("demoted", "manager"),
		server("left", "manager"),
		server("down", "manager"),
		server("promoted", "member"),
		server("unused", "member"),
	];
	const user = { id: "7", name: "Ada", avatarUrl: null };
	const listed = await listServers({ user, servers }, services);
	expect(listed.map(({ id, access: present }) => [id, present])).toEqual([
		["down", "manager"],
		["promoted", "manager"],
		["demoted", "moderator"],
	]);
});
