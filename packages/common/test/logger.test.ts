import { DiscordAPIError, HTTPError } from "discord.js";
import type { Logger } from "pino";
import { expect, test } from "vitest";
import { createLogger } from "../src/logger.ts";

const URL_WITH_TOKEN = "https://discord.com/api/v10/webhooks/123456789012345678/planted-token/messages/@original";

function setup() {
	const lines: string[] = [];
	const destination = { write: (line: string) => void lines.push(line) };
	const logger = createLogger({ level: "trace", pretty: false, destination });
	return {
		logger,
		line: () => JSON.parse(lines.at(-1) ?? "{}") as Record<string, unknown>,
		text: () => lines.join(""),
	};
}

function discordApiError(): DiscordAPIError {
	const fieldError = { code: "BASE_TYPE_MAX_LENGTH", message: "planted-prompt is too long" };
	const rawError = { code: 50_035, message: "Invalid Form Body", errors: { content: { _errors: [fieldError] } } };
	const body = { files: [{ data: Buffer.from("planted-file"), name: "x" }], body: { content: "planted-prompt" } };
	return new DiscordAPIError(rawError, 50_035, 400, "PATCH", URL_WITH_TOKEN, body);
}

const httpError = (): HTTPError =>
	new HTTPError(503, "Service Unavailable", "PATCH", URL_WITH_TOKEN, { files: undefined, body: "planted-prompt" });

test("an error of Discord is logged with its message and the route, without the body, the files and the token", () => {
	const { logger, line } = setup();
	logger.error({ err: discordApiError() }, "failed");
	expect(line()).toStrictEqual({
		level: 50,
		time: expect.any(String),
		msg: "failed",
		err: {
			type: "DiscordAPIError",
			message: "Invalid Form Body\ncontent[BASE_TYPE_MAX_LENGTH]",
			stack: expect.any(String),
			code: 50_035,
			status: 400,
			method: "PATCH",
			route: "https://discord.com/api/v10/webhooks/123456789012345678/[token]/messages/@original",
		},
	});
});

test.each<[string, (logger: Logger) => void]>([
	["under another key", (logger) => logger.error({ error: discordApiError() }, "x")],
	["by itself", (logger) => logger.error(discordApiError())],
	["as a cause", (logger) => logger.error({ err: new Error("outer", { cause: discordApiError() }) }, "x")],
	["among others", (logger) => logger.error({ err: new AggregateError([httpError(), discordApiError()]) }, "x")],
	["in a list", (logger) => logger.error({ failures: [{ err: httpError() }] }, "x")],
	["in the bindings of a child's child", (logger) => logger.child({ a: 1 }).child({ err: httpError() }).error("x")],
	["with a token in its message", (logger) => logger.error({ err: new Error(`failed: ${URL_WITH_TOKEN}`) }, "x")],
])("an error is logged without tokens, files and prompts: %s", (_case, log) => {
	const { logger, text } = setup();
	log(logger);
	expect(text()).toContain("Error");
	expect(text()).not.toContain("planted");
});

test.each([
	[{ token: "planted" }],
	[{ headers: { Authorization: "planted" } }],
	[{ target: { reply: { token: "planted" } } }],
	[{ a: [{ b: { c: { apiKey: "planted" } } }] }],
	[{ a: { b: { c: { d: { e: { f: { g: { botToken: "planted" } } } } } } } }],
	[{ url: URL_WITH_TOKEN.replace("planted-token", "planted") }],
	[{ url: "/interactions/1/planted/callback?x=1" }],
	[{ url: "/webhooks/1/planted and /webhooks/2/planted" }],
	[{ err: new TypeError('Headers.append: "Bearer planted\n" is an invalid header value.') }],
	[{ file: Buffer.from("planted") }],
	[{ nested: { toJSON: () => ({ token: "planted" }) } }],
])("a secret is not logged at any depth: %j", (fields) => {
	const { logger, text } = setup();
	logger.info(fields, "x");
	logger.child(fields).info("x");
	expect(text()).not.toContain("planted");
	expect(text()).not.toContain(JSON.stringify([...Buffer.from("planted")]).slice(1, -1));
});

test("errors that are causes of each other are logged down to the sixth", () => {
	const { logger, text } = setup();
	const error = new Error("first");
	error.cause = new Error("second", { cause: error });
	logger.error({ err: error }, "failed");
	expect(text().match(/"message":"(?:first|second)"/g)).toHaveLength(6);
});
