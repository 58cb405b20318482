/** Formats a guild's limits with their current use. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { t, type MessageRef } from "../../i18n/messages.ts";
import { toTimestampS } from "../../i18n/timestamp.ts";
import type { GuildAccounts } from "../credits/guild-accounts.ts";
import type { GuildSettings } from "./guild-settings.ts";

/** The number of exceptions that are named per kind, so that the text fits a message. A file has the rest. */
const EXCEPTIONS_SHOWN = 6;

interface FormattedSettings {
	readonly text: string;
	/** All exceptions, one per line, if the text does not name them all. */
	readonly file: string | undefined;
}

interface Exception {
	readonly id: string;
	readonly limitCredits: number | null;
	/** `null` if the limit has no count of its own. */
	readonly usedCredits: number | null;
}

export async function formatSettings(
	accounts: Pick<GuildAccounts, "readBalance">,
	guildId: string,
	settings: GuildSettings,
	locale: string,
): Promise<FormattedSettings> {
	const { allowance, unusedCredits, timeZone, warnChannelId } = settings;
	// The guild's balance is the same for every member.
	const { balance, monthlyCredits, refillsAtMs, server } = await accounts.readBalance(stranger(guildId));
	const words = (ref: MessageRef): string => t(locale, ref);
	const { availableCredits, heldCredits } = balance;

	const lines: MessageRef[] = [{ key: "creditsBalance", params: { availableCredits, heldCredits } }];
	if (refillsAtMs !== null) {
		// Credits granted with an expiry keep it after the setting changes.
		const stillExpire = balance.expiring.some(({ expiresAtMs }) => expiresAtMs === refillsAtMs);
		const isLater = unusedCredits === "carryOver" && stillExpire;
		const params = { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs) };
		lines.push({
			key: "settingsMonthly",
			params: { ...params, unusedCredits: isLater ? "carryOverLater" : unusedCredits },
		});
	}
	lines.push(
		server
			? {
					key: "settingsServer",
					params: {
						limitCredits: server.credits,
						leftCredits: server.leftCredits,
						usedCredits: server.usedCredits,
						per: server.per,
						resetsAtS: toTimestampS(server.resetsAtMs),
					},
				}
			: { key: "settingsServerUnlimited" },
		{ key: "settingsEveryone", params: { limitCredits: allowance.everyone, per: allowance.per } },
	);
	const roles = Object.entries(allowance.roles).map(([id, limitCredits]) => ({ id, limitCredits, usedCredits: null }));
	if (roles.length > 0) {
		const shown = roles.slice(0, EXCEPTIONS_SHOWN).map(({ id: roleId, limitCredits }) => {
			return words({ key: "settingsRole", params: { roleId, limitCredits } });
		});
		lines.push({ key: "settingsRoles", params: { roles: shown.join(", "), more: roles.length - shown.length } });
	}
	const members = await Promise.all(
		Object.entries(allowance.members).map(async ([id, limitCredits]): Promise<Exception> => {
			const { member } = await accounts.readBalance({ guildId, userId: id, roleIds: [] });
			return { id, limitCredits, usedCredits: member?.usedCredits ?? null };
		}),
	);
	if (members.length > 0) {
		const shown = members.slice(0, EXCEPTIONS_SHOWN).map(({ id: userId, limitCredits, usedCredits }) => {
			return words({ key: "settingsMember", params: { userId, limitCredits, usedCredits } });
		});
		lines.push({ key: "settingsMembers", params: { members: shown.join(", "), more: members.length - shown.length } });
	}
	for (const mediaType of MEDIA_TYPES) {
		const limitCredits = allowance.media[mediaType];
		if (limitCredits === undefined) continue;
		lines.push({ key: "settingsMedium", params: { mediaType, limitCredits, per: allowance.per } });
	}
	lines.push({ key: "settingsTimeZone", params: { timeZone } });
	lines.push(
		warnChannelId === null
			? { key: "settingsWarnNobody" }
			: { key: "settingsWarn", params: { channelId: warnChannelId } },
	);
	const isCut = Math.max(roles.length, members.length) > EXCEPTIONS_SHOWN;
	if (isCut) lines.push({ key: "settingsRest" });
	return {
		text: lines.map((line) => words(line)).join("\n"),
		file: isCut ? fileOf({ roles, members }, locale) : undefined,
	};
}

function fileOf(exceptions: Record<"roles" | "members", readonly Exception[]>, locale: string): string {
	const part = (head: MessageRef, some: readonly Exception[]): readonly string[] =>
		some.length === 0
			? []
			: [t(locale, head), ...some.map((params) => t(locale, { key: "settingsFileLine", params })), ""];
	return [
		...part({ key: "settingsFileRoles" }, exceptions.roles),
		...part({ key: "settingsFileMembers" }, exceptions.members),
	].join("\n");
}

function stranger(guildId: string) {
	return { guildId, userId: "0", roleIds: [] };
}
