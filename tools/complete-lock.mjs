// Completes package-lock.json after `npm install`, run as `npm run lock`.
//
// A registry mirror may lack the prebuilt binaries of platforms that nobody behind it uses. npm then leaves those
// optional packages out of the lock file, and a later `npm ci` (npm 11.19 and newer) refuses the file as incomplete.
// What is missing is written here from what the parent package declares, so that one lock file serves every platform.
import { readFileSync, writeFileSync } from "node:fs";

const OPERATING_SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm64", "ia32", "ppc64", "riscv64", "s390x", "x64", "arm"];

/** The os, cpu and libc fields of a platform package, which its name spells out. */
function platformOf(name) {
	const words = name.split(/[-/]/);
	const os = OPERATING_SYSTEMS.find((candidate) => words.includes(candidate));
	const cpu = PROCESSORS.find((candidate) => words.includes(candidate));
	if (os === undefined || cpu === undefined) throw new Error(`${name}: cannot tell its platform, add it by hand`);
	const libc = words.some((word) => word.startsWith("musl"))
		? ["musl"]
		: words.some((word) => word.startsWith("gnu"))
			? ["glibc"]
			: undefined;
	return { cpu: [cpu], os: [os], ...(libc && { libc }) };
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const packages = { ...lock.packages };
for (const [path, parent] of Object.entries(lock.packages)) {
	for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
		if (packages[`${path}/node_modules/${name}`] || packages[`node_modules/${name}`]) continue;
		const dev = parent.dev || parent.devOptional ? { dev: true } : {};
		packages[`node_modules/${name}`] = {
			version: range.replace(/^[\^~]/, ""),
			...dev,
			optional: true,
			...platformOf(name),
		};
		console.log(`added ${name}`);
	}
}
lock.packages = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
