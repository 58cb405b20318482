import { KEY_NAME_CHARS_MAX } from "@atelier/dashboard/limits";
import { plainLine } from "../../../i18n/quote.ts";
import { settingsAuthorOf, type Handlers } from "../api-request.ts";

export const apiKeyHandlers = {
	apiKeys: async ({ params: { server } }, { apiKeys }) => ({ keys: await apiKeys.list(server) }),

	async createApiKey({ params: { server }, body, caller }, { apiKeys }) {
		const { userId, logger } = caller;
		const request = { name: plainLine(body.name, KEY_NAME_CHARS_MAX), byUserId: userId };
		const { key, id } = await apiKeys.create(server, request, settingsAuthorOf(caller));
		logger.info({ userId, apiKeyId: id }, "API key created");
		return { key, keys: await apiKeys.list(server) };
	},

	async revokeApiKey({ params: { server, key }, caller }, { apiKeys }) {
		await apiKeys.revoke(server, key, settingsAuthorOf(caller));
		caller.logger.info({ userId: caller.userId, apiKeyId: key }, "API key revoked");
		return { keys: await apiKeys.list(server) };
	},
} satisfies Partial<Handlers>;
