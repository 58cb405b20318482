/** Explains startup errors to the operator: what failed, and what to check. */
import { OperatorError } from "@atelier/common/operator-error";
import { ConfigError } from "./config-error.ts";

/** Fields of errors of Node.js, SQLite and discord.js, from the whole chain of causes. */
interface ErrorFields {
	readonly code: string;
	readonly syscall: string;
	readonly hostname: string;
	/** The file or folder. */
	readonly path: string;
	/** The address to listen on. */
	readonly address: string;
	readonly port: number;
	/** SQLite's result code. */
	readonly errcode: number;
	/** Discord's HTTP status. */
	readonly status: number;
	readonly message: string;
}

interface Explanation {
	readonly when: (facts: ErrorFields, host: string) => boolean;
	readonly say: (facts: ErrorFields) => string;
}

const is =
	(...codes: readonly string[]) =>
	({ code }: ErrorFields): boolean =>
		codes.includes(code);
const sqlite =
	(...errcodes: readonly number[]) =>
	({ errcode }: ErrorFields): boolean =>
		errcodes.includes(errcode & 0xff);
const isListening = ({ syscall, hostname }: ErrorFields, host: string): boolean =>
	syscall === "listen" || syscall === "bind" || (hostname !== "" && hostname === host);

const UNREACHABLE =
	"cannot reach Discord, or the address in DISCORD_API_URL. Is the network up, and does name resolution work?";

/** The first match wins. */
const EXPLANATIONS: readonly Explanation[] = [
	{
		when: is("EADDRINUSE"),
		say: ({ address, port }) =>
			`the address ${address.includes(":") ? `[${address}]` : address}:${port} is in use by another program, perhaps another Atelier. Stop it, or set PORT (METRICS_PORT for metrics) to another one.`,
	},
	{
		when: (facts, host) => is("EACCES", "EPERM")(facts) && isListening(facts, host),
		say: () => "not allowed to listen on PORT. Choose one above 1023, METRICS_PORT too, or give the permission.",
	},
	{
		when: isListening,
		say: () => "HOST or METRICS_HOST is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all.",
	},
	{
		when: is("EACCES", "EPERM", "EROFS"),
		say: ({ path }) => `not allowed to write ${path || "in DATA_DIR"}. Give the permission, or set another DATA_DIR.`,
	},
	{
		when: is("EEXIST", "ENOTDIR"),
		say: ({ path }) => `${path || "DATA_DIR"} must be a folder, but it is a file. Move it, or set another one.`,
	},
	{
		when: is("EISDIR"),
		say: ({ path }) => `${path || "a file in DATA_DIR"} must be a file, but it is a folder. Move it.`,
	},
	{
		when: (facts) => facts.syscall === "mkdir" && is("ENOENT", "ENAMETOOLONG", "ELOOP", "EINVAL", "EIO")(facts),
		say: ({ path, code }) =>
			`cannot create the folder ${path || "DATA_DIR"} (${code}). Set DATA_DIR, or STORE_URL, to a place where a folder can be created.`,
	},
	{ when: is("ENOSPC", "EDQUOT"), say: () => "the disk is full. Free some space in DATA_DIR." },
	{
		when: sqlite(11, 26),
		say: () => "the file is not a database, or is damaged. Restore the file of STORE_URL or of DATA_DIR from a backup.",
	},
	{
		when: sqlite(14),
		say: () => "cannot open the database. STORE_URL must name a file in a writable folder.",
	},
	{
		when: sqlite(3, 8),
		say: () => "not allowed to write the database. Give the permission, or set another STORE_URL.",
	},
	{ when: sqlite(5, 6), say: () => "the database is locked by another program. Stop it." },
	{ when: sqlite(13), say: () => "the disk is full. Free some space for the database." },
	{
		when: (facts) => is("TokenInvalid")(facts) || facts.status === 401 || facts.message === "Authentication failed",
		say: () => "Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, under Bot.",
	},
	{
		when: ({ message }) => /^(Invalid shard|Sharding is required)$/.test(message),
		say: () => "Discord refuses the shards. Check SHARDS and SHARD_COUNT, or set neither.",
	},
	{
		when: ({ message }) => /^Used (invalid|disallowed) intents$/.test(message),
		say: () => "Discord refuses the bot's intents.",
	},
	{
		when: ({ status }) => status === 404,
		say: () => "Discord's API is not at this address. Check DISCORD_API_URL, or remove it.",
	},
	{
		when: ({ status }) => status === 429 || status >= 500,
		say: ({ status }) => `Discord responds with the error ${status}. Start again in a few minutes.`,
	},
	{
		when: ({ code, syscall, message }) =>
			syscall === "getaddrinfo" ||
			syscall === "connect" ||
			/^(ECONN|EHOSTUN|ENETUN|EAI_|ETIMEDOUT|EPIPE|UND_ERR_)/.test(code) ||
			/^(This operation was aborted|Request aborted|Unexpected server response|Opening handshake)/.test(message),
		say: () => UNREACHABLE,
	},
	{
		when: ({ code }) => /CERT|SELF_SIGNED|^ERR_(TLS|SSL)/.test(code),
		say: () => "Discord's certificate is not trusted. Is there a proxy in between?",
	},
];

/** Explains an error of a file, a folder, a database or an address; `undefined` for any other error. */
export function explainSystemError(error: unknown): string | undefined {
	const facts = errorFields(error);
	if (facts.syscall === "" && facts.errcode === 0) return undefined;
	return EXPLANATIONS.find(({ when }) => when(facts, ""))?.say(facts);
}

/** Returns the text that a program prints when its start fails. `host` is HOST. */
export function explainStartupError(error: unknown, host = ""): string {
	if (error instanceof ConfigError) return error.message;
	if (error instanceof OperatorError) return `Cannot start: ${error.message}`;
	const facts = errorFields(error);
	const found = EXPLANATIONS.find(({ when }) => when(facts, host));
	return `Cannot start: ${found?.say(facts) ?? `${facts.message.split("\n", 1)[0]}. LOG_LEVEL=debug shows more.`}`;
}

/** The first error with a code decides; other fields come from the first error that has them. */
function errorFields(error: unknown): ErrorFields {
	const chain = chainOf(error);
	const telling = chain.find((each) => typeof each["code"] === "string") ?? chain[0] ?? {};
	const first = <T>(name: string, isWanted: (value: unknown) => value is T): T | undefined =>
		chain.map((each) => each[name]).find(isWanted);
	return {
		code: isText(telling["code"]) ? telling["code"] : "",
		syscall: first("syscall", isText) ?? "",
		hostname: first("hostname", isText) ?? "",
		path: first("path", isText) ?? "",
		address: first("address", isText) ?? "",
		port: first("port", isNumber) ?? 0,
		errcode: first("errcode", isNumber) ?? 0,
		status: first("status", isNumber) ?? 0,
		message: first("message", isText) ?? String(error),
	};
}

/** Yields an error and its causes; of an aggregate, the first error. */
function chainOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
	const chain: Readonly<Record<string, unknown>>[] = [];
	for (let each = error; each instanceof Error && chain.length < 10;) {
		chain.push(each as unknown as Readonly<Record<string, unknown>>);
		each = each.cause ?? (each instanceof AggregateError ? each.errors[0] : undefined);
	}
	return chain;
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value !== "";
}

function isNumber(value: unknown): value is number {
	return typeof value === "number";
}
