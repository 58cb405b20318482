/** Reads the limits and the data of the caller, and deletes their data. */
import type { Handlers } from "../api-request.ts";

/** A page can download more than a message of Discord can hold. */
const EXPORT_BYTES_MAX = 50 * 1024 * 1024;

export const accountHandlers = {
	async ownAccount({ params: { server }, caller: { userId, roleIds } }, { accounts }) {
		const member = { guildId: server, userId, roleIds };
		const { balance, memberLimit, mediaLimits, serverLimit } = await accounts.readBalance(member);
		return {
			limit: memberLimit ?? null,
			media: [...mediaLimits].map(([mediaType, limit]) => ({ ...limit, mediaType })),
			serverLimit: serverLimit ?? null,
			serverAvailableCredits: balance.availableCredits,
		};
	},

	exportOwnData: async ({ params: { server }, caller: { userId } }, { privacyService }) =>
		(await privacyService.exportData({ guildId: server, userId }, EXPORT_BYTES_MAX)).text,

	async deleteOwnData({ params: { server }, caller: { userId, logger } }, { privacyService }) {
		const { removed, open: unfinishedJobs } = await privacyService.remove({ guildId: server, userId });
		logger.info({ userId, removed, unfinishedJobs }, "tasks of member removed");
		return { removed, unfinishedJobs };
	},
} satisfies Partial<Handlers>;
