/** Returns the host and port of a store for logs and messages, without user, password and parameters. */
export function redactedAddress(url: string, defaultPort: number): string {
	const { hostname, port, searchParams } = new URL(url);
	const host = hostname === "" ? (searchParams.get("host") ?? "localhost") : hostname;
	return host.startsWith("/") ? host : `${host}:${port === "" ? defaultPort : port}`;
}
