/** Log-in and log-out: the redirects to Discord and back, and the cookies. */
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { LoginFailure } from "@atelier/dashboard/schemas/session";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { DASHBOARD_PATH, pagePath } from "./dashboard-paths.ts";
import { LoginError, type DiscordLogin, type LoginAttempt } from "./discord-login.ts";
import { SESSION_MS, type Sessions } from "./sessions.ts";

/** The time for Discord's consent page. */
const LOGIN_MS_MAX = 10 * 60_000;

interface LoginRoutesDeps {
	readonly login: () => DiscordLogin | undefined;
	readonly sessions: Sessions;
	readonly cookies: SessionCookies;
	/** The public origin. Cookies and the redirect address belong to it. */
	readonly origin: () => string;
	readonly logger: Logger;
}

interface CookieAttempt extends LoginAttempt {
	/** The path of the page to which the browser returns after the log-in. */
	readonly to: string;
}

export type SessionCookies = ReturnType<typeof createSessionCookies>;

/** Reads and writes the cookies. `__Host-` cookies need HTTPS, which a bot on this machine does not have. */
export function createSessionCookies({ isSecure }: { readonly isSecure: () => boolean }) {
	const nameOf = (name: string): string => (isSecure() ? `__Host-${name}` : name);
	const options = (): CookieSerializeOptions => ({
		path: "/",
		httpOnly: true,
		sameSite: "lax",
		secure: isSecure(),
	});
	const sessionName = (): string => nameOf("atelier-session");
	const attemptName = (): string => nameOf("atelier-login");
	return {
		readSessionId: ({ cookies }: FastifyRequest) => cookies[sessionName()],
		setSessionId: (reply: FastifyReply, id: string) =>
			void reply.setCookie(sessionName(), id, { ...options(), maxAge: SESSION_MS / 1000 }),
		clearSessionId: (reply: FastifyReply) => void reply.clearCookie(sessionName(), options()),
		readAttempt({ cookies }: FastifyRequest): CookieAttempt | undefined {
			const [state, codeVerifier, to] = (cookies[attemptName()] ?? "").split(".");
			if (!state || !codeVerifier || !to) return undefined;
			return { state, codeVerifier, to: Buffer.from(to, "base64url").toString() };
		},
		setAttempt(reply: FastifyReply, { state, codeVerifier, to }: CookieAttempt) {
			const value = [state, codeVerifier, Buffer.from(to).toString("base64url")].join(".");
			void reply.setCookie(attemptName(), value, { ...options(), maxAge: LOGIN_MS_MAX / 1000 });
		},
		clearAttempt: (reply: FastifyReply) => void reply.clearCookie(attemptName(), options()),
	};
}

export function registerLoginRoutes(scope: FastifyInstance, deps: LoginRoutesDeps): void {
	const { login, sessions, cookies, origin, logger } = deps;

	// People open these addresses: the page shows them what failed.
	scope.setErrorHandler<FastifyError>(async (error, request, reply) => {
		const isTooMany = error.statusCode === 429;
		if (!isTooMany) logger.error({ err: error }, "login failed");
		const { to } = request.query as { readonly to?: string };
		const page = to ?? cookies.readAttempt(request)?.to;
		return await reply.redirect(failed(isTooMany ? "rate_limited" : "unexpected", page), 302);
	});

	scope.get<{ Querystring: { to?: string; moved?: string } }>("/login", async (request, reply) => {
		const to = pagePath(request.query.to);
		// Cookies of `localhost` are unknown at `127.0.0.1`, where Discord redirects to. A proxy that changes Host would cause a loop.
		if (request.host !== new URL(origin()).host && request.query.moved === undefined) {
			const query = new URLSearchParams({ to, moved: "" });
			return await reply.redirect(`${origin()}${DASHBOARD_PATH}/login?${query.toString()}`);
		}
		const discord = login();
		if (!discord) return await reply.redirect(failed("discord_unavailable", to));
		const { attempt, url } = await discord.begin();
		cookies.setAttempt(reply, { ...attempt, to });
		return await reply.redirect(url);
	});

	scope.get("/callback", async (request, reply) => {
		const attempt = cookies.readAttempt(request);
		const redirected = new URL(request.url, origin());
		const state = redirected.searchParams.get("state") ?? "";
		const discord = login();
		// A redirect that this browser did not ask for would log it in as another user.
		if (!attempt || !discord || !isSameSecret(state, attempt.state))
			return await reply.redirect(failed("state", attempt?.to));
		// Otherwise the attempt is one of another tab, which can still succeed.
		cookies.clearAttempt(reply);
		try {
			const user = await discord.complete(redirected, attempt);
			const before = cookies.readSessionId(request);
			if (before !== undefined) await sessions.end(before);
			cookies.setSessionId(reply, await sessions.begin(user));
			logger.info({ userId: user.user.id }, "user logged in");
			return await reply.redirect(pagePath(attempt.to));
		} catch (error) {
			if (!(error instanceof LoginError)) throw error;
			if (error.failure !== "canceled") logger.warn({ err: error, failure: error.failure }, "login failed");
			return await reply.redirect(failed(error.failure, attempt.to));
		}
	});
}

/** Returns the address of the page, which shows the failure and logs in again. */
function failed(failure: LoginFailure, to: string | undefined): string {
	const url = new URL(pagePath(to), "http://dashboard");
	url.searchParams.set("error", failure);
	return url.pathname + url.search;
}
