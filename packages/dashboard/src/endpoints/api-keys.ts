/** API keys of a server. No key manages keys. */
import * as schemas from "../schemas/api-keys.ts";

export const apiKeyEndpoints = {
	apiKeys: {
		method: "GET",
		path: "/servers/:server/keys",
		access: "manager",
		byKey: false,
		summary: "List the API keys of the server",
		response: schemas.ApiKeys,
	},
	createApiKey: {
		method: "POST",
		path: "/servers/:server/keys",
		access: "manager",
		byKey: false,
		summary: "Create an API key, which is shown once",
		body: schemas.NewApiKey,
		response: schemas.CreatedApiKey,
	},
	revokeApiKey: {
		method: "DELETE",
		path: "/servers/:server/keys/:key",
		access: "manager",
		byKey: false,
		summary: "Revoke an API key at once",
		response: schemas.ApiKeys,
	},
} as const;
