import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand } from "../web/src/curl-command.ts";

const ORIGIN = "http://127.0.0.1:8080";
const REQUEST = { method: "POST", path: "/channels/1/messages", authorization: "Bot", isForm: false, files: [] };

/** Returns the arguments that a shell passes to curl. */
function curlArguments(command: string): string[] {
	const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
	const env = { BOT_TOKEN: "BOT", INTERACTION_TOKEN: "INTERACTION", CLIENT_ID: "ID", CLIENT_SECRET: "SECRET" };
	return execFileSync("/bin/sh", ["-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

test("a JSON request has the bot's token as a variable, and its body in quotes", () => {
	const json = { content: `it's "$HOME" \`x\` \\ ü\n` };
	const command = curlCommand({ ...REQUEST, request: { json, bytes: 1 } }, ORIGIN);
	expect(command).toContain('"Authorization: Bot $BOT_TOKEN"');
	expect(curlArguments(command)).toStrictEqual([
		"-X",
		"POST",
		`${ORIGIN}/api/v10/channels/1/messages`,
		"-H",
		"Authorization: Bot BOT",
		"-H",
		"Content-Type: application/json",
		"--data-raw",
		JSON.stringify(json),
	]);
});

test("a path has the interaction's token as a variable", () => {
	const path = "/webhooks/1/…/messages/%40original?a=$b";
	const command = curlCommand({ ...REQUEST, method: "GET", path, authorization: null }, ORIGIN);
	expect(curlArguments(command)).toStrictEqual([
		"-X",
		"GET",
		`${ORIGIN}/api/v10/webhooks/1/INTERACTION/messages/%40original?a=$b`,
	]);
});

test("an upload names its files", () => {
	const files = [{ field: "files[0]", name: "a b.png", bytes: 3 }];
	const command = curlCommand({ ...REQUEST, files, request: { json: { content: "x" }, bytes: 1 } }, ORIGIN);
	expect(curlArguments(command).slice(5)).toStrictEqual([
		"--form-string",
		'payload_json={"content":"x"}',
		"-F",
		"files[0]=@a b.png",
	]);
});

test("a token request is a form with the client's credentials as variables", () => {
	const json = { grant_type: "authorization_code", code: "[redacted]" };
	const request = { ...REQUEST, path: "/oauth2/token", authorization: "Basic", isForm: true };
	const command = curlCommand({ ...request, request: { json, bytes: 1 } }, ORIGIN);
	expect(curlArguments(command).slice(3)).toStrictEqual([
		"-u",
		"ID:SECRET",
		"--data-urlencode",
		"grant_type=authorization_code",
		"--data-urlencode",
		"code=[redacted]",
	]);
});

test("a body that the log has cut is read from a file", () => {
	const command = curlCommand({ ...REQUEST, request: { text: '{"content":', bytes: 20_000 } }, ORIGIN);
	expect(curlArguments(command).slice(-2)).toStrictEqual(["-d", "@body.json"]);
});
