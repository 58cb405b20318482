/** Faults that a bot author wants to test: other responses to requests, and lost or repeated events. */
import { z } from "zod";

/** The number of affected requests or events; unlimited if absent. */
const times = z.number().int().min(1).max(10_000).optional();

const FaultAnswer = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("hangUp") }),
	/** A success with another body than the route's: empty, another shape, or a proxy's page. */
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
]);
export type FaultAnswer = z.infer<typeof FaultAnswer>;

/** A fault for matching requests. */
const RequestFault = z.strictObject({
	/** A route of the route table, such as `PATCH /webhooks/:webhook/:token/messages/:message`; all if absent. */
	route: z.string().optional(),
	times,
	/** With `answer`: true if the request is executed before `answer` replaces its response. */
	executes: z.boolean().optional(),
	/** A delay on the playground's clock, at most a day. */
	delayMs: z.number().int().min(0).max(86_400_000).optional(),
	/** If absent, the regular response is sent, after the delay. */
	answer: FaultAnswer.optional(),
});
export type RequestFault = z.infer<typeof RequestFault>;

/** A fault for matching events of the gateway. */
const EventFault = z.strictObject({
	act: z.literal(["drop", "repeat"]),
	/** Such as `INTERACTION_CREATE`; all events if absent. */
	event: z
		.string()
		.regex(/^[A-Z_]{1,50}$/)
		.optional(),
	times,
});
export type EventFault = z.infer<typeof EventFault>;

export const Fault = z.union([RequestFault, EventFault]);
export type Fault = z.infer<typeof Fault>;

const DEFAULT_CLOSE_CODE = 4_000;

/** An action on every connection of the gateway. */
export const GatewayAction = z.discriminatedUnion("act", [
	z.strictObject({
		act: z.literal("close"),
		code: z
			.union([z.literal([1000, 1001, 1011, 1012]), z.number().int().min(4_000).max(4_014)])
			.default(DEFAULT_CLOSE_CODE),
	}),
	z.strictObject({ act: z.literal("reconnect") }),
	z.strictObject({ act: z.literal("invalidate"), isResumable: z.boolean().default(false) }),
	/** The connection stays open, but sends and reads nothing more. */
	z.strictObject({ act: z.literal("silence") }),
	z.strictObject({ act: z.literal("send"), payload: z.unknown() }),
]);
export type GatewayAction = z.output<typeof GatewayAction>;

export type FaultList = ReturnType<typeof createFaultList>;

/** The injected faults of requests and of events. */
export function createFaultList() {
	const injected: { readonly fault: Fault; remaining: number }[] = [];

	function take<Kind extends Fault>(matches: (fault: Fault) => fault is Kind): Kind | undefined {
		for (const [index, entry] of injected.entries()) {
			if (!matches(entry.fault)) continue;
			if (--entry.remaining === 0) injected.splice(index, 1);
			return entry.fault;
		}
		return undefined;
	}

	return {
		inject: (fault: Fault): void => void injected.push({ fault, remaining: fault.times ?? Number.POSITIVE_INFINITY }),
		clear: (): void => void injected.splice(0),
		/** Returns the fault for a request to this route, and counts it. */
		takeForRequest: (name: string): RequestFault | undefined =>
			take((fault): fault is RequestFault => !("act" in fault) && (fault.route ?? name) === name),
		/** Returns the fault for an event of this name, and counts it. */
		takeForEvent: (name: string): EventFault | undefined =>
			take((fault): fault is EventFault => "act" in fault && (fault.event ?? name) === name),
		/** With the number of affected requests or events that are left. */
		list: (): readonly Fault[] =>
			injected.map(({ fault, remaining }) => (fault.times === undefined ? fault : { ...fault, times: remaining })),
	};
}
