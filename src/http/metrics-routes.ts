/**
 * `GET /metrics`. Its numbers show how many results are generated, with which models, and how well: not secret, but not
 * for the public. They are served on an address of their own if one is configured, on the shared one only if no other
 * machine can reach it, and otherwise not at all.
 */
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/load-config.ts";
import { createHostGuard } from "@atelier/common/host-guard";
import { createHttpServer } from "@atelier/common/http-server";
import { isLoopback, serverOrigin } from "./server-origin.ts";
import type { Metrics } from "../metrics/metrics.ts";

const PATH = "/metrics";
const WRONG_HOST = "Request metrics at the address on which Atelier listens, or at localhost.\n";
const PUBLIC_ADDRESS =
	"Metrics are not served at an address that other machines can reach. Set METRICS_PORT, and METRICS_HOST.\n";
/** Headers that a proxy adds. A proxied request may come from another machine. */
const PROXY_HEADERS = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

type MetricsAddress = Pick<Config, "HOST" | "METRICS_HOST" | "METRICS_PORT">;

/** Registers the route on the address that pages and the studio share. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, { HOST, METRICS_PORT }: MetricsAddress): void {
	if (METRICS_PORT !== undefined) return;
	const guard = createHostGuard(() => serverOrigin(app.server));
	app.get(PATH, async (request, reply) => {
		const isProxied = PROXY_HEADERS.some((name) => request.headers[name] !== undefined);
		if (!isLoopback(HOST) || isProxied) return reply.code(403).type("text/plain").send(PUBLIC_ADDRESS);
		if (!guard.allows(request.headers)) return reply.code(403).type("text/plain").send(WRONG_HOST);
		return reply.type(metrics.contentType).send(await metrics.scrape());
	});
}

/**
 * Opens the metrics server on its own address. Returns its origin and how to close it, or `undefined` if none is
 * configured.
 */
export async function openMetricsServer(
	metrics: Metrics,
	{ METRICS_HOST, METRICS_PORT }: MetricsAddress,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> } | undefined> {
	if (METRICS_PORT === undefined) return undefined;
	const app = createHttpServer();
	const guard = createHostGuard(() => serverOrigin(app.server));
	app.get(PATH, async (request, reply) => {
		// On another address, Prometheus may use any name of this machine.
		if (isLoopback(METRICS_HOST) && !guard.allows(request.headers))
			return reply.code(403).type("text/plain").send(WRONG_HOST);
		return reply.type(metrics.contentType).send(await metrics.scrape());
	});
	await app.listen({ host: METRICS_HOST, port: METRICS_PORT });
	return { origin: serverOrigin(app.server), close: () => app.close() };
}
