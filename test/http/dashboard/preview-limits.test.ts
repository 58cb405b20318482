import { pino } from "pino";
import { expect, test } from "vitest";
import { ServerSettings } from "@atelier/dashboard/settings-schema";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { openMemoryStore } from "@atelier/store/testing/memory-store";
import type { Reader } from "../../../src/http/dashboard/api-request.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { settingsHandlers } from "../../../src/http/dashboard/handlers/settings.ts";
import { createGuildSettings } from "../../../src/services/settings/guild-settings.ts";

test("a preview of limits reads the roles of 20 members at most, and says how many it does not know", async () => {
	const clock = createManualClock(0);
	const settings = createGuildSettings(openMemoryStore(), { clock });
	const asked: string[] = [];
	const services = {
		clock,
		settings,
		accounts: {
			readSpending: async () => ({
				members: new Set(Array.from({ length: 25 }, (_, at) => `member:${at + 1}`)),
				spentCredits: () => 5,
			}),
		},
		directory: {
			readMember: async (_guildId: string, userId: string) => {
				asked.push(userId);
				return { roleIds: Number(userId) % 2 === 0 ? ["9"] : [] };
			},
		},
	} as unknown as DashboardServices;
	const reader = { actor: "member:7", logger: pino({ level: "silent" }) } as unknown as Reader;
	const { timeZone, allowance } = ServerSettings.parse(await settings.read("1"));
	const preview = (roles: Record<string, number | null>) => {
		const body = { timeZone, allowance: { ...allowance, everyone: 1, roles } };
		return settingsHandlers.previewLimits({ params: { server: "1" }, body, reader }, services);
	};
	expect(await preview({ "9": null })).toEqual({ membersOver: 10, membersUnknown: 5 });
	expect(asked).toHaveLength(20);
	// A role that is too low for everyone needs no roles of members.
	expect(await preview({ "9": 2 })).toEqual({ membersOver: 25, membersUnknown: 0 });
	expect(asked).toHaveLength(20);
});
