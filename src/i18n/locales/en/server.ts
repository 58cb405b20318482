/** How a server wants things, and what it used. */
import type { MediaType } from "@atelier/media-protocol/model";
import type { Period } from "../../params.ts";
import type { LimitShown } from "../../params.ts";
import { MEDIA, andMore, command, credits, number, option, orUnlimited, results, when } from "./words.ts";

export const serverTexts = {
	settingsMonthly: (p: {
		monthlyCredits: number;
		refillsAtS: number;
		/** `carryOverLater`: chosen in this month, whose credits were given with an end. */
		unusedCredits: "expire" | "carryOver" | "carryOverLater";
	}) =>
		`**Each month** it gets ${credits(p.monthlyCredits)}; the next come ${when(p.refillsAtS)}, and unused ones ${{ expire: "expire then", carryOver: "carry over", carryOverLater: "of this month still expire then; later ones carry over" }[p.unusedCredits]}.`,
	settingsServer: (p: LimitShown & { usedCredits: number }) =>
		`**The whole server** may use ${credits(p.limitCredits)} a ${p.per}; ${number(p.usedCredits)} used, and it starts again ${when(p.resetsAtS)}.`,
	settingsServerLimit: (p: { limitCredits: number; per: Period }) =>
		`**The whole server** may use ${credits(p.limitCredits)} a ${p.per}.`,
	settingsServerUnlimited: "**The whole server** may use all that it has.",
	settingsEveryone: (p: { limitCredits: number | null; per: Period }) =>
		p.limitCredits === null
			? `**Each member** may use as much as there is; limits for roles and members count by the ${p.per}.`
			: `**Each member** may use ${credits(p.limitCredits)} a ${p.per}.`,
	settingsRoles: (p: { roles: string; more: number }) =>
		`**Roles**, of which the highest counts: ${p.roles}${andMore(p.more)}.`,
	settingsRole: (p: { roleId: string; limitCredits: number | null }) =>
		`<@&${p.roleId}> ${orUnlimited(p.limitCredits)}`,
	settingsMembers: (p: { members: string; more: number }) =>
		`**Members**, instead of all that: ${p.members}${andMore(p.more)}.`,
	settingsMember: (p: { userId: string; limitCredits: number | null; usedCredits: number | null }) =>
		`<@${p.userId}> ${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : ` (${number(p.usedCredits)} used)`}`,
	settingsMedium: (p: { mediaType: MediaType; limitCredits: number; per: Period }) =>
		`**For ${MEDIA[p.mediaType]}** each member may use ${credits(p.limitCredits)} a ${p.per}.`,
	settingsTimeZone: (p: { timeZone: string }) => `**Days, weeks and months** begin in the time zone ${p.timeZone}.`,
	settingsWarn: (p: { channelId: string }) =>
		`**Warnings**, when 80 % and 100 % of a month's credits are gone, go to <#${p.channelId}>.`,
	settingsWarnNobody: `**Warnings** go nowhere; ${command("quota", "server")} with ${option("warn_channel")} says where.`,
	settingsRest: "-# The file has all roles and members.",
	settingsFileRoles: "Roles, of which the highest counts",
	settingsFileMembers: "Members, instead of all that",
	settingsFileLine: (p: { id: string; limitCredits: number | null; usedCredits: number | null }) =>
		`${p.id}\t${orUnlimited(p.limitCredits)}${p.usedCredits === null ? "" : `\t${number(p.usedCredits)} used`}`,
	settingsChanged: (p: { settings: string }) => `Changed. Now:\n${p.settings}`,

	// Usage.
	usageHead: (p: { days: number; totalCredits: number; results: number }) =>
		`**The last ${p.days} days**: ${credits(p.totalCredits)} for ${results(p.results)}${p.totalCredits < p.days ? "" : `, ${number(Math.round(p.totalCredits / p.days))} a day`}.`,
	usageNothing: (p: { days: number }) => `In the last ${p.days} days nobody used any credits here.`,
	usageNothingSince: (p: { fromS: number }) =>
		`Nobody has used any credits here since <t:${p.fromS}:f>. What was before that is more than one report reads.`,
	usageMembers: (p: { uses: string; more: number }) => `**Members**: ${p.uses}${andMore(p.more)}`,
	usageModels: (p: { uses: string; more: number }) => `**Models**: ${p.uses}${andMore(p.more)}`,
	usageMedia: (p: { uses: string }) => `**Media**: ${p.uses}`,
	usageMember: (p: { userId: string; credits: number; results: number }) =>
		`<@${p.userId}> ${number(p.credits)} (${results(p.results)})`,
	usageModel: (p: { model: string; credits: number; results: number }) =>
		`${p.model} ${number(p.credits)} (${results(p.results)})`,
	usageMedium: (p: { mediaType: MediaType; credits: number; results: number }) =>
		`${MEDIA[p.mediaType]} ${number(p.credits)} (${results(p.results)})`,
	usageCompleteFrom: (p: { fromS: number }) =>
		`-# There is more in this time than one report reads: it is complete from <t:${p.fromS}:f> on.`,
	chartTitle: "Credits per day",
	chartMedium: (p: { mediaType: MediaType }) => ({ image: "Pictures", video: "Videos", music: "Music" })[p.mediaType],
	chartDescription: (p: { days: number; totalCredits: number; mostCredits: number; mostDate: string }) =>
		`Bar chart of the credits used on each of the last ${p.days} days, by medium: ${number(p.totalCredits)} in all, most on ${p.mostDate} with ${number(p.mostCredits)}.`,
} as const;
