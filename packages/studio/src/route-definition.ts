import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { Ledger } from "@atelier/ledger/operations";
import type { Accounts } from "./accounts.ts";
import type { Callbacks } from "./callbacks/callbacks.ts";
import type { Catalogue } from "./catalogue.ts";
import type { KeyHolder, Scope } from "./keys.ts";
import type { Lanes } from "./engine-router.ts";
import { readParameters } from "./request-schemas.ts";
import type { TaskEvents } from "./task-events.ts";
import type { TaskReader } from "./task-reader.ts";
import type { TaskService } from "./task-service.ts";
import type { Uploads } from "./uploads.ts";

/** A request of somebody whose key is good. */
export interface Call<Query = unknown, Body = unknown> {
	readonly account: string;
	readonly key: KeyHolder;
	readonly body: Body;
	readonly params: Readonly<Record<string, string>>;
	readonly query: Query;
	readonly headers: IncomingHttpHeaders;
	/** Aborted when whoever asked is gone. */
	readonly gone: () => AbortSignal;
	/** The file of a multipart body. Rejects with an `ApiError` where there is none, or too much of it. */
	readonly readFile: () => Promise<Uint8Array>;
}

export type Answer =
	| { readonly data: object; readonly headers?: Readonly<Record<string, string>> }
	/** Server-sent events, as they come. */
	| { readonly events: AsyncIterable<string> };

export interface RouteDeps {
	readonly taskService: TaskService;
	readonly taskReader: TaskReader;
	readonly callbacks: Callbacks;
	readonly accounts: Accounts;
	readonly taskEvents: TaskEvents;
	readonly uploads: Uploads;
	readonly ledger: Ledger;
	readonly catalogue: Catalogue;
	readonly lanes: Pick<Lanes, "healthOf">;
	readonly clock: Clock;
}

interface Operation<Query extends z.ZodType, Body extends z.ZodType> {
	readonly method: "GET" | "POST" | "DELETE";
	/** Below `/api/v1`. */
	readonly path: string;
	readonly query: Query;
	/** `undefined` where no body is read. */
	readonly body: Body | undefined;
	/** What the key must be allowed to do. */
	readonly scope: Scope;
	/** In a few words, for people. */
	readonly summary: string;
	/** The `data` of its answer, or of each of its events. */
	readonly answer: z.ZodType;
	/** The body is an order, which the catalogue's own schemas describe. */
	readonly order?: true;
	/** Answers with server-sent events. */
	readonly streams?: true;
	/** Takes a file as multipart/form-data in place of JSON. */
	readonly takesFile?: true;
	readonly handle: (call: Call<z.infer<Query>, z.infer<Body>>, deps: RouteDeps) => Promise<Answer> | Answer;
}

export interface Route extends Omit<Operation<z.ZodType, z.ZodType>, "handle"> {
	readonly handle: (call: Call, deps: RouteDeps) => Promise<Answer> | Answer;
}

export const Anything = z.unknown();

/** An operation whose handler sees only what its schemas let through. */
export function route<Query extends z.ZodType, Body extends z.ZodType>(operation: Operation<Query, Body>): Route {
	const { query, body = Anything, handle } = operation;
	return {
		...operation,
		handle(call, deps) {
			const checked = { query: read(query, call.query), body: read(body as Body, call.body) };
			return handle({ ...call, ...checked }, deps);
		},
	};
}

function read<S extends z.ZodType>(schema: S, given: unknown): z.infer<S> {
	return Object.is(schema, Anything) ? (given as z.infer<S>) : readParameters(schema, given);
}
