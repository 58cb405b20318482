/**
 * The HTTP API of the dashboard, below `/dashboard/api`. The bot registers its routes from this table, the page calls
 * them by it, and the OpenAPI document is written from it.
 */
import { z } from "zod";
import { memberEndpoints } from "./endpoints/members.ts";
import { apiKeyEndpoints } from "./endpoints/api-keys.ts";
import { operatorEndpoints } from "./endpoints/operator.ts";
import { reportEndpoints } from "./endpoints/reports.ts";
import { resultEndpoints } from "./endpoints/results.ts";
import { settingsImportEndpoints } from "./endpoints/settings-import.ts";
import * as schemas from "./schemas.ts";
import { keyId } from "./schemas/api-keys.ts";

/**
 * The reader that a route needs: a logged-in user, a member of the server in its path, with _Manage Messages_ or _Manage
 * Server_, or an operator of the bot.
 */
export type Access = "user" | "member" | "moderator" | "manager" | "operator";

export interface Endpoint {
	readonly method: "GET" | "POST" | "PUT" | "DELETE";
	/** Below `/dashboard/api`. Its parameters are those of `PATH_PARAMS`. */
	readonly path: string;
	readonly access: Access;
	/** True if API keys of the server may use it. By default they may use the endpoints of moderators and managers. */
	readonly byKey?: boolean;
	readonly summary: string;
	readonly query?: z.ZodType;
	readonly body?: z.ZodType;
	/** The body of a success; a media type for a stream or a file; `redirect` if the response only redirects. */
	readonly response: z.ZodType | "text/csv" | "text/event-stream" | "application/json" | "redirect";
}

const SERVER = "/servers/:server";

