import { DiscordAPIError, HTTPError } from "discord.js";
import { expect, test } from "vitest";
import { OperatorError } from "@atelier/common/operator-error";
import { explainStartupError } from "../../src/config/startup-errors.ts";

const HOST = "atelier.internal";
const METRICS_HOST = "metrics.internal";
const ADDRESS = "https://discord.com/api/v10/gateway/bot";
const error = (fields: object, message = "it failed"): Error => Object.assign(new Error(message), fields);
const apiError = (status: number) =>
	new DiscordAPIError({ code: 0, message: "no" }, 0, status, "GET", ADDRESS, { files: undefined, body: undefined });
const httpError = (status: number) =>
	new HTTPError(status, "no", "GET", ADDRESS, { files: undefined, body: undefined });
const sqliteError = (errcode: number): Error => error({ code: "ERR_SQLITE_ERROR", errcode });

test.each<[string, unknown, string]>([
	[
		"a taken port on IPv6",
		error({ code: "EADDRINUSE", syscall: "listen", address: "::1", port: 80 }),
		"the address [::1]:80 is in use",
	],
	["a port below 1024", error({ code: "EACCES", syscall: "listen" }), "not allowed to listen on PORT"],
	[
		"an unknown HOST",
		error({ code: "ENOTFOUND", syscall: "getaddrinfo", hostname: HOST }),
		"HOST or METRICS_HOST is not an address",
	],
	[
		"an unknown METRICS_HOST",
		error({ code: "ENOTFOUND", syscall: "getaddrinfo", hostname: METRICS_HOST }),
		"HOST or METRICS_HOST is not an address",
	],
	["no network", error({ code: "ENOTFOUND", syscall: "getaddrinfo", hostname: "discord.com" }), "cannot reach Discord"],
	[
		"several closed ports",
		new AggregateError([error({ code: "ECONNREFUSED", syscall: "connect" })]),
		"cannot reach Discord",
	],
	["a file in the path", error({ code: "ENOTDIR", syscall: "mkdir", path: "/x/y" }), "/x/y must be a folder"],
	[
		"a folder with a long name",
		error({ code: "ENAMETOOLONG", syscall: "mkdir", path: "/x/y" }),
		"cannot create the folder /x/y (ENAMETOOLONG)",
	],
	["a forbidden folder", error({ code: "EACCES", syscall: "mkdir", path: "/x" }), "permission denied for /x"],
	["a full disk", error({ code: "ENOSPC", syscall: "write" }), "the disk is full"],
	["a database that was moved (SQLITE_READONLY_DBMOVED)", sqliteError(1032), "not allowed to write the database"],
	["a failing disk (SQLITE_IOERR_WRITE)", sqliteError(778), "cannot read or write the database file"],
	["a locked database (SQLITE_BUSY)", sqliteError(5), "locked by another program"],
	["a token that the gateway rejects", new Error("Authentication failed"), "Discord rejects DISCORD_TOKEN"],
	["a token that REST rejects", apiError(401), "Discord rejects DISCORD_TOKEN"],
	["a wrong DISCORD_API_URL", apiError(404), "Check DISCORD_API_URL"],
	["an outage", httpError(503), "with the error 503"],
	["an operator error", new OperatorError("the moon is up."), "the moon is up."],
	["anything else", new Error("something new\nwith more"), "something new. LOG_LEVEL=debug shows more."],
	["a thrown value that is not an error", "thrown text", "thrown text. LOG_LEVEL=debug shows more."],
])("%s is explained in one line, without a stack", (_what, failure, words) => {
	const explained = explainStartupError(failure, [HOST, METRICS_HOST]);
	expect(explained).toMatch(/^Cannot start: [^\n]+\.$|^Cannot start: [^\n]+\?$/);
	expect(explained).toContain(words);
});

test("a cause is found at any depth", () => {
	const cause = error({ code: "EEXIST", syscall: "mkdir", path: "/x" });
	const outer = new Error("while starting", { cause: new Error("while opening", { cause }) });
	expect(explainStartupError(outer, [])).toContain("/x must be a folder");
});
