/** The route of the stream of running jobs: limits the open streams, and authorizes their readers in each round. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { endpoints, type Endpoint } from "@atelier/dashboard/contract";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import { ApiError } from "./api-error.ts";
import type { Reader } from "./api-request.ts";
import { bearerOf, serverOf } from "./authorize-key.ts";
import type { DashboardServices } from "./dashboard-services.ts";
import { readSession, type SessionCookies } from "./login-routes.ts";
import { createRunningTasks, streamRunningJobs, type RunningTasks } from "./running-jobs.ts";
import type { Sessions } from "./sessions.ts";

/** Open streams of one user or key. A browser opens six at most. */
const STREAMS_MAX = 10;
const KEY_CHECKED_EVERY_MS = 60_000;

interface EventsDeps {
	readonly sessions: Sessions;
	readonly cookies: SessionCookies;
	readonly logger: Logger;
	readonly stopping: AbortSignal;
	/** Names the user, key or address that sends a request. */
	readonly requesterOf: (request: FastifyRequest) => Promise<string>;
	readonly requireServices: () => DashboardServices;
	readonly readerOf: (request: FastifyRequest, endpoint: Endpoint) => Promise<Reader>;
}

export function registerEvents(scope: FastifyInstance, deps: EventsDeps): void {
	const { requireServices, readerOf, requesterOf, stopping, logger } = deps;
	/** Created for the first page that follows running jobs, because the services do not exist earlier. */
	let runningTasks: RunningTasks | undefined;
	const openStreams = new Map<string, number>();

	/** Returns a function that reads the session or the key anew. For a key, it asks Discord once a minute whether the bot is in the server. */
	function authorizeAgain(request: FastifyRequest, first: Reader): () => Promise<Reader> {
		const { clock, apiKeys } = requireServices();
		const key = bearerOf(request);
		let reader = first;
		let readAtMs = clock.nowMs();
		return async () => {
			if (key === undefined) request.readerSession = await readSession(request, deps);
			else if (clock.nowMs() - readAtMs < KEY_CHECKED_EVERY_MS && (await apiKeys.match(serverOf(request) ?? "", key)))
				return reader;
			readAtMs = clock.nowMs();
			reader = await readerOf(request, endpoints.events);
			return reader;
		};
	}

	// A HEAD request would wait for the end of the stream.
	const options = { exposeHeadRoute: false };
	scope.get<{ Params: { server: string } }>(endpoints.events.path, options, async (request, reply) => {
		const reader = await readerOf(request, endpoints.events);
		const requester = await requesterOf(request);
		const open = openStreams.get(requester) ?? 0;
		if (open >= STREAMS_MAX) throw new ApiError("too_many", { key: "web.tooMany" });
		openStreams.set(requester, open + 1);
		const services = requireServices();
		const readRunning = (runningTasks ??= createRunningTasks(services));
		reply.hijack();
		reply.raw.writeHead(200, {
			...(reply.getHeaders() as Record<string, string>),
			"content-type": "text/event-stream; charset=utf-8",
			// A proxy that buffers would hold events back.
			"x-accel-buffering": "no",
		});
		const stream = { guildId: request.params.server, authorize: authorizeAgain(request, reader), stopping };
		streamRunningJobs(reply.raw, stream, { services, readRunning })
			.catch((error: unknown) => {
				if (!isExpectedEnd(error)) logger.error({ err: error }, "stream of running jobs failed");
			})
			.finally(() => {
				const others = (openStreams.get(requester) ?? 1) - 1;
				if (others > 0) openStreams.set(requester, others);
				else openStreams.delete(requester);
			});
	});
}

/** Returns whether the page or the process closed, or the reader's permission or session ended. After an outage of Discord the page connects again. */
function isExpectedEnd(error: unknown): boolean {
	const isRejected = error instanceof ApiError || error instanceof DirectoryUnavailableError;
	return isRejected || (error instanceof Error && error.name === "AbortError");
}
