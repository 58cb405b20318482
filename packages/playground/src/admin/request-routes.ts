/** The clock, file limits, fault injection, and the log of the bot's requests. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { PageApiError, parseBody } from "../page/page-error.ts";
import { routes } from "../rest/routes.ts";
import { REQUEST_BYTES_CEILING, REQUEST_BYTES_MAX } from "../simulator/overrides.ts";
import type { RequestList } from "./admin-contract.ts";
import { DAY_MS, snowflake } from "./shapes.ts";
import type { AdminContext } from "./admin-context.ts";

const BYTES_MAX = 1024 * 1024 * 1024;
const ROUTES = new Set(routes.map(({ method, path }) => `${method} ${path}`));

const ClockBody = z.strictObject({
	advanceMs: z
		.number()
		.int()
		.min(0)
		.max(30 * DAY_MS),
});
const FilesBody = z.strictObject({
	bytesMax: z.number().int().min(1).max(BYTES_MAX),
	announcedBytesMax: z.number().int().min(1).max(BYTES_MAX).optional(),
	requestBytesMax: z.number().int().min(1).max(REQUEST_BYTES_CEILING).optional(),
});
const ExpireBody = z.strictObject({ interactionId: snowflake });
const FaultBody = z.strictObject({
	route: z
		.string()
		.refine((route) => ROUTES.has(route), { error: `expected one of:\n${[...ROUTES].join("\n")}` })
		.optional(),
	times: z.number().int().min(1).max(10_000).optional(),
	acts: z.boolean().optional(),
	delayMs: z.number().int().min(0).max(DAY_MS).optional(),
	answer: z
		.discriminatedUnion("kind", [
			z.strictObject({ kind: z.literal("hangUp") }),
			z.strictObject({
				kind: z.literal("body"),
				text: z.string().max(10_000),
				status: z.literal([200, 204]).optional(),
				contentType: z.literal(["application/json", "text/html"]).optional(),
			}),
			z.strictObject({
				kind: z.literal("error"),
				status: z.number().int().min(400).max(599),
				code: z.number().int().min(0).max(10_000_000),
				message: z.string().max(500).optional(),
			}),
			z.strictObject({
				kind: z.literal("rateLimit"),
				retryAfterS: z.number().min(0).max(3600),
				scope: z.literal(["user", "global", "shared"]).optional(),
			}),
		])
		.optional(),
});
const AfterQuery = z.object({ after: z.coerce.number().int().min(0).default(0) });

export function registerRequestRoutes(scope: FastifyInstance, context: AdminContext): void {
	const { simulator, faults, clock, requests, state } = context;
	const { overrides } = simulator;

	scope.post("/playground/admin/clock", (request) => {
		clock.advance(parseBody(ClockBody, request.body).advanceMs);
		return state(request);
	});
	scope.put("/playground/admin/files", (request) => {
		const { bytesMax, announcedBytesMax, requestBytesMax } = parseBody(FilesBody, request.body);
		overrides.setFileLimits({
			attachmentBytesMax: bytesMax,
			announcedBytesMax: announcedBytesMax ?? bytesMax,
			requestBytesMax: requestBytesMax ?? REQUEST_BYTES_MAX,
		});
		return state(request);
	});
	scope.post("/playground/admin/expire", (request) => {
		if (!simulator.interactions.expire(parseBody(ExpireBody, request.body).interactionId))
			throw new PageApiError(404, "Unknown interaction.");
		return state(request);
	});
	scope.post("/playground/admin/faults", (request) => {
		faults.inject(parseBody(FaultBody, request.body));
		return state(request);
	});
	scope.delete("/playground/admin/faults", (request) => {
		faults.clear();
		return state(request);
	});
	scope.get("/playground/admin/routes", () => ({ routes: [...ROUTES] }));
	scope.get("/playground/admin/requests", (request): RequestList => {
		const { after } = parseBody(AfterQuery, request.query);
		return { requests: requests.after(after), counts: requests.counts() };
	});
}
