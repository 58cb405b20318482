#!/usr/bin/env node
/** The program of the published package: runs a playground on this machine, without a bot. */
import { parseArgs } from "node:util";

const NODE_MAJOR_MIN = 24;
const PORT_MAX = 65_535;
const USAGE = `Usage: atelier-playground [--port 8080] [--data FOLDER] [--fixture FILE]

  --port     the port of the page and of the API, on this machine only
  --data     the folder of its state; without one, nothing is stored
  --fixture  a JSON file with the users and servers of a new playground`;

function parsePort(text: string): number {
	const port = Number(text);
	if (!/^\d+$/.test(text) || port > PORT_MAX)
		throw new Error(`--port needs a number from 0 to ${PORT_MAX}, and this is "${text}".`);
	return port;
}

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
	if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN)
		throw new Error(`The playground needs Node ${NODE_MAJOR_MIN} or newer, and this is ${process.version}.`);
	// Older versions of Node cannot parse these modules.
	const [{ connectionSettings }, { readFixture }, { startPlayground }] = await Promise.all([
		import("./connection-settings.ts"),
		import("./fixture.ts"),
		import("./start-playground.ts"),
	]);
	const playground = await startPlayground({
		port: parsePort(values.port),
		dataDir: values.data,
		fixture: values.fixture === undefined ? undefined : await readFixture(values.fixture),
	});
	print(connectionSettings(playground));
	await new Promise((resolve) => {
		for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.once(signal, resolve);
	});
	await playground[Symbol.asyncDispose]();
}

try {
	await main();
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
