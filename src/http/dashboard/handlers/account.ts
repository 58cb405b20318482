/** Reads the limits and the data of the reader, and deletes their data. */
import type { Handlers } from "../api-request.ts";

/** A page can download more than a message of Discord can hold. */
const EXPORT_BYTES_MAX = 50 * 1024 * 1024;

export const accountHandlers = {
	async ownAccount({ params: { server }, reader: { userId, roleIds } }, { accounts }) {
		const { balance, memberLimit, mediaLimits } = await accounts.readBalance({ guildId: server, userId, roleIds });
		return {
			limit: memberLimit ?? null,
			media: [...mediaLimits].map(([mediaType, limit]) => ({ ...limit, mediaType })),
			serverAvailableCredits: balance.availableCredits,
		};
	},

	exportOwnData: async ({ params: { server }, reader: { userId } }, { privacyService }) =>
		(await privacyService.exportData({ guildId: server, userId }, EXPORT_BYTES_MAX)).text,

	async deleteOwnData({ params: { server }, reader: { userId, logger } }, { privacyService }) {
		const { removed, open } = await privacyService.remove({ guildId: server, userId });
		logger.info({ userId, removed, open }, "tasks of member removed");
		return { removed, open };
	},
} satisfies Partial<Handlers>;
