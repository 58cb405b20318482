/** Where a store's server is, to be shown to people and in logs: without user, password and parameters. */
export function addressOf(url: string, defaultPort: number): string {
	const { hostname, port, searchParams } = new URL(url);
	const host = hostname === "" ? (searchParams.get("host") ?? "localhost") : hostname;
	return host.startsWith("/") ? host : `${host}:${port === "" ? defaultPort : port}`;
}
