/** The API of the dashboard as a Fastify scope: its routes come from the table of endpoints. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { z } from "zod";
import { endpoints, pathSchema, type Endpoint } from "@atelier/dashboard/contract";
import type { Session as SessionDocument } from "@atelier/dashboard/schemas/session";
import { ERROR_STATUS, type ErrorCode } from "@atelier/dashboard/schemas/errors";
import { dashboardPatterns, languageOf } from "../../i18n/languages.ts";
import { t } from "../../i18n/messages.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { CreditChangeUncertainError } from "../../services/credits/credit-service.ts";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import type { MatchedKey } from "../../services/settings/api-keys.ts";
import { DeniedSettingsError } from "../../services/settings/settings-service.ts";
import { UserError } from "../../services/user-error.ts";
import { ApiError } from "./api-error.ts";
import type { HandledEndpoint, Caller } from "./api-request.ts";
import { authorize } from "./authorize.ts";
import { authorizeKey, bearerOf } from "./authorize-key.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import { handlers } from "./handlers/index.ts";
import { listServers } from "./list-servers.ts";
import { openApiDocument } from "./openapi-document.ts";
import type { SessionCookies } from "./login-routes.ts";
import { localeFrom } from "./reader-locale.ts";
import type { Session, Sessions } from "./sessions.ts";

declare module "fastify" {
	interface FastifyRequest {
		/** The session of a request without an API key, as it was when the request began. */
		readerSession?: Session | undefined;
		/** The stored key of a request with a known API key. */
		apiKey?: MatchedKey | undefined;
		/** The authorized caller of an endpoint. */
		caller?: Caller;
	}
}

const INCIDENT_ID_CHARS = 8;
/** Fits a full word filter with a text to test. */
const BODY_BYTES_MAX = 64 * 1024;
const PROBLEMS_LISTED_MAX = 20;
/** Well below the validity of the addresses of files. */
const REDIRECT_MAX_AGE_S = 600;

interface ApiDeps {
	/** `undefined` until the bot runs. */
	readonly services: () => DashboardServices | undefined;
	readonly sessions: Sessions;
	readonly cookies: SessionCookies;
	readonly origin: () => string;
	/** Counts a costly request about the server in its path. Resolves to `true` above the limit. */
	readonly isServerBusy: (request: FastifyRequest) => Promise<boolean>;
	readonly logger: Logger;
}

type AnyHandler = (
	request: { params: unknown; query: unknown; body: unknown; caller: Caller },
	services: DashboardServices,
) => Promise<unknown>;

/** The names of downloaded files, by endpoint. */
const FILE_NAMES: Readonly<Record<string, string>> = {
	usageCsv: "usage.csv",
	historyCsv: "credits.csv",
	exportSettings: "settings.json",
	exportOwnData: "my-data.json",
};

