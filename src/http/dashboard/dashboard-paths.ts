export const DASHBOARD_PATH = "/dashboard";

/** Returns the redirect address that the operator registers at Discord. */
export function dashboardRedirectUri(origin: string): string {
	return `${origin}${DASHBOARD_PATH}/callback`;
}

/** The pages about a server that cards link to. */
export type ServerPage = "overview" | "usage" | "limits" | "settings";

/** Returns the address of a page about a server. */
export function serverPageUrl(origin: string, guildId: string, page: ServerPage): string {
	return `${origin}${DASHBOARD_PATH}/servers/${guildId}/${page}`;
}

/** Returns the path of a page of the dashboard. Any other address becomes its first page. */
export function pagePath(to: string | undefined): string {
	const home = `${DASHBOARD_PATH}/`;
	const url = URL.parse(to ?? home, "http://dashboard");
	return url?.host === "dashboard" && url.pathname.startsWith(home) ? url.pathname + url.search : home;
}
