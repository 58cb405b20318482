import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createLedger } from "@atelier/ledger/create-ledger";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { t } from "../../../src/i18n/messages.ts";
import { byMember } from "../../../src/services/access/change-author.ts";
import { createGuildAccounts, guildAccount, type GuildBalance } from "../../../src/services/credits/guild-accounts.ts";
import { formatLimits, memberLimitLine, readLimitUse } from "../../../src/services/credits/format-limits.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { createSettingsStore } from "../../../src/services/settings/settings-store.ts";

const withAllowance = (allowance: object) => storedSettingsSchema.parse({ allowance });
const guildBalance = { balance: { availableCredits: 5, heldCredits: 0, expiring: [] }, refillsAtMs: null } as unknown;

test("a file lists every role and member if the message cannot", () => {
	const roles = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`3${n}`, n]));
	const settings = withAllowance({ roles, members: { "8": 5, "9": null } });
	const use = { guildBalance: guildBalance as GuildBalance, spentCredits: () => 3 };
	const { exceptions, file } = formatLimits(settings, use, "en");
	expect(exceptions).toStrictEqual([
		expect.stringMatching(/^\*\*Role limits\*\*.*, and 3 more$/),
		expect.stringContaining("<@8> 3 of 5 used"),
		"-# The file lists all roles and members.",
	]);
	expect(file?.split("\n")).toStrictEqual([
		"Role limits (the highest applies)",
		...Array.from({ length: 9 }, (_, n) => `3${n} ${n}`),
		"",
		"Member exceptions",
		"8 3 of 5 used",
		"9 no limit",
		"",
	]);
	expect(formatLimits(withAllowance({ members: { "8": 5 } }), use, "en").file).toBeUndefined();
});

test("the used credits of members are charges without holds, and are read once for all members", async () => {
	const store = await openStore("memory:");
	let readCount = 0;
	const countedStore: Store = {
		...store,
		get: (key) => {
			readCount++;
			return store.get(key);
		},
	};
	const clock = createManualClock();
	const ledger = createLedger({ store: countedStore, clock });
	const account = guildAccount("1");
	const note = { by: byMember("8"), reason: "test" };
	await ledger.grant(account, "start", 20, note);
	await ledger.reserve(account, "charged", 5, note);
	await ledger.reserve(account, "open", 4, note);
	await ledger.post(account, "charged", 3, note);
	const settings = createSettingsStore(countedStore, { clock });
	const readUse = async (memberIds: readonly string[]) => {
		const accounts = createGuildAccounts({ store: countedStore, ledger, settings, clock, monthlyCredits: 0 });
		const members = Object.fromEntries(memberIds.map((userId) => [userId, 9]));
		readCount = 0;
		const use = await readLimitUse(accounts, "1", withAllowance({ members }), clock.nowMs());
		return { exceptions: formatLimits(withAllowance({ members }), use, "en").exceptions, readCount };
	};
	const one = await readUse(["8"]);
	expect(one.exceptions).toStrictEqual(["**Member exceptions**: <@8> 3 of 9 used"]);
	const all = await readUse(Array.from({ length: 250 }, (_, n) => `${n + 1}`));
	expect(all.readCount).toBeLessThanOrEqual(one.readCount);
});

const RESETS = "**Member limit**: none · other limits reset every day";

test.each<[string, string, object]>([
	["no other limit", "**Member limit**: none", {}],
	["an unlimited role", "**Member limit**: none", { roles: { "31": null } }],
	["a limit of a role", RESETS, { roles: { "31": 5 } }],
	["a limit of a member", RESETS, { members: { "9": 5 } }],
	["a limit of a media type", RESETS, { media: { video: 5 } }],
	["another period", "**Member limit**: none · other limits reset every week", { per: "week" }],
])("the member limit of a server without one is, with %s: %s", (_case, line, allowance) => {
	expect(t("en", memberLimitLine(withAllowance(allowance)))).toBe(line);
});
