/** The paths of the pages, below `/dashboard`. */
import { LOGIN_FAILURES, type LoginFailure } from "../../src/schemas/session.ts";

const MANAGER_PAGES = [
	"overview",
	"usage",
	"limits",
	"credits",
	"jobs",
	"reports",
	"moderation",
	"settings",
	"keys",
	"audit",
] as const;
/** The pages that moderators who are not managers may open, beside their own. */
const MODERATOR_PAGES = ["reports", "moderation"] as const satisfies readonly (typeof MANAGER_PAGES)[number][];
export type PageName = (typeof MANAGER_PAGES)[number] | "me";

export const OPERATOR_PAGES = ["servers", "health", "studio"] as const;
export type OperatorPageName = (typeof OPERATOR_PAGES)[number];

export type Route =
	| { readonly view: "servers" }
	/** `page` is `null` for the first page that the reader may open. */
	| { readonly view: "server"; readonly serverId: string; readonly page: PageName | null }
	/** `serverId` is `null` unless the page shows one server. */
	| { readonly view: "operator"; readonly page: OperatorPageName; readonly serverId: string | null }
	| { readonly view: "missing" };

const SERVERS_PATH = "/dashboard/";
const SERVER_PATH = /^\/dashboard\/servers\/(?<serverId>\d{1,20})(?:\/(?<page>[a-z]*))?\/?$/;
const OPERATOR_PATH = /^\/dashboard\/operator\/(?<page>[a-z]+)(?:\/(?<serverId>\d{1,20}))?\/?$/;
/** Paths below `/dashboard` that are not pages of the app. */
const BOT_PATH = /^\/dashboard\/(api|login|callback)(\/|$)/;

export function parseRoute(path: string): Route {
	if (/^\/dashboard\/?$/.test(path)) return { view: "servers" };
	if (OPERATOR_PATH.test(path)) return parseOperatorRoute(path);
	const { serverId, page = "" } = SERVER_PATH.exec(path)?.groups ?? {};
	if (serverId === undefined) return { view: "missing" };
	if (page === "") return { view: "server", serverId, page: null };
	const known = [...MANAGER_PAGES, "me" as const].find((each) => each === page);
	return known ? { view: "server", serverId, page: known } : { view: "missing" };
}

function parseOperatorRoute(path: string): Route {
	const { page, serverId = null } = OPERATOR_PATH.exec(path)?.groups ?? {};
	const known = OPERATOR_PAGES.find((each) => each === page);
	const isMissing = known === undefined || (serverId !== null && known !== "servers");
	return isMissing ? { view: "missing" } : { view: "operator", page: known, serverId };
}

/** Returns the pages that a reader may open, the first one first. */
export function pagesFor(access: "manager" | "moderator" | "member"): readonly [PageName, ...PageName[]] {
	switch (access) {
		case "manager":
			return [...MANAGER_PAGES, "me"];
		case "moderator":
			return [...MODERATOR_PAGES, "me"];
		case "member":
			return ["me"];
	}
}

export function pathOf(serverId: string, page: PageName): string {
	return `${SERVERS_PATH}servers/${serverId}/${page}`;
}

export function operatorPathOf(page: OperatorPageName, serverId?: string): string {
	return `${SERVERS_PATH}operator/${page}${serverId === undefined ? "" : `/${serverId}`}`;
}

/** The link that logs the reader in and returns to `path`. */
export function loginPath(path: string): string {
	return `/dashboard/login?to=${encodeURIComponent(parseRoute(path).view === "missing" ? SERVERS_PATH : path)}`;
}

/** Returns true for paths that this page shows without a request for a document. */
export function isOwnPath(path: string): boolean {
	return path.startsWith(SERVERS_PATH) && !BOT_PATH.test(path);
}

/** Reads `?error=` after a failed log-in. Unknown codes count as unexpected. */
export function loginErrorIn(search: string): LoginFailure | null {
	const code = new URLSearchParams(search).get("error");
	return code === null ? null : (LOGIN_FAILURES.find((each) => each === code) ?? "unexpected");
}
