// Runs a script on Node 24: on this Node if it is new enough, otherwise on the one that `npm ci` installed from the
// registry (tools/node/package.json).
//
//     node tools/node24.mjs SCRIPT [ARGUMENT ...]
//
// Plain JavaScript, because old versions of Node run it. docs/decisions/0001-node-from-the-registry.md explains why
// node_modules/.bin/node is not used.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MAJOR_MIN = 24;
const PARENT_CHECK_MS = 250;

function nodeBinary() {
	if (Number.parseInt(process.versions.node, 10) >= MAJOR_MIN) return process.execPath;
	const platform = process.platform === "win32" ? "win" : process.platform;
	try {
		const manifest = createRequire(import.meta.url).resolve(`node-${platform}-${process.arch}/package.json`);
		return join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
	} catch {
		console.error(`Atelier needs Node ${MAJOR_MIN} or newer, and this is ${process.version}.`);
		console.error(
			isOffered(`node-${platform}-${process.arch}`)
				? "`npm ci` without --omit=dev installs one beside Atelier; or install it from https://nodejs.org."
				: `There is no package of it for ${platform}-${process.arch}: install it from https://nodejs.org.`,
		);
		console.error("Then run the same command again.");
		process.exit(1);
	}
}

/** Returns whether `npm ci` installs that package as a development dependency. */
function isOffered(name) {
	const manifest = JSON.parse(readFileSync(new URL("node/package.json", import.meta.url), "utf8"));
	return manifest.optionalDependencies[name] !== undefined;
}

// If this process is killed, the channel to the child breaks, and the child exits.
const exitWithLauncher = new URL("stop-when-launcher-ends.mjs", import.meta.url).href;
// The compile cache nearly halves the time of the next start. Not used if the folder is not writable.
const compileCache = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
const child = spawn(nodeBinary(), ["--import", exitWithLauncher, ...process.argv.slice(2)], {
	env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
	stdio: ["inherit", "inherit", "inherit", "ipc"],
});
let isStopping = false;
function stop(signal) {
	isStopping = true;
	child.kill(signal);
}
// A supervisor may signal this process alone, and a terminal signals both processes: the script counts them as one
// request. On Windows a console signals both, and forwarding a signal would end the script at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
	process.on(signal, () => {
		if (process.platform !== "win32") stop(signal);
	});
}
// npm forwards SIGINT and SIGTERM only. A shell in between, such as dash without `exec`, forwards none. On Windows a
// process keeps the id of its dead parent.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
	setInterval(() => {
		if (!isStopping && process.ppid !== parent) stop("SIGTERM");
	}, PARENT_CHECK_MS).unref();
}
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
