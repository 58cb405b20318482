import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { commandHint } from "../../src/config/command-hint.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

test("a hint names npx in a checkout, and the command of the environment elsewhere", () => {
	expect(commandHint("doctor")).toBe("`npx atelier doctor`");
	expect(commandHint("doctor", "sudo atelier")).toBe("`sudo atelier doctor`");
});

test("the services of Compose, the image and the systemd service each set the command that a hint names", () => {
	const { services } = parse(read("compose.yaml"), { merge: true }) as {
		services: Record<string, { image: string; environment: Record<string, string> }>;
	};
	const ownServices = Object.entries(services).filter(([, { image }]) => image === "atelier");
	expect(ownServices).toHaveLength(3);
	for (const [name, { environment }] of ownServices) {
		expect(environment["ATELIER_COMMAND"]).toBe(`docker compose exec ${name} atelier`);
	}
	expect(read("Dockerfile")).toContain('ATELIER_COMMAND="docker exec NAME atelier"');
	for (const path of ["ops/systemd/atelier.service", "ops/systemd/atelier"]) {
		expect(read(path)).toMatch(/ATELIER_COMMAND=sudo atelier/);
	}
});
