import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand } from "../web/src/curl-command.ts";

const ORIGIN = "http://127.0.0.1:8080";
const REQUEST = {
	method: "POST",
	path: "/channels/1/messages",
	authorization: "Bot",
	reason: null,
	isForm: false,
	files: [],
};

/** Returns the arguments that a shell passes to curl. */
function curlArguments(command: string): string[] {
	const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
	const env = { BOT_TOKEN: "BOT", TOKEN: "TOKEN", CLIENT_ID: "ID", CLIENT_SECRET: "SECRET" };
	return execFileSync("/bin/sh", ["-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

const to = (method: string, path: string) => ["-X", method, `${ORIGIN}/api/v10${path}`];
const POST = [...to("POST", REQUEST.path), "-H", "Authorization: Bot BOT"];
const JSON_TYPE = ["-H", "Content-Type: application/json"];
const JSON_BODY = { content: `it's "$HOME" \`x\` \\ ü\n` };
const FILE = { field: "files[0]", name: "a b.png", bytes: 3 };
const WITH_TOKEN = "/messages/%40original?a=$b";
const LOGIN = { path: "/oauth2/token", authorization: "Basic", isForm: true };
const CODE = { grant_type: "authorization_code", code: "[redacted]" };

test.each<[rule: string, record: Partial<Parameters<typeof curlCommand>[0]>, args: readonly string[]]>([
	[
		"a JSON body is in quotes",
		{ request: { json: JSON_BODY, bytes: 1 } },
		[...POST, ...JSON_TYPE, "--data-raw", JSON.stringify(JSON_BODY)],
	],
	[
		"a path has the interaction's token as a variable",
		{ method: "GET", path: `/webhooks/1/…${WITH_TOKEN}`, authorization: null },
		to("GET", `/webhooks/1/TOKEN${WITH_TOKEN}`),
	],
	[
		"an upload names its files",
		{ files: [FILE], request: { json: { content: "x" }, bytes: 1 } },
		[...POST, "--form-string", 'payload_json={"content":"x"}', "-F", "files[0]=@a b.png"],
	],
	[
		"a token request is a form with the client's credentials as variables",
		{ ...LOGIN, request: { json: CODE, bytes: 1 } },
		[
			...to("POST", LOGIN.path),
			"-u",
			"ID:SECRET",
			"--data-urlencode",
			"grant_type=authorization_code",
			"--data-urlencode",
			"code=[redacted]",
		],
	],
	[
		"the reason for the audit log is encoded, because headers have no Unicode",
		{ reason: "it's späm" },
		[...POST, "-H", "X-Audit-Log-Reason: it's%20sp%C3%A4m"],
	],
	[
		"a body that the log has cut is read from a file",
		{ request: { text: '{"content":', bytes: 20_000 } },
		[...POST, ...JSON_TYPE, "-d", "@body.json"],
	],
])("%s", (_, record, args) => {
	expect(curlArguments(curlCommand({ ...REQUEST, ...record }, ORIGIN))).toStrictEqual(args);
});
