#!/usr/bin/env node
/** The program of the published package: runs a playground on this machine, without a bot. */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { connectionSettings } from "./connection-settings.ts";
import { parseFixtureFile } from "./fixture.ts";
import { startPlayground } from "./start-playground.ts";

const USAGE = `Usage: atelier-playground [--port 8080] [--data FOLDER] [--fixture FILE]

  --port     the port of the page and of the API, on this machine only
  --data     the folder of its state; without one, nothing is stored
  --fixture  a JSON file with the users and servers of a new playground`;

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: "string", default: "8080" },
			data: { type: "string" },
			fixture: { type: "string" },
			help: { type: "boolean", short: "h" },
		},
	});
	if (values.help) return print(USAGE);
	await using playground = await startPlayground({
		port: Number(values.port),
		dataDir: values.data,
		fixture: values.fixture === undefined ? undefined : parseFixtureFile(await readFile(values.fixture, "utf8")),
	});
	print(connectionSettings(playground));
	await new Promise((resolve) => {
		for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.once(signal, resolve);
	});
}

try {
	await main();
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
