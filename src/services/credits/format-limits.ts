/** Formats a server's limits with their current use. */
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { shortList, toTimestampS } from "../../i18n/message-param-values.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { byMember } from "../access/change-author.ts";
import { periodAt } from "../period.ts";
import { type GuildSettings, storedSettingsSchema } from "../settings/guild-settings.ts";
import type { GuildAccounts, GuildBalance } from "./guild-accounts.ts";
import type { Spending } from "./period-spending.ts";

const DEFAULT_PERIOD = storedSettingsSchema.parse({}).allowance.per;

/** The number of roles and of members whose own limits are named, so that the text fits a message. A file names all. */
const EXCEPTIONS_SHOWN = 6;

/** The limits that have a line of their own, in the order of the reply. */
export const LIMIT_FIELDS = ["unused", "serverLimit", "memberLimit", "mediaLimits", "timeZone", "warnings"] as const;
export type LimitField = (typeof LIMIT_FIELDS)[number];

interface FormattedLimits {
	readonly balance: string;
	/** `unused` is absent without monthly credits. */
	readonly fields: Readonly<Partial<Record<LimitField, string>>>;
	/** The lines with the limits of roles and members. */
	readonly exceptions: readonly string[];
	/** The text of a file with all of these limits; `undefined` if the lines name them all. */
	readonly file: string | undefined;
}

/** The server's balance, and its charges in the current period of the members' limits. */
interface LimitUse {
	readonly guildBalance: GuildBalance;
	readonly spentCredits: Spending["spentCredits"];
}

export async function readLimitUse(
	accounts: Pick<GuildAccounts, "readBalance" | "readSpending">,
	guildId: string,
	{ allowance, timeZone }: GuildSettings,
	nowMs: number,
): Promise<LimitUse> {
	// The server's balance is the same for every member: no member has the id 0.
	const guildBalance = await accounts.readBalance({ guildId, userId: "0", roleIds: [] });
	const { spentCredits } = await accounts.readSpending(guildId, periodAt(nowMs, allowance.per, timeZone).startsAtMs);
	return { guildBalance, spentCredits };
}

export function formatLimits(
	settings: GuildSettings,
	{ guildBalance, spentCredits }: LimitUse,
	locale: string,
): FormattedLimits {
	const { allowance, timeZone, warnChannelId } = settings;
	const { balance, serverLimit } = guildBalance;
	const text = (...lines: readonly MessageDescriptor[]): string => lines.map((line) => t(locale, line)).join("\n");
	const { availableCredits, heldCredits } = balance;
	const roles = Object.entries(allowance.roles).map(([roleId, limitCredits]): MessageDescriptor => ({
		key: "quota.role",
		params: { roleId, limitCredits },
	}));
	const members = Object.entries(allowance.members).map(([userId, limitCredits]): MessageDescriptor => {
		if (limitCredits === null) return { key: "quota.member", params: { userId, limitCredits } };
		const usedCredits = spentCredits({ by: byMember(userId) });
		return { key: "quota.memberUsed", params: { userId, limitCredits, usedCredits } };
	});
	const isShortened = Math.max(roles.length, members.length) > EXCEPTIONS_SHOWN;
	const exceptions: readonly MessageDescriptor[] = [
		...(roles.length > 0
			? [{ key: "quota.roles", params: { roles: shortList(roles, EXCEPTIONS_SHOWN) } } as const]
			: []),
		...(members.length > 0
			? [{ key: "quota.members", params: { members: shortList(members, EXCEPTIONS_SHOWN) } } as const]
			: []),
		...(isShortened ? [{ key: "quota.fileNote" } as const] : []),
	];
	const monthly = monthlyLine(guildBalance, settings);
	return {
		balance: text({ key: "credits.balance", params: { availableCredits, heldCredits } }),
		fields: {
			...(monthly && { unused: text(monthly) }),
			serverLimit: text(
				serverLimit
					? {
							key: "quota.serverUsed",
							params: {
								limitCredits: serverLimit.credits,
								usedCredits: serverLimit.usedCredits,
								per: serverLimit.per,
								resetsAtS: toTimestampS(serverLimit.resetsAtMs),
							},
						}
					: { key: "quota.serverUnlimited" },
			),
			memberLimit: text(memberLimitLine(settings)),
			mediaLimits: text(...mediaLines(settings)),
			timeZone: text({ key: "quota.timeZone", params: { timeZone } }),
			warnings: text(
				warnChannelId === null
					? { key: "quota.warningsOff" }
					: { key: "quota.warnings", params: { channelId: warnChannelId } },
			),
		},
		exceptions: exceptions.map((line) => text(line)),
		file: isShortened
			? [...fileLines("quota.fileRoles", roles, locale), ...fileLines("quota.fileMembers", members, locale)].join("\n")
			: undefined,
	};
}

/** Returns the lines of a file: ids without Discord's markup, below a heading. */
function fileLines(
	heading: "quota.fileRoles" | "quota.fileMembers",
	limits: readonly MessageDescriptor[],
	locale: string,
): readonly string[] {
	if (limits.length === 0) return [];
	const lines = limits.map((limit) => t(locale, limit).replaceAll(/<@&?(\d+)>/g, "$1"));
	return [t(locale, { key: heading }), ...lines, ""];
}

/** Says what happens to unused monthly credits; `undefined` without monthly credits. */
function monthlyLine(
	{ balance, monthlyCredits, refillsAtMs }: GuildBalance,
	{ unusedCredits }: GuildSettings,
): MessageDescriptor | undefined {
	if (refillsAtMs === null) return undefined;
	// Credits granted with an expiry keep it after the setting changes.
	const stillExpire = balance.expiring.some(({ expiresAtMs }) => expiresAtMs === refillsAtMs);
	const isCarriedOverLater = unusedCredits === "carryOver" && stillExpire;
	const variant = isCarriedOverLater ? "carryOverLater" : unusedCredits;
	const params = { monthlyCredits, refillsAtS: toTimestampS(refillsAtMs), unusedCredits: variant } as const;
	return { key: "quota.monthly", params };
}

/** Without a limit for all members, names the period only if another limit has it or an admin set it. */
export function memberLimitLine({ allowance }: GuildSettings): MessageDescriptor {
	const { everyone, per, roles, members, media } = allowance;
	const hasOtherLimit = [roles, members, media].some((limits) => Object.values(limits).some((limit) => limit !== null));
	if (everyone === null && !hasOtherLimit && per === DEFAULT_PERIOD) return { key: "quota.everyoneUnlimited" };
	return { key: "quota.everyone", params: { limitCredits: everyone, per } };
}

/** The limit of the server, without its use. */
export function serverLimitLine({ serverLimit }: GuildSettings): MessageDescriptor {
	if (!serverLimit) return { key: "quota.serverUnlimited" };
	return { key: "quota.server", params: { limitCredits: serverLimit.credits, per: serverLimit.per } };
}

/** All limits, without their use. */
export function limitLines(settings: GuildSettings): readonly MessageDescriptor[] {
	return [memberLimitLine(settings), serverLimitLine(settings), ...mediaLines(settings)];
}

/** The limits of each media type; one line without any. */
function mediaLines({ allowance }: GuildSettings): readonly MessageDescriptor[] {
	const lines = MEDIA_TYPES.flatMap((mediaType): readonly MessageDescriptor[] => {
		const limitCredits = allowance.media[mediaType];
		return limitCredits === undefined
			? []
			: [{ key: "quota.mediaType", params: { mediaType, limitCredits, per: allowance.per } }];
	});
	return lines.length === 0 ? [{ key: "quota.mediaUnlimited" }] : lines;
}