export const endpoints = {
	session: {
		method: "GET",
		path: "/session",
		access: "user",
		summary: "Read who is logged in, and their servers",
		response: schemas.Session,
	},
	logOut: { method: "POST", path: "/logout", access: "user", summary: "Log out", response: schemas.Done },
	directory: {
		method: "GET",
		path: `${SERVER}/directory`,
		access: "manager",
		summary: "List the roles, channels and models that forms offer",
		response: schemas.Directory,
	},
	...memberEndpoints,
	overview: {
		method: "GET",
		path: `${SERVER}/overview`,
		access: "manager",
		summary: "Read credits, running jobs, last results and warnings",
		response: schemas.Overview,
	},
	events: {
		method: "GET",
		path: `${SERVER}/events`,
		access: "manager",
		summary: "Follow the running jobs by server-sent events",
		response: "text/event-stream",
	},
	usage: {
		method: "GET",
		path: `${SERVER}/usage`,
		access: "manager",
		summary: "Read spending by day, member and model",
		query: schemas.UsageQuery,
		response: schemas.Usage,
	},
	usageCsv: {
		method: "GET",
		path: `${SERVER}/usage.csv`,
		access: "manager",
		summary: "Download spending by day",
		query: schemas.UsageQuery,
		response: "text/csv",
	},
	settings: {
		method: "GET",
		path: `${SERVER}/settings`,
		access: "manager",
		summary: "Read the settings and limits",
		response: schemas.SettingsDocument,
	},
	saveSettings: {
		method: "PUT",
		path: `${SERVER}/settings`,
		access: "manager",
		summary: "Replace the settings and limits",
		body: schemas.SettingsDocument,
		response: schemas.SettingsDocument,
	},
	exportSettings: {
		method: "GET",
		path: `${SERVER}/settings/file`,
		access: "manager",
		summary: "Download all settings as a file, like /settings export",
		response: "application/json",
	},
	previewLimits: {
		method: "POST",
		path: `${SERVER}/limits/preview`,
		access: "manager",
		summary: "List the members who would be over new limits",
		body: schemas.ServerSettings.pick({ allowance: true, timeZone: true }),
		response: schemas.LimitsPreview,
	},
	settingsChanges: {
		method: "GET",
		path: `${SERVER}/settings/changes`,
		access: "manager",
		summary: "List the changes of settings",
		query: schemas.HistoryQuery.pick({ before: true }),
		response: schemas.SettingsChanges,
	},
	grant: {
		method: "POST",
		path: `${SERVER}/credits/grant`,
		access: "manager",
		summary: "Grant credits to the server",
		body: schemas.CreditChange,
		response: schemas.Balance,
	},
	revoke: {
		method: "POST",
		path: `${SERVER}/credits/revoke`,
		access: "manager",
		summary: "Revoke credits from the server",
		body: schemas.CreditChange,
		response: schemas.Balance,
	},
	history: {
		method: "GET",
		path: `${SERVER}/credits/history`,
		access: "manager",
		summary: "List the journal of the server's credits",
		query: schemas.HistoryQuery,
		response: schemas.History,
	},
	historyCsv: {
		method: "GET",
		path: `${SERVER}/credits/history.csv`,
		access: "manager",
		summary: "Download the journal of the server's credits",
		query: schemas.HistoryQuery,
		response: "text/csv",
	},
	jobs: {
		method: "GET",
		path: `${SERVER}/jobs`,
		access: "manager",
		summary: "List the jobs of the server",
		query: schemas.JobsQuery,
		response: schemas.Jobs,
	},
	cancelJob: {
		method: "POST",
		path: `${SERVER}/jobs/:job/cancel`,
		access: "member",
		byKey: true,
		summary: "Cancel a job: members their own, moderators every one",
		response: schemas.ActionOutcome,
	},
	deleteResult: {
		method: "POST",
		path: `${SERVER}/jobs/:job/delete`,
		access: "member",
		byKey: true,
		summary: "Delete a result from its channel: members their own, moderators every public one",
		response: schemas.ActionOutcome,
	},
	refundJob: {
		method: "POST",
		path: `${SERVER}/jobs/:job/refund`,
		access: "manager",
		summary: "Refund the credits of a job, once",
		response: schemas.ActionOutcome,
	},
	blocks: {
		method: "GET",
		path: `${SERVER}/blocks`,
		access: "moderator",
		summary: "List blocked members",
		response: schemas.Blocks,
	},
	block: {
		method: "PUT",
		path: `${SERVER}/blocks/:member`,
		access: "moderator",
		summary: "Block a member",
		body: schemas.BlockBody,
		response: schemas.Blocks,
	},
	unblock: {
		method: "DELETE",
		path: `${SERVER}/blocks/:member`,
		access: "moderator",
		summary: "Unblock a member",
		response: schemas.Blocks,
	},
	...apiKeyEndpoints,
	...operatorEndpoints,
	...reportEndpoints,
	...resultEndpoints,
	...settingsImportEndpoints,
	testFilter: {
		method: "POST",
		path: `${SERVER}/filter/test`,
		access: "manager",
		summary: "Test a text against patterns of the word filter",
		body: schemas.FilterTest,
		response: schemas.FilterVerdict,
	},
	ownAccount: {
		method: "GET",
		path: `${SERVER}/me`,
		access: "member",
		summary: "Read one's own limits",
		response: schemas.OwnAccount,
	},
	ownJobs: {
		method: "GET",
		path: `${SERVER}/me/jobs`,
		access: "member",
		summary: "List one's own jobs",
		query: schemas.JobsQuery.pick({ before: true }),
		response: schemas.Jobs,
	},
	exportOwnData: {
		method: "GET",
		path: `${SERVER}/me/data`,
		access: "member",
		summary: "Download one's own data, like /privacy export",
		response: "application/json",
	},
	deleteOwnData: {
		method: "POST",
		path: `${SERVER}/me/data/delete`,
		access: "member",
		summary: "Delete one's own data, like /privacy delete",
		response: schemas.Removal,
	},
} as const satisfies Readonly<Record<string, Endpoint>>;

const PATH_PARAMS = {
	server: schemas.discordId,
	job: schemas.taskId,
	member: schemas.discordId,
	key: keyId,
} as const;

/** The schema of the parameters in a path, such as `/servers/:server`. */
export function pathSchema(path: string): z.ZodObject {
	const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof PATH_PARAMS);
	return z.object(Object.fromEntries(names.map((name) => [name, PATH_PARAMS[name]])));
}

/** Returns whether an API key of the server in the path may use an endpoint. */
export function isOpenToKeys({ access, byKey }: Pick<Endpoint, "access" | "byKey">): boolean {
	return byKey ?? (access === "moderator" || access === "manager");
}

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

type ParamIn<Path extends string> = Path extends `${string}:${infer Rest}`
	? Rest extends `${infer Name}/${infer More}`
		? Name | ParamIn<More>
		: Rest
	: never;
type PathParams<Path extends string> = Path extends `${string}:${string}`
	? { readonly params: Readonly<Record<ParamIn<Path>, string>> }
	: unknown;
type Field<E, Name extends "query" | "body"> = E extends { readonly [K in Name]: infer S extends z.ZodType }
	? { readonly [K in Name]: z.infer<S> }
	: unknown;
/** The validated parts of a request, as its handler gets them. */
export type RequestOf<Name extends EndpointName> = PathParams<Endpoints[Name]["path"]> &
	Field<Endpoints[Name], "query"> &
	Field<Endpoints[Name], "body">;
export type ResponseOf<Name extends EndpointName> = Endpoints[Name]["response"] extends infer S extends z.ZodType
	? z.infer<S>
	: string;
