import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { previewLimits } from "../../../src/services/credits/preview-limits.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";

test("a preview of limits reads the roles of 20 members at most, and says how many it does not know", async () => {
	const asked: string[] = [];
	const deps = {
		clock: createManualClock(0),
		accounts: {
			readSpending: async () => ({
				members: new Set(Array.from({ length: 25 }, (_, at) => `member:${at + 1}`)),
				spentCredits: () => 5,
			}),
		},
		directory: {
			readMember: async (_guildId: string, userId: string) => {
				asked.push(userId);
				return { userId, name: userId, avatarUrl: null, roleIds: Number(userId) % 2 === 0 ? ["9"] : [] };
			},
		},
	};
	const preview = (roles: Record<string, number | null>) =>
		previewLimits("1", storedSettings.parse({ allowance: { everyone: 1, roles } }), deps);
	expect(await preview({ "9": null })).toEqual({ membersOver: 10, membersUnknown: 5 });
	expect(asked).toHaveLength(20);
	// A role that is too low for everyone needs no roles of members.
	expect(await preview({ "9": 2 })).toEqual({ membersOver: 25, membersUnknown: 0 });
	expect(asked).toHaveLength(20);
});
