import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { listServers } from "../../../src/http/dashboard/list-servers.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { DirectoryUnavailableError } from "../../../src/services/access/guild-directory.ts";

const server = (id: string, access: "manager" | "member") => ({ id, name: `Server ${id}`, iconUrl: null, access });

function setup(access: Readonly<Record<string, () => unknown>>) {
	const clock = createManualClock(0);
	const services = {
		clock,
		directory: { readAccess: async (guildId: string) => await access[guildId]?.() },
		ledger: {
			history: async (account: string) => {
				if (account.startsWith("guild:damaged")) throw new CorruptDocumentError(account, undefined);
				return account.startsWith("guild:unused") ? [] : [{}];
			},
		},
	} as unknown as DashboardServices;
	const user = { id: "7", name: "Ada", avatarUrl: null };
	const list = async (servers: readonly ReturnType<typeof server>[]) => {
		const listed = await listServers({ user, servers: [...servers] }, services);
		return { ...listed, servers: listed.servers.map(({ id, access: present }) => [id, present]) };
	};
	return { clock, list };
}

test("servers are listed with the present access, without those that the bot or the user left or that never used it", async () => {
	const permissions = { isAdministrator: false, isModerator: true };
	const access: Record<string, () => unknown> = {
		promoted: () => ({ roleIds: [], permissions: { ...permissions, isManager: true } }),
		demoted: () => ({ roleIds: [], permissions: { ...permissions, isManager: false } }),
		left: () => undefined,
		damaged: () => ({ roleIds: [], permissions: { ...permissions, isManager: true } }),
		down: () => {
			throw new DirectoryUnavailableError({});
		},
	};
	const { list } = setup(access);
	const servers = [
		server("demoted", "manager"),
		server("left", "manager"),
		server("down", "manager"),
		server("promoted", "member"),
		server("unused", "member"),
		// Its account is unreadable, so the bot was used in it.
		server("damaged", "member"),
	];
	expect(await list(servers)).toEqual({
		servers: [
			["damaged", "manager"],
			["down", "manager"],
			["promoted", "manager"],
			["demoted", "moderator"],
		],
		isListIncomplete: false,
	});
});

test("servers that the bot was used in are listed as of the login if Discord does not respond in time; others may be missing", async () => {
	const slow = ["1", "2", "3", "4", "5", "6"];
	const { clock, list } = setup({
		...Object.fromEntries(slow.map((id) => [id, () => new Promise(() => {})])),
		left: () => undefined,
	});
	const listing = list(["left", ...slow, "unused", "unused too"].map((id) => server(id, "manager")));
	await clock.advance(4_000);
	expect(await listing).toEqual({ servers: slow.map((id) => [id, "manager"]), isListIncomplete: true });
});