export function registerApi(scope: FastifyInstance, deps: ApiDeps): void {
	const { sessions, cookies, logger } = deps;

	function requireServices(): DashboardServices {
		const services = deps.services();
		if (!services) throw new ApiError("unavailable", { key: "web.unavailable" });
		return services;
	}

	async function callerOf(request: FastifyRequest, endpoint: Endpoint): Promise<Caller> {
		if (bearerOf(request) !== undefined) return await authorizeKey(request, endpoint, { ...requireServices(), logger });
		return await authorize(request, endpoint, request.readerSession, { ...requireServices(), logger });
	}

	scope.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", "no-store"));
	scope.setErrorHandler(async (error, request, reply) => await sendError(error, request, reply, logger));
	scope.setNotFoundHandler(
		async (request, reply) =>
			await sendError(new ApiError("not_found", { key: "web.notFound" }), request, reply, logger),
	);

	scope.get("/messages", async (request) => {
		const locale = localeOf(request);
		return { locale: languageOf(locale).tag, messages: dashboardPatterns(locale) };
	});

	let described: { readonly origin: string; readonly document: string } | undefined;
	scope.get("/openapi.json", async (_request, reply) => {
		const origin = deps.origin();
		if (described?.origin !== origin) described = { origin, document: JSON.stringify(openApiDocument(origin)) };
		return await reply.type("application/json; charset=utf-8").send(described.document);
	});

	/** Runs after the rate limit, and before the body is read. */
	const authorized = (endpoint: Endpoint) => async (request: FastifyRequest) => {
		request.caller = await callerOf(request, endpoint);
		if (endpoint.isCostly && (await deps.isServerBusy(request))) throw new ApiError("too_many", { key: "web.tooMany" });
	};

	scope.get(endpoints.session.path, { preParsing: authorized(endpoints.session) }, async (request) => {
		if (!request.readerSession) throw new ApiError("logged_out", { key: "web.loggedOut" });
		return await sessionDocument(request.readerSession, requireServices());
	});

	scope.post(endpoints.logOut.path, { preParsing: authorized(endpoints.logOut) }, async (request, reply) => {
		const id = cookies.readSessionId(request);
		if (id !== undefined) await sessions.end(id);
		cookies.clearSessionId(reply);
		return {};
	});

	for (const name of Object.keys(handlers) as HandledEndpoint[]) {
		const endpoint: Endpoint = endpoints[name];
		const handle = handlers[name] as AnyHandler;
		const params = pathSchema(endpoint.path);
		scope.route({
			method: endpoint.method,
			url: endpoint.path,
			bodyLimit: endpoint.bodyBytesMax ?? BODY_BYTES_MAX,
			preParsing: authorized(endpoint),
			handler: async (request, reply) => {
				const { caller } = request;
				assert(caller);
				const parsed = {
					params: parse(params, request.params),
					query: parse(endpoint.query, request.query),
					body: parse(endpoint.body, request.body),
				};
				const result = await handle({ ...parsed, caller }, requireServices());
				if (endpoint.response instanceof z.ZodType) return endpoint.response.parse(result);
				if (endpoint.response === "redirect") {
					reply.headers({ "cache-control": `private, max-age=${REDIRECT_MAX_AGE_S}`, vary: "cookie" });
					return await reply.redirect(String(result));
				}
				const fileName = FILE_NAMES[name] ?? name;
				return await reply
					.type(`${endpoint.response}; charset=utf-8`)
					.header("content-disposition", `attachment; filename="${fileName}"`)
					.send(result);
			},
		});
	}
}

async function sessionDocument(session: Session, services: DashboardServices): Promise<SessionDocument> {
	const { user, csrfToken, locale } = session;
	const { ids, mayWrite } = services.operator;
	const operator = ids.has(user.id) ? { mayWrite } : null;
	return { user, csrfToken, locale, ...(await listServers(session, services)), operator };
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
	const parsed = schema?.safeParse(value);
	if (!parsed || parsed.success) return parsed?.data;
	const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
	throw new ApiError("invalid", { key: "web.invalid" }, { problems });
}

async function sendError(
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	logger: Logger,
): Promise<FastifyReply> {
	const { code, message, problems, status = ERROR_STATUS[code] } = describeError(error, logger);
	const settings = error instanceof DeniedSettingsError ? error.paths : undefined;
	const listed = problems?.slice(0, PROBLEMS_LISTED_MAX);
	return reply
		.code(status)
		.send({ error: { code, message: t(localeOf(request), message), settings, problems: listed } });
}

/** Returns the reader's language, or else the browser's. */
function localeOf({ readerSession, headers }: FastifyRequest): string {
	return readerSession?.locale ?? localeFrom(headers["accept-language"]);
}

function describeError(
	error: unknown,
	logger: Logger,
): {
	readonly code: ErrorCode;
	readonly message: MessageDescriptor;
	readonly problems?: readonly string[] | undefined;
	readonly status?: number;
} {
	if (error instanceof UserError) return { code: "denied", message: error.messageDescriptor };
	if (error instanceof ApiError)
		return { code: error.code, message: error.messageDescriptor, problems: error.problems };
	if (error instanceof DirectoryUnavailableError) {
		logger.warn({ err: error }, "Discord directory unavailable");
		return describeError(new ApiError("unavailable", { key: "web.unavailable" }), logger);
	}
	if (error instanceof CreditChangeUncertainError) {
		logger.error({ err: error }, "outcome of credit change unknown");
		// No denial: after one, the page would send the change with another id.
		return describeError(new ApiError("outcome_unknown", { key: "web.creditsUncertain" }), logger);
	}
	const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
	if (status === ERROR_STATUS.too_many) return { code: "too_many", message: { key: "web.tooMany" } };
	if (error instanceof Error && status >= 400 && status < 500)
		return { status, code: "invalid", message: { key: "web.invalid" }, problems: [error.message] };
	const incidentId = randomUUID().slice(0, INCIDENT_ID_CHARS);
	logger.error({ err: error, incidentId }, "dashboard request failed");
	return { code: "unexpected", message: { key: "error.unexpected", params: { incidentId } } };
}
