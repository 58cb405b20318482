import { hostname } from "node:os";
import { afterEach, expect, test, vi } from "vitest";
import { commandHint, stoppedCommandHint } from "../../src/config/command-hint.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
	[undefined, "npx atelier", "npx atelier"],
	["sudo atelier", "sudo atelier", "sudo atelier"],
	[
		"docker compose exec atelier-0 atelier",
		"docker compose exec atelier-0 atelier",
		"docker compose run --rm atelier-0 atelier",
	],
	[
		"docker exec NAME atelier",
		`docker exec ${hostname()} atelier`,
		`docker run --rm --volumes-from ${hostname()} --env-file .env atelier atelier`,
	],
])("with ATELIER_COMMAND=%s, hints name the command of a running and of a stopped bot", (set, running, stopped) => {
	vi.stubEnv("ATELIER_COMMAND", set);
	expect(commandHint("doctor")).toBe(`\`${running} doctor\``);
	expect(stoppedCommandHint("restore FILE")).toBe(`\`${stopped} restore FILE\``);
});
