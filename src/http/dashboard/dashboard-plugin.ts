/** The dashboard below `/dashboard`: the page, the log-in with Discord, and the API. */
import { isIP } from "node:net";
import fastifyCookie from "@fastify/cookie";
import fastifyRateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { WEB_FOLDER } from "@atelier/dashboard/web-folder";
import { isPublicAddress } from "@atelier/common/public-address";
import { serveWebFiles } from "@atelier/common/serve-web-files";
import { registerApi } from "./api-plugin.ts";
import { serverOf } from "./api-request.ts";
import { bearerOf } from "./authorize-key.ts";
import { DASHBOARD_PATH } from "./dashboard-paths.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import type { DiscordLogin } from "./discord-login.ts";
import { createSessionCookies, registerLoginRoutes } from "./login-routes.ts";
import type { Sessions } from "./sessions.ts";

/** Of one address. */
const LOGINS_PER_MINUTE = 60;
/** Of one caller. */
const REQUESTS_PER_MINUTE = 600;
/** A visitor may use every address of such an IPv6 network. */
const IPV6_NETWORK_BITS = 64;
/** Each request with a key asks Discord whether the bot is in the server. */
const KEY_REQUESTS_PER_MINUTE = 120;
const KEY_REQUESTER = "key:";
/** Of all users and keys of one server: a server may have many of both. */
const COSTLY_REQUESTS_PER_MINUTE = 60;

/** Discord's hosts of avatars and files. */
const FILE_HOSTS = "https://cdn.discordapp.com https://media.discordapp.net";
/** The page loads scripts and styles from its own origin only, and images and media also from Discord. No site may frame it. */
const PAGE_POLICY =
	`default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' ${FILE_HOSTS}; media-src 'self' ${FILE_HOSTS}; ` +
	"connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function limitOf(requester: string): number {
	return requester.startsWith(KEY_REQUESTER) ? KEY_REQUESTS_PER_MINUTE : REQUESTS_PER_MINUTE;
}

/** One proxy, on this machine or in its network, appends the address of its client. Others could write any address. */
function clientAddressOf({ ip, headers }: FastifyRequest): string {
	const forwarded =
		String(headers["x-forwarded-for"] ?? "")
			.split(",")
			.at(-1)
			?.trim() ?? "";
	const address = isPublicAddress(ip) || isIP(forwarded) === 0 ? ip : forwarded;
	return normalizeIP(address, IPV6_NETWORK_BITS);
}

/** Readers behind one router have one address. An unknown key counts for the address. */
function requesterOf(request: FastifyRequest): string {
	const { apiKey, readerSession } = request;
	return apiKey ? KEY_REQUESTER + apiKey.id : (readerSession?.user.id ?? clientAddressOf(request));
}

export interface DashboardDeps {
	/** `undefined` until the bot runs. */
	readonly services: () => DashboardServices | undefined;
	/** `undefined` until the bot has logged in to Discord. */
	readonly login: () => DiscordLogin | undefined;
	readonly sessions: Sessions;
	/** The public origin. */
	readonly origin: () => string;
	readonly logger: Logger;
	/** Replaces the limit of each caller and each key, for tests. */
	readonly requestsPerMinute?: number | undefined;
}

export async function registerDashboard(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
	const { sessions, origin, requestsPerMinute } = deps;
	const cookies = createSessionCookies({ isSecure: () => origin().startsWith("https:") });

	async function identify(request: FastifyRequest): Promise<void> {
		const key = bearerOf(request);
		if (key === undefined) {
			const sessionId = cookies.readSessionId(request);
			if (sessionId !== undefined) request.readerSession = await sessions.read(sessionId);
			return;
		}
		const server = serverOf(request);
		if (server !== undefined) request.apiKey = await deps.services()?.apiKeys.match(server, key);
	}

	await app.register(
		async (scope) => {
			await scope.register(fastifyCookie);
			await scope.register(async (login) => {
				await login.register(fastifyRateLimit, {
					max: LOGINS_PER_MINUTE,
					timeWindow: "1 minute",
					keyGenerator: clientAddressOf,
				});
				registerLoginRoutes(login, { ...deps, cookies });
			});
			await scope.register(
				async (api) => {
					api.addHook("onRequest", identify);
					await api.register(fastifyRateLimit, {
						max: (_request, requester) => requestsPerMinute ?? limitOf(requester),
						timeWindow: "1 minute",
						keyGenerator: requesterOf,
					});
					const countCostly = api.createRateLimit({
						max: requestsPerMinute ?? COSTLY_REQUESTS_PER_MINUTE,
						timeWindow: "1 minute",
						keyGenerator: (request) => `server:${serverOf(request) ?? ""}`,
					});
					const isServerBusy = async (request: FastifyRequest): Promise<boolean> => {
						const count = await countCostly(request);
						return !count.isAllowed && count.isExceeded;
					};
					registerApi(api, { ...deps, cookies, isServerBusy });
				},
				{ prefix: "/api" },
			);
			await scope.register(async (page) => {
				page.addHook("onRequest", async (_request, reply) => void reply.header("content-security-policy", PAGE_POLICY));
				await serveWebFiles(page, WEB_FOLDER, { pages: ["/servers/*", "/operator/*"] });
			});
		},
		{ prefix: DASHBOARD_PATH },
	);
}
