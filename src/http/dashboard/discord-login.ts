/** Discord's OAuth2 for the dashboard: the code flow with PKCE and state. The access token is revoked after the log-in. */
import { CDN, PermissionFlagsBits } from "discord.js";
import { z } from "zod";
import * as oauth from "oauth4webapi";
import type { Logger } from "pino";
import type { LoginFailure } from "@atelier/dashboard/schemas/session";
import type { Clock } from "@atelier/common/clock";
import type { SessionUser } from "./sessions.ts";

const SCOPE = "identify guilds";
const TIMEOUT_MS = 10_000;
/** Discord limits reads of the servers of a user to about one a second: a second tab waits for that. */
const RETRY_AFTER_S_MAX = 3;
const MANAGER_BITS = PermissionFlagsBits.Administrator | PermissionFlagsBits.ManageGuild;
const MODERATOR_BITS = PermissionFlagsBits.ManageMessages;
const IMAGE_PX = 64;
const cdn = new CDN();

export class LoginError extends Error {
	override readonly name = "LoginError";
	readonly failure: LoginFailure;

	constructor(failure: LoginFailure, options?: ErrorOptions) {
		super(`login failed: ${failure}`, options);
		this.failure = failure;
	}
}

/** The secrets of one attempt, kept in a cookie until Discord redirects back. */
export interface LoginAttempt {
	readonly state: string;
	readonly codeVerifier: string;
}

export interface DiscordLogin {
	/** Returns the address of Discord's consent page. */
	begin(): Promise<{ readonly attempt: LoginAttempt; readonly url: string }>;
	/** Exchanges the code of the redirect for the user and their servers. Throws a `LoginError`. */
	complete(redirected: URL, attempt: LoginAttempt): Promise<SessionUser>;
}

interface DiscordLoginOptions {
	readonly clientId: string;
	readonly clientSecret: string;
	/** Base of the REST API, such as `https://discord.com/api`. */
	readonly apiUrl: string;
	readonly authorizeUrl: string;
	readonly redirectUri: string;
	readonly clock: Clock;
	readonly logger: Logger;
}

const userSchema = z.object({
	id: z.string(),
	username: z.string(),
	global_name: z.string().nullish(),
	avatar: z.string().nullish(),
	locale: z.string().default("en-US"),
});
const guildsSchema = z.array(
	z.object({
		id: z.string(),
		name: z.string(),
		icon: z.string().nullish(),
		owner: z.boolean().default(false),
		permissions: z.string().regex(/^\d+$/),
	}),
);

export function createDiscordLogin(options: DiscordLoginOptions): DiscordLogin {
	const { clientId, clientSecret, apiUrl, authorizeUrl, redirectUri, clock, logger } = options;
	const server: oauth.AuthorizationServer = {
		issuer: new URL(apiUrl).origin,
		authorization_endpoint: authorizeUrl,
		token_endpoint: `${apiUrl}/oauth2/token`,
		revocation_endpoint: `${apiUrl}/oauth2/token/revoke`,
	};
	const client: oauth.Client = { client_id: clientId };
	const authentication = oauth.ClientSecretPost(clientSecret);

	async function exchange(redirected: URL, { state, codeVerifier }: LoginAttempt): Promise<string> {
		const parameters = oauth.validateAuthResponse(server, client, redirected, state);
		const response = await oauth.authorizationCodeGrantRequest(
			server,
			client,
			authentication,
			parameters,
			redirectUri,
			codeVerifier,
			requestOptions(),
		);
		requireAvailable(response);
		return (await oauth.processAuthorizationCodeResponse(server, client, response)).access_token;
	}

	async function read<Schema extends z.ZodType>(token: string, path: string, schema: Schema): Promise<z.infer<Schema>> {
		const get = () =>
			oauth.protectedResourceRequest(token, "GET", new URL(apiUrl + path), undefined, null, requestOptions());
		let response = await get();
		const retryAfterS = Number(response.headers.get("retry-after") ?? Number.POSITIVE_INFINITY);
		if (response.status === 429 && retryAfterS <= RETRY_AFTER_S_MAX) {
			await response.body?.cancel();
			await clock.sleep(retryAfterS * 1000);
			response = await get();
		}
		requireAvailable(response);
		if (!response.ok) throw new Error(`Discord answered ${response.status} to GET ${path}`);
		return schema.parse(await response.json());
	}

	/** The token would expire in a week. A failure leaves it valid until then, unknown to others. */
	async function revoke(token: string): Promise<void> {
		try {
			const response = await oauth.revocationRequest(server, client, authentication, token, requestOptions());
			await response.body?.cancel();
		} catch (error) {
			logger.warn({ err: error }, "access token not revoked");
		}
	}

	return {
		async begin() {
			const attempt = { state: oauth.generateRandomState(), codeVerifier: oauth.generateRandomCodeVerifier() };
			const url = new URL(authorizeUrl);
			const parameters = {
				response_type: "code",
				client_id: clientId,
				scope: SCOPE,
				redirect_uri: redirectUri,
				state: attempt.state,
				code_challenge: await oauth.calculatePKCECodeChallenge(attempt.codeVerifier),
				code_challenge_method: "S256",
			};
			for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
			return { attempt, url: url.href };
		},
		async complete(redirected, attempt) {
			try {
				const token = await exchange(redirected, attempt);
				try {
					const user = await read(token, "/users/@me", userSchema);
					return userOf(user, await read(token, "/users/@me/guilds", guildsSchema));
				} finally {
					await revoke(token);
				}
			} catch (error) {
				throw error instanceof LoginError ? error : new LoginError(failureOf(error), { cause: error });
			}
		},
	};
}

/** Allows HTTP, which the playground serves on this machine. Discord's own address is HTTPS. */
function requestOptions() {
	return { [oauth.allowInsecureRequests]: true, signal: AbortSignal.timeout(TIMEOUT_MS) };
}

function requireAvailable({ status }: Response): void {
	if (status === 429) throw new LoginError("rate_limited");
	if (status >= 500) throw new LoginError("discord_unavailable");
}

function failureOf(error: unknown): LoginFailure {
	if (error instanceof oauth.AuthorizationResponseError)
		return error.error === "access_denied" ? "canceled" : "unexpected";
	// `fetch` failed, or the timeout passed.
	if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError"))
		return "discord_unavailable";
	if (error instanceof oauth.OperationProcessingError && error.code === oauth.INVALID_RESPONSE) return "state";
	return "unexpected";
}

function userOf(
	{ id, username, global_name: displayName, avatar, locale }: z.infer<typeof userSchema>,
	guilds: z.infer<typeof guildsSchema>,
): SessionUser {
	return {
		user: {
			id,
			name: displayName ?? username,
			avatarUrl: avatar ? cdn.avatar(id, avatar, { size: IMAGE_PX }) : null,
		},
		locale,
		servers: guilds.map((guild) => ({
			id: guild.id,
			name: guild.name,
			iconUrl: guild.icon ? cdn.icon(guild.id, guild.icon, { size: IMAGE_PX }) : null,
			access: accessOf(guild.owner, BigInt(guild.permissions)),
		})),
	};
}

function accessOf(isOwner: boolean, permissions: bigint): SessionUser["servers"][number]["access"] {
	if (isOwner || (permissions & MANAGER_BITS) !== 0n) return "manager";
	return (permissions & MODERATOR_BITS) !== 0n ? "moderator" : "member";
}
