import { createRequire } from "node:module";
import { pino, type DestinationStream, type LogFn, type Logger } from "pino";

/** Nested deeper than this is not worth a line in a log. */
const DEPTH_MAX = 6;
const SECRET_KEYS = new Set(["token", "bottoken", "apikey", "authorization", "password", "secret"]);
/** What an error says of itself beyond its type, message and stack. Anything else might be what a person typed. */
const ERROR_FIELDS = ["code", "status", "method", "syscall", "errno", "errcode", "statusCode"] as const;

/** What a person at a terminal sees of a line: the local time of day, without the date, and what belongs to it beside it. */
export const TERMINAL_OPTIONS = { translateTime: "SYS:HH:MM:ss", singleLine: true };

interface LoggerOptions {
	readonly level: string;
	/** Whether a person reads it: coloured lines instead of JSON. */
	readonly pretty: boolean;
	/** Standard output where absent. */
	readonly destination?: DestinationStream;
}

/** JSON lines on standard output, readable ones on a terminal. Secrets are taken out at any depth, under any key. */
export function createLogger({ level, pretty, destination }: LoggerOptions): Logger {
	const options = {
		level,
		base: null,
		timestamp: () => `,"time":"${new Date().toISOString()}"`,
		// pino would apply its own serializer to an error under this key after ours.
		serializers: { err: (value: unknown) => value },
		formatters: { log: cleanFields },
		hooks: {
			// An error that is logged by itself would become the message as it is.
			logMethod(this: Logger, [first, ...rest]: [unknown, ...unknown[]], write: LogFn) {
				if (first instanceof Error && rest.length === 0) write.call(this, first, "failed");
				else write.call(this, first as object, ...(rest as [string]));
			},
		},
	};
	const stream = destination ?? (pretty ? openTerminal() : undefined);
	const logger = stream ? pino(options, stream) : pino(options);
	// What a child carries passes no formatter of pino's. Children have their parent for a prototype, so this is theirs too.
	const { child } = logger as unknown as { child: (this: Logger, bindings: object, childOptions?: object) => Logger };
	return Object.assign(logger, {
		child(this: Logger, bindings: object, childOptions?: object): Logger {
			return child.call(this, cleanFields(bindings), childOptions);
		},
	});
}

/** Formats on this thread: a worker that has lost its terminal would hold up the exit for many seconds. */
function openTerminal(): DestinationStream {
	// Loaded only where there is a terminal.
	const { prettyFactory } = createRequire(import.meta.url)("pino-pretty") as typeof import("pino-pretty");
	const format = prettyFactory(TERMINAL_OPTIONS);
	// A terminal that was closed takes no more lines; SIGHUP says what to do about it.
	process.stdout.on("error", () => {});
	return { write: (line) => void process.stdout.write(format(line)) };
}

function cleanFields(fields: object): Record<string, unknown> {
	return clean(fields, DEPTH_MAX) as Record<string, unknown>;
}

/** A copy without secrets, and with errors as what may be told of them. */
function clean(value: unknown, depth: number): unknown {
	if (typeof value === "string") return hideTokens(value);
	if (typeof value !== "object" || value === null) return value;
	if (value instanceof Error) return describeError(value, depth);
	if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
	if (depth === 0) return "[deeper]";
	if ("toJSON" in value && typeof value.toJSON === "function") return clean(value.toJSON(), depth - 1);
	if (Array.isArray(value)) return value.map((each) => clean(each, depth - 1));
	const entries = Object.entries(value).map(([key, each]) => [
		key,
		isSecret(key) && each !== undefined ? "[redacted]" : clean(each, depth - 1),
	]);
	return Object.fromEntries(entries);
}

function isSecret(key: string): boolean {
	return SECRET_KEYS.has(key.toLowerCase());
}

/**
 * discord.js errors carry the files they failed to send, what the person typed, and in their address the interaction's
 * token, which lets anyone edit the reply: of any error only what tells the fault goes on.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
	const fields = error as unknown as Readonly<Record<string, unknown>>;
	const described: Record<string, unknown> = {
		type: error.constructor.name,
		message: hideWords(error.message),
		stack: hideWords(error.stack ?? ""),
	};
	for (const name of ERROR_FIELDS) {
		const value = fields[name];
		if (typeof value === "string" || typeof value === "number") described[name] = value;
	}
	if (typeof fields["url"] === "string") described["route"] = hideTokens(fields["url"]);
	if (error.cause !== undefined) described["cause"] = clean(error.cause, depth - 1);
	if (error instanceof AggregateError) described["errors"] = clean(error.errors, depth - 1);
	return depth > 0 ? described : { type: described["type"], message: described["message"] };
}

/** Discord's field faults by path and code alone, because their words may repeat what a member typed; no header's value. */
function hideWords(text: string): string {
	return hideTokens(text)
		.replaceAll(/^(\S+\[\w+\]): .*$/gm, "$1")
		.replaceAll(/"[^"]*" is an invalid header value/g, "an invalid header value");
}

/** `/webhooks/APP/TOKEN/…` and `/interactions/ID/TOKEN/…` without the token, and no header's secret. */
export function hideTokens(text: string): string {
	return text
		.replaceAll(/\/(webhooks|interactions)\/(\d+)\/[^/?\s"]+/g, "/$1/$2/[token]")
		.replaceAll(/\b(Bearer|Bot) [\w.~+/=-]{16,}/g, "$1 [token]");
}
