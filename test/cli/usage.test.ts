import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { runCli } from "./run-cli.ts";

const GUILD = "1000000000000000001";
const GRANT = `credits grant ${GUILD} 5 --reason`;
const CREATE = "keys create acme --name x";

/** A store that does not exist: a command that opens it exits with 1. Invalid arguments end before that, with 2. */
const env = { STORE_URL: "sqlite:/nowhere/at/all.db" };

describe("invalid arguments are rejected with the reason, the usage, and exit code 2", () => {
	test.each([
		["give", "unknown command 'give'"],
		["credits", "Usage: atelier credits"],
		["credits show my-server", "Expected the server's id, a number of 17 to 20 digits."],
		...["0", "1.5", "1e3", "1000000001"].map((amount) => [
			`credits grant ${GUILD} ${amount} --reason birthday`,
			"Expected a whole number from 1 to 1,000,000,000.",
		]),
		[`${GRANT} a`, "Expected 3 to 200 characters."],
		[`${GRANT} work --expires soon`, "Expected a day of the calendar such as 2026-12-31."],
		[`${GRANT} work --id a::b`, "Expected up to 80 letters, digits, dots and dashes."],
		["tasks cancel all", "Expected the task's id, a number."],
		["privacy delete ada", "Expected the user's id, a number of 17 to 20 digits."],
		["backup --check", "expected a file to check"],
		["restore", "expected either a file or --open"],
		["keys create a/b --name x", "Expected 1 to 64 letters"],
		[`${CREATE} --scopes admin`, "Expected one or more of generate, read."],
		[`${CREATE} --models a,,b`, "Expected a list such as a,b."],
		[`${CREATE} --addresses 10.0.0.0/33`, "Expected networks such as 203.0.113.0/24."],
		[`${CREATE} --addresses 10.0.0.0/`, "Expected networks"],
		[`${CREATE} --addresses 2001:db8::/129`, "Expected networks"],
		[`${CREATE} --addresses 10.0.0.0/8/8`, "Expected networks"],
		[`${CREATE} --addresses example.com`, "Expected networks"],
		[`${CREATE} --expires 2026-02-30`, "Expected a day of the calendar"],
		[`${CREATE} --cap 0`, "Expected a whole number"],
		[`${CREATE} --per day`, "--per goes with --cap only"],
		["keys revoke sk-secret", "Expected the 16 digits that `keys list` shows"],
	])("%s: %s", async (line, reason) => {
		const { code, stdout, stderr } = await runCli(line.split(" "), { env });
		expect({ code, stdout }).toStrictEqual({ code: 2, stdout: [] });
		expect(stderr).toContain(reason);
		expect(stderr).toContain(`Usage: atelier`);
	});
});

test.each([
	["credits audit", env, "There is no store at /nowhere/at/all.db."],
	["keys list", env, "There is no store at"],
	["keys revoke 0000000000000000", env, "There is no store at"],
	["accounts list", env, "There is no store at"],
	["credits audit", { STORE_URL: "memory:" }, "which only its own process can read"],
	["tasks list", { STORE_URL: "nonsense" }, "STORE_URL"],
	["backup --check /nowhere/at/all.backup", env, "There is no file or folder /nowhere/at/all.backup."],
	["restore /nowhere/at/all.backup", env, "Nothing was changed."],
	["restore /", env, "A file is needed, and this is a folder."],
	["rotate-keys", env, "PROMPT_KEYS is not set. docs/deploy.md"],
	[
		"studio",
		{ HOST: "host.invalid", STORE_URL: "memory:", DATA_DIR: tmpdir(), LOG_LEVEL: "silent" },
		"Cannot start: HOST or METRICS_HOST is not an address of this machine.",
	],
	["playground", { DISCORD_TOKEN: "x".repeat(40) }, "must not see a real one"],
])("a valid command that fails exits with 1: %s with %j: %s", async (line, given, reason) => {
	const { code, stdout, stderr } = await runCli(line.split(" "), { env: given });
	expect({ code, stdout }).toStrictEqual({ code: 1, stdout: [] });
	expect(stderr).toContain(reason);
	expect(stderr).not.toMatch(/xxxx|\n +at /);
});
