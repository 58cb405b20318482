// Runs a script on Node 24: on this Node where it is new enough, else on the one that `npm ci` brought from the
// registry (tools/node/package.json). Usage: node tools/node24.mjs SCRIPT [ARGUMENT ...]
//
// Written for old versions of Node, which is why it is plain JavaScript.
// docs/decisions/0001-node-from-the-registry.md says why this and not node_modules/.bin/node.
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

/** Whether `npm ci` brings that package, as one of its tools of development. */
function isOffered(name) {
	const manifest = JSON.parse(readFileSync(new URL("node/package.json", import.meta.url), "utf8"));
	return manifest.optionalDependencies[name] !== undefined;
}

// If this process is killed, the channel to the child breaks, and the child exits.
const leash = new URL("leave-with-launcher.mjs", import.meta.url).href;
// The compile cache nearly halves the time of the next start. Not used if the folder is not writable.
const compileCache = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
const child = spawn(nodeBinary(), ["--import", leash, ...process.argv.slice(2)], {
	env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
	stdio: ["inherit", "inherit", "inherit", "ipc"],
});
let wasAsked = false;
function stop(signal) {
	wasAsked = true;
	child.kill(signal);
}
// A supervisor may signal this process alone, and a terminal signals both: the script takes that as one request. On Windows a
// console tells both, and a signal from here would end the script at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
	process.on(signal, () => {
		if (process.platform !== "win32") stop(signal);
	});
}
// npm passes on SIGINT and SIGTERM only. A shell in between, such as dash without `exec`, passes on none. On Windows a
// process keeps the id of its dead parent.
const parent = process.ppid;
if (process.env.npm_lifecycle_event !== undefined) {
	setInterval(() => {
		if (!wasAsked && process.ppid !== parent) stop("SIGTERM");
	}, PARENT_CHECK_MS).unref();
}
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
