import { KEY_NAME_CHARS_MAX } from "@atelier/dashboard/limits";
import { plainLine } from "../../../i18n/quote.ts";
import { settingsAuthorOf, type Handlers } from "../api-request.ts";

export const apiKeyHandlers = {
	apiKeys: async ({ params: { server } }, { apiKeys }) => ({ keys: await apiKeys.list(server) }),

	async createApiKey({ params: { server }, body, reader }, { apiKeys }) {
		const { userId, logger } = reader;
		const request = { name: plainLine(body.name, KEY_NAME_CHARS_MAX), byUserId: userId };
		const { key, id } = await apiKeys.create(server, request, settingsAuthorOf(reader));
		logger.info({ userId, apiKeyId: id }, "API key created");
		return { key, keys: await apiKeys.list(server) };
	},

	async revokeApiKey({ params: { server, key }, reader }, { apiKeys }) {
		await apiKeys.revoke(server, key, settingsAuthorOf(reader));
		reader.logger.info({ userId: reader.userId, apiKeyId: key }, "API key revoked");
		return { keys: await apiKeys.list(server) };
	},
} satisfies Partial<Handlers>;
