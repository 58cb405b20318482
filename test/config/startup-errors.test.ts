import { DiscordAPIError, HTTPError } from "discord.js";
import { expect, test } from "vitest";
import { OperatorError } from "@atelier/common/operator-error";
import { explainStartupError } from "../../src/config/startup-errors.ts";

const HOST = "atelier.internal";
const ADDRESS = "https://discord.com/api/v10/gateway/bot";
const error = (fields: object, message = "it failed"): Error => Object.assign(new Error(message), fields);
const apiError = (status: number) =>
	new DiscordAPIError({ code: 0, message: "no" }, 0, status, "GET", ADDRESS, { files: undefined, body: undefined });
const httpError = (status: number) =>
	new HTTPError(status, "no", "GET", ADDRESS, { files: undefined, body: undefined });
const sqliteError = (errcode: number): Error => error({ code: "ERR_SQLITE_ERROR", errcode });

test.each<[string, unknown, string]>([
	[
		"a taken port",
		error({ code: "EADDRINUSE", syscall: "listen", address: "127.0.0.1", port: 8080 }),
		"the address 127.0.0.1:8080 is in use",
	],
	[
		"a taken port on IPv6",
		error({ code: "EADDRINUSE", syscall: "listen", address: "::1", port: 80 }),
		"the address [::1]:80 is",
	],
	["a port below 1024", error({ code: "EACCES", syscall: "listen" }), "not allowed to listen on PORT"],
	["a foreign HOST", error({ code: "EADDRNOTAVAIL", syscall: "listen" }), "HOST or METRICS_HOST is not an address"],
	[
		"an unknown HOST",
		error({ code: "ENOTFOUND", syscall: "getaddrinfo", hostname: HOST }),
		"HOST or METRICS_HOST is not an address",
	],
	["no network", error({ code: "ENOTFOUND", syscall: "getaddrinfo", hostname: "discord.com" }), "cannot reach Discord"],
	[
		"no name server",
		error({ code: "EAI_AGAIN", syscall: "getaddrinfo", hostname: "discord.com" }),
		"cannot reach Discord",
	],
	["a closed port", error({ code: "ECONNREFUSED", syscall: "connect" }), "cannot reach Discord"],
	[
		"several closed ports",
		new AggregateError([error({ code: "ECONNREFUSED", syscall: "connect" })]),
		"cannot reach Discord",
	],
	["a silent network", error({ code: "UND_ERR_CONNECT_TIMEOUT" }), "cannot reach Discord"],
	["a request that took too long", error({ name: "AbortError" }, "This operation was aborted"), "cannot reach Discord"],
	["a response that is not from a gateway", error({}, "Unexpected server response: 502"), "cannot reach Discord"],
	["a file in place of a folder", error({ code: "EEXIST", syscall: "mkdir", path: "/x" }), "/x must be a folder"],
	["a file in the path", error({ code: "ENOTDIR", syscall: "mkdir", path: "/x/y" }), "/x/y must be a folder"],
	["a folder in place of a file", error({ code: "EISDIR", syscall: "open", path: "/x" }), "/x must be a file"],
	["a forbidden folder", error({ code: "EACCES", syscall: "mkdir", path: "/x" }), "not allowed to write /x"],
	[
		"a folder that cannot be made",
		error({ code: "ENOENT", syscall: "mkdir", path: "/proc/x" }),
		"cannot create the folder /proc/x (ENOENT). Set DATA_DIR",
	],
	["a full disk", error({ code: "ENOSPC", syscall: "write" }), "the disk is full"],
	["a damaged database (SQLITE_CORRUPT)", sqliteError(11), "the file is not a database, or is damaged"],
	["a file that is not a database (SQLITE_NOTADB)", sqliteError(26), "the file is not a database, or is damaged"],
	["a folder in place of a database (SQLITE_CANTOPEN)", sqliteError(14), "cannot open the database"],
	["a database that may only be read (SQLITE_READONLY)", sqliteError(8), "not allowed to write the database"],
	["a database that was moved (SQLITE_READONLY_DBMOVED)", sqliteError(1032), "not allowed to write the database"],
	["a locked database (SQLITE_BUSY)", sqliteError(5), "locked by another program"],
	["a rejected token", error({ code: "TokenInvalid" }), "Discord rejects DISCORD_TOKEN"],
	["a token that the gateway rejects", new Error("Authentication failed"), "Discord rejects DISCORD_TOKEN"],
	["a token that REST rejects", apiError(401), "Discord rejects DISCORD_TOKEN"],
	["rejected shards", new Error("Sharding is required"), "Discord rejects the shards"],
	["rejected intents", new Error("Used disallowed intents"), "Discord rejects the bot's intents"],
	["a wrong DISCORD_API_URL", apiError(404), "Check DISCORD_API_URL"],
	["an outage", httpError(503), "with the error 503"],
	["an untrusted certificate", error({ code: "SELF_SIGNED_CERT_IN_CHAIN" }), "certificate"],
	["an operator error", new OperatorError("the moon is up."), "the moon is up."],
	["anything else", new Error("something new\nwith more"), "something new. LOG_LEVEL=debug shows more."],
	["a thrown value that is not an error", "thrown text", "thrown text. LOG_LEVEL=debug shows more."],
])("%s is explained in one line, without a stack", (_what, failure, words) => {
	const explained = explainStartupError(failure, HOST);
	expect(explained).toMatch(/^Cannot start: [^\n]+\.$|^Cannot start: [^\n]+\?$/);
	expect(explained).toContain(words);
});

test("a cause is found at any depth", () => {
	const cause = error({ code: "EEXIST", syscall: "mkdir", path: "/x" });
	const outer = new Error("while starting", { cause: new Error("while opening", { cause }) });
	expect(explainStartupError(outer, HOST)).toContain("/x must be a folder");
});

test("an operator error of several lines is printed with its lines", () => {
	const fault = new OperatorError("check engines.json\n  engines: expected at least one engine");
	expect(explainStartupError(fault)).toBe("Cannot start: check engines.json\n  engines: expected at least one engine");
});
