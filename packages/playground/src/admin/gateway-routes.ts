/** Faults between the gateway and the bot: closed connections, invalidated sessions, lost events. */
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Connection } from "../gateway/session.ts";
import { PageApiError, parseBody } from "../page/page-error.ts";
import type { AdminContext } from "./admin-context.ts";

const CODE_USUAL = 4_000;
const ActBody = z.discriminatedUnion("act", [
	z.strictObject({
		act: z.literal("close"),
		code: z.union([z.literal([1000, 1001, 1011, 1012]), z.number().int().min(4_000).max(4_014)]).default(CODE_USUAL),
	}),
	z.strictObject({ act: z.literal("reconnect") }),
	z.strictObject({ act: z.literal("invalidate"), isResumable: z.boolean().default(false) }),
	z.strictObject({ act: z.literal("silence") }),
	z.strictObject({ act: z.literal("send"), payload: z.unknown() }),
]);
const SettingsBody = z.strictObject({
	heartbeatIntervalMs: z.number().int().min(50).max(120_000).optional(),
	answersResume: z.boolean().optional(),
});
const EventBody = z.strictObject({
	act: z.literal(["drop", "repeat"]),
	event: z
		.string()
		.regex(/^[A-Z_]{1,50}$/)
		.optional(),
	times: z.number().int().min(1).max(10_000).optional(),
});

export function registerGatewayRoutes(scope: FastifyInstance, { simulator, gateway, state }: AdminContext): void {
	scope.post("/playground/admin/gateway", (request) => {
		const asked = parseBody(ActBody, request.body);
		const open = gateway.connections();
		if (open.length === 0) throw new PageApiError(409, "No bot is connected.");
		for (const connection of open) actOn(connection, asked);
		return state(request);
	});
	scope.put("/playground/admin/gateway", (request) => {
		const { overrides } = simulator;
		const { heartbeatIntervalMs, answersResume } = parseBody(SettingsBody, request.body);
		overrides.heartbeatIntervalMs = heartbeatIntervalMs ?? overrides.heartbeatIntervalMs;
		overrides.answersResume = answersResume ?? overrides.answersResume;
		return state(request);
	});
	scope.post("/playground/admin/events", (request) => {
		gateway.injected.inject(parseBody(EventBody, request.body));
		return state(request);
	});
	scope.delete("/playground/admin/events", (request) => {
		gateway.injected.clear();
		return state(request);
	});
}

function actOn(connection: Connection, asked: z.infer<typeof ActBody>): void {
	switch (asked.act) {
		case "close":
			return connection.closeWithCode(asked.code);
		case "reconnect":
			return connection.requestReconnect();
		case "invalidate":
			return connection.invalidate(asked.isResumable);
		case "silence":
			return connection.silence();
		case "send":
			return connection.send(asked.payload);
	}
}
