/** Explains startup errors to the operator: what failed, and what to check. */
import { OperatorError } from "@atelier/common/operator-error";
import { SQLITE } from "@atelier/store/sqlite-errors";
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
	/** SQLite's extended result code. */
	readonly errcode: number;
	/** Discord's HTTP status. */
	readonly status: number;
	readonly message: string;
}

/** The values of HOST and METRICS_HOST: they tell whether a name lookup failed for an address to listen on. */
type Hosts = readonly (string | undefined)[];

interface Explanation {
	readonly matches: (facts: ErrorFields, hosts: Hosts) => boolean;
	readonly explain: (facts: ErrorFields) => string;
}

export const TOKEN_REJECTED = "Discord rejects DISCORD_TOKEN. Copy it again from the developer portal, under Bot.";
/** Ends the walk through causes that refer to each other. */
const CAUSES_MAX = 10;

const hasCode =
	(...codes: readonly string[]) =>
	({ code }: ErrorFields): boolean =>
		codes.includes(code);
/** An extended result code has the primary one in its lowest byte. */
const hasSqliteCode =
	(...primaryCodes: readonly number[]) =>
	({ errcode }: ErrorFields): boolean =>
		primaryCodes.includes(errcode & 0xff);
const isListenError = ({ syscall, hostname }: ErrorFields, hosts: Hosts): boolean =>
	syscall === "listen" || syscall === "bind" || (hostname !== "" && hosts.includes(hostname));

/** Errors of a file, a folder, a database or an address to listen on. */
const SYSTEM_EXPLANATIONS: readonly Explanation[] = [
	{
		matches: hasCode("EADDRINUSE"),
		explain: ({ address, port }) =>
			`the address ${address.includes(":") ? `[${address}]` : address}:${port} is in use by another program, perhaps another Atelier. Stop it, or set PORT (METRICS_PORT for metrics) to another one.`,
	},
	{
		matches: (facts, hosts) => hasCode("EACCES", "EPERM")(facts) && isListenError(facts, hosts),
		explain: () => "not allowed to listen on PORT. Choose one above 1023, METRICS_PORT too, or give the permission.",
	},
	{
		matches: isListenError,
		explain: () =>
			"HOST or METRICS_HOST is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all.",
	},
	{
		matches: hasCode("EACCES", "EPERM", "EROFS"),
		explain: ({ path }) =>
			`permission denied for ${path || "DATA_DIR"}. Give it to this user, run as another user, or set another DATA_DIR.`,
	},
	{
		matches: hasCode("EEXIST", "ENOTDIR"),
		explain: ({ path }) => `${path || "DATA_DIR"} must be a folder, but it is a file. Move it, or set another one.`,
	},
	{
		matches: (facts) => facts.syscall === "mkdir" && hasCode("ENOENT", "ENAMETOOLONG", "ELOOP", "EINVAL", "EIO")(facts),
		explain: ({ path, code }) =>
			`cannot create the folder ${path || "DATA_DIR"} (${code}). Set DATA_DIR, or STORE_URL, to a place where a folder can be created.`,
	},
	{
		matches: (facts) => hasCode("ENOSPC", "EDQUOT")(facts) || hasSqliteCode(SQLITE.FULL)(facts),
		explain: () => "the disk is full. Free some space for DATA_DIR and the database.",
	},
	{
		matches: hasSqliteCode(SQLITE.CORRUPT, SQLITE.NOTADB),
		explain: () =>
			"the file is not a database, or is damaged. Restore the file of STORE_URL or of DATA_DIR from a backup.",
	},
	{
		matches: hasSqliteCode(SQLITE.CANTOPEN),
		explain: () => "cannot open the database. STORE_URL must name a file in a writable folder.",
	},
	{
		matches: hasSqliteCode(SQLITE.IOERR),
		explain: () => "cannot read or write the database file. Check that the disk is not full or damaged.",
	},
	{
		matches: hasSqliteCode(SQLITE.PERM, SQLITE.READONLY),
		explain: () => "not allowed to write the database. Give the permission, or set another STORE_URL.",
	},
	{
		matches: hasSqliteCode(SQLITE.BUSY, SQLITE.LOCKED),
		explain: () => "the database is locked by another program. Stop it.",
	},
];

const DISCORD_EXPLANATIONS: readonly Explanation[] = [
	{
		matches: (facts) =>
			hasCode("TokenInvalid")(facts) || facts.status === 401 || facts.message === "Authentication failed",
		explain: () => TOKEN_REJECTED,
	},
	{
		matches: ({ message }) => /^(Invalid shard|Sharding is required)$/.test(message),
		explain: () => "Discord rejects the shards. Check SHARDS and SHARD_COUNT, or set neither.",
	},
	{
		matches: ({ status }) => status === 404,
		explain: () => "Discord's API is not at this address. Check DISCORD_API_URL, or remove it.",
	},
	{
		matches: ({ status }) => status === 429 || status >= 500,
		explain: ({ status }) => `Discord responds with the error ${status}. Start again in a few minutes.`,
	},
	{
		matches: ({ code, syscall, message }) =>
			syscall === "getaddrinfo" ||
			syscall === "connect" ||
			/^(ECONN|EHOSTUN|ENETUN|EAI_|ETIMEDOUT|EPIPE|UND_ERR_)/.test(code) ||
			/^(This operation was aborted|Request aborted|Unexpected server response|Opening handshake)/.test(message),
		explain: () =>
			"cannot reach Discord, or the address in DISCORD_API_URL. Is the network up, and does name resolution work?",
	},
	{
		matches: ({ code }) => /CERT|SELF_SIGNED|^ERR_(TLS|SSL)/.test(code),
		explain: () => "Discord's certificate is not trusted. Is there a proxy in between?",
	},
];

/** Explains an error of a file, a folder, a database or an address; `undefined` for any other error. */
export function explainSystemError(error: unknown, hosts: Hosts = []): string | undefined {
	return explain(SYSTEM_EXPLANATIONS, errorFields(error), hosts);
}

/** Returns the text that the bot prints when its start fails. */
export function explainStartupError(error: unknown, hosts: Hosts): string {
	if (error instanceof ConfigError) return error.message;
	if (error instanceof OperatorError) return `Cannot start: ${error.message}`;
	const facts = errorFields(error);
	const explanation = explain([...SYSTEM_EXPLANATIONS, ...DISCORD_EXPLANATIONS], facts, hosts);
	return `Cannot start: ${explanation ?? `${facts.message.split("\n", 1)[0]}. LOG_LEVEL=debug shows more.`}`;
}

/** The first match wins. */
function explain(explanations: readonly Explanation[], facts: ErrorFields, hosts: Hosts): string | undefined {
	return explanations.find(({ matches }) => matches(facts, hosts))?.explain(facts);
}

/** Collects each field from the first error of the chain that has it. */
function errorFields(error: unknown): ErrorFields {
	const chain = chainOf(error);
	const text = (name: string): string | undefined => chain.map((each) => each[name]).find(isText);
	const number = (name: string): number => chain.map((each) => each[name]).find(isNumber) ?? 0;
	return {
		code: text("code") ?? "",
		syscall: text("syscall") ?? "",
		hostname: text("hostname") ?? "",
		path: text("path") ?? "",
		address: text("address") ?? "",
		port: number("port"),
		errcode: number("errcode"),
		status: number("status"),
		message: text("message") ?? String(error),
	};
}

/** Returns an error and its causes. Continues an aggregate with its first error. */
function chainOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
	const chain: Readonly<Record<string, unknown>>[] = [];
	for (let each = error; each instanceof Error && chain.length < CAUSES_MAX;) {
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
