/** Formats a guild's limits with their current use. */
import { shortList } from "../../i18n/message-parts.ts";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { MessageRef } from "../../i18n/message-ref.ts";
import { t } from "../../i18n/messages.ts";
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

	const lines: MessageRef[] = [{ key: "credits.balance", params: { availableCredits, heldCredits } }];
	if (refillsAtMs !== null) {
		// Credits granted with an expiry keep it after the setting changes.
		const stillExpire = balance.expiring.some(({ expiresAtMs }) => expiresAtMs === refillsAtMs);
		const isLater = unusedCredits === "carryOver" && stillExpire;
		const params = { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs) };
		lines.push({
			key: "quota.monthly",
			params: { ...params, unusedCredits: isLater ? "carryOverLater" : unusedCredits },
		});
	}
	lines.push(
		server
			? {
					key: "quota.serverUsed",
					params: {
						limitCredits: server.credits,
						usedCredits: server.usedCredits,
						per: server.per,
						resetsAtS: toTimestampS(server.resetsAtMs),
					},
				}
			: { key: "quota.serverUnlimited" },
		{ key: "quota.everyone", params: { limitCredits: allowance.everyone, per: allowance.per } },
	);
	const roles = Object.entries(allowance.roles).map(([id, limitCredits]) => ({ id, limitCredits, usedCredits: null }));
	if (roles.length > 0) {
		const named = roles.map(({ id: roleId, limitCredits }): MessageRef => ({
			key: "quota.role",
			params: { roleId, limitCredits },
		}));
		lines.push({ key: "quota.roles", params: { roles: shortList(named, EXCEPTIONS_SHOWN) } });
	}
	const members = await Promise.all(
		Object.entries(allowance.members).map(async ([id, limitCredits]): Promise<Exception> => {
			const { member } = await accounts.readBalance({ guildId, userId: id, roleIds: [] });
			return { id, limitCredits, usedCredits: member?.usedCredits ?? null };
		}),
	);
	if (members.length > 0) {
		lines.push({ key: "quota.members", params: { members: shortList(members.map(memberLimit), EXCEPTIONS_SHOWN) } });
	}
	for (const mediaType of MEDIA_TYPES) {
		const limitCredits = allowance.media[mediaType];
		if (limitCredits === undefined) continue;
		lines.push({ key: "quota.medium", params: { mediaType, limitCredits, per: allowance.per } });
	}
	lines.push({ key: "quota.timeZone", params: { timeZone } });
	lines.push(
		warnChannelId === null
			? { key: "quota.warningsOff" }
			: { key: "quota.warnings", params: { channelId: warnChannelId } },
	);
	const isCut = Math.max(roles.length, members.length) > EXCEPTIONS_SHOWN;
	if (isCut) lines.push({ key: "quota.fileNote" });
	return {
		text: lines.map((line) => words(line)).join("\n"),
		file: isCut ? fileOf({ roles, members }, locale) : undefined,
	};
}

function fileOf(exceptions: Record<"roles" | "members", readonly Exception[]>, locale: string): string {
	const part = (head: MessageRef, some: readonly Exception[]): readonly string[] =>
		some.length === 0 ? [] : [t(locale, head), ...some.map((exception) => t(locale, fileLine(exception))), ""];
	return [
		...part({ key: "quota.fileRoles" }, exceptions.roles),
		...part({ key: "quota.fileMembers" }, exceptions.members),
	].join("\n");
}

function memberLimit({ id: userId, limitCredits, usedCredits }: Exception): MessageRef {
	if (limitCredits === null || usedCredits === null) return { key: "quota.member", params: { userId, limitCredits } };
	return { key: "quota.memberUsed", params: { userId, limitCredits, usedCredits } };
}

function fileLine({ id, limitCredits, usedCredits }: Exception): MessageRef {
	if (limitCredits === null || usedCredits === null) return { key: "quota.fileLine", params: { id, limitCredits } };
	return { key: "quota.fileLineUsed", params: { id, limitCredits, usedCredits } };
}

function stranger(guildId: string) {
	return { guildId, userId: "0", roleIds: [] };
}
