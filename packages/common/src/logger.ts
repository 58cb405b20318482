import { createRequire } from "node:module";
import { pino, type DestinationStream, type LogFn, type Logger } from "pino";

/** Values below this depth are not logged. */
const DEPTH_MAX = 6;
const SECRET_KEYS = new Set(["token", "bottoken", "apikey", "authorization", "password", "secret"]);
/**
 * Fields of an error that are logged unchanged. Other fields may contain member input; `describeError` redacts `url`,
 * `cause` and `errors`.
 */
const ERROR_FIELDS = ["code", "status", "method", "syscall", "errno", "errcode", "statusCode"] as const;

/** Terminal output: local time without the date, and the fields on the same line. */
const TERMINAL_OPTIONS = { translateTime: "SYS:HH:MM:ss", singleLine: true };

interface LoggerOptions {
	readonly level: string;
	/** Colored lines for a terminal instead of JSON. */
	readonly pretty: boolean;
	/** Defaults to standard output. */
	readonly destination?: DestinationStream;
}

/**
 * Logs JSON lines to standard output, or readable lines to a terminal. Redacts the values of `SECRET_KEYS`, and tokens
 * inside any string, at every logged depth.
 */
export function createLogger({ level, pretty, destination }: LoggerOptions): Logger {
	const options = {
		level,
		base: null,
		timestamp: () => `,"time":"${new Date().toISOString()}"`,
		// Prevents pino from applying its own serializer after ours.
		serializers: { err: (value: unknown) => value },
		formatters: { log: redactFields },
		hooks: {
			// Prevents an error that is logged alone from becoming the message.
			logMethod(this: Logger, [first, ...rest]: [unknown, ...unknown[]], write: LogFn) {
				if (first instanceof Error && rest.length === 0) write.call(this, first, "failed");
				else write.call(this, first as object, ...(rest as [string]));
			},
		},
	};
	const stream = destination ?? (pretty ? openTerminal() : undefined);
	const logger = stream ? pino(options, stream) : pino(options);
	// pino applies no formatter to bindings of a child. Children inherit this method.
	const { child } = logger as unknown as { child: (this: Logger, bindings: object, childOptions?: object) => Logger };
	return Object.assign(logger, {
		child(this: Logger, bindings: object, childOptions?: object): Logger {
			return child.call(this, redactFields(bindings), childOptions);
		},
	});
}

/** Formats on this thread: a worker that has lost its terminal delays the exit by many seconds. */
function openTerminal(): DestinationStream {
	// Imported only for a terminal.
	const { prettyFactory } = createRequire(import.meta.url)("pino-pretty") as typeof import("pino-pretty");
	const format = prettyFactory(TERMINAL_OPTIONS);
	// Ignores writes to a closed terminal; SIGHUP ends the process.
	process.stdout.on("error", () => {});
	return { write: (line) => void process.stdout.write(format(line)) };
}

function redactFields(fields: object): Record<string, unknown> {
	return redact(fields, DEPTH_MAX) as Record<string, unknown>;
}

/** Copies a value without secrets, and with errors reduced to safe fields. */
function redact(value: unknown, depth: number): unknown {
	if (typeof value === "string") return redactTokens(value);
	if (typeof value !== "object" || value === null) return value;
	if (value instanceof Error) return describeError(value, depth);
	if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
	if (depth === 0) return "[deeper]";
	if ("toJSON" in value && typeof value.toJSON === "function") return redact(value.toJSON(), depth - 1);
	if (Array.isArray(value)) return value.map((each) => redact(each, depth - 1));
	const entries = Object.entries(value).map(([key, each]) => [
		key,
		isSecret(key) && each !== undefined ? "[redacted]" : redact(each, depth - 1),
	]);
	return Object.fromEntries(entries);
}

function isSecret(key: string): boolean {
	return SECRET_KEYS.has(key.toLowerCase());
}

/**
 * Errors of discord.js contain files, member input and, in the URL, the interaction token, which allows edits of the
 * reply. Logs only the fields that identify the failure.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
	const fields = error as unknown as Readonly<Record<string, unknown>>;
	const described: Record<string, unknown> = {
		type: error.constructor.name,
		message: redactMessage(error.message),
	};
	// Causes can refer to each other.
	if (depth === 0) return described;
	described["stack"] = redactMessage(error.stack ?? "");
	for (const name of ERROR_FIELDS) {
		const value = fields[name];
		if (typeof value === "string" || typeof value === "number") described[name] = value;
	}
	if (typeof fields["url"] === "string") described["route"] = redactTokens(fields["url"]);
	if (error.cause !== undefined) described["cause"] = redact(error.cause, depth - 1);
	if (error instanceof AggregateError) described["errors"] = redact(error.errors, depth - 1);
	return described;
}

/** Removes header values, and the texts of Discord's field errors, which may repeat member input. Keeps path and code. */
function redactMessage(text: string): string {
	return redactTokens(text)
		.replaceAll(/^(\S+\[\w+\]): .*$/gm, "$1")
		.replaceAll(/"[^"]*" is an invalid header value/g, "an invalid header value");
}

/** Removes the token from `/webhooks/APP/TOKEN/…` and `/interactions/ID/TOKEN/…`, and secrets in headers. */
function redactTokens(text: string): string {
	return text
		.replaceAll(/\/(webhooks|interactions)\/(\d+)\/[^/?\s"]+/g, "/$1/$2/[token]")
		.replaceAll(/\b(Bearer|Bot) [\w.~+/=-]{16,}/g, "$1 [token]");
}
