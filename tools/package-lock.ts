// Parses package-lock.json.
import { readFileSync } from "node:fs";

interface LockedPackage {
	readonly version?: string;
	readonly resolved?: string;
	readonly license?: string;
	readonly integrity?: string;
	readonly dev?: true;
	readonly link?: true;
	readonly hasInstallScript?: true;
	readonly os?: readonly string[];
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Locked extends LockedPackage {
	readonly name: string;
}

type LockedByPath = Readonly<Record<string, LockedPackage>>;

const FOLDER = "node_modules/";

function readLock(): LockedByPath {
	const text = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
	return (JSON.parse(text) as { readonly packages: LockedByPath }).packages;
}

/** Every package of the lock except the project itself, once for each folder in which it is installed. */
export function lockedPackages(): readonly Locked[] {
	return Object.entries(readLock())
		.filter(([path]) => path.includes(FOLDER))
		.map(([path, locked]) => ({ ...locked, name: path.slice(path.lastIndexOf(FOLDER) + FOLDER.length) }))
		.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Problems of the lock: packages without a checksum or with the address of a registry, and missing packages of other platforms. */
export function lockProblems(packages: LockedByPath = readLock()): readonly string[] {
	const problems: string[] = [];
	for (const [path, { link, integrity = "", resolved, optionalDependencies = {} }] of Object.entries(packages)) {
		if (path.includes(FOLDER) && !link) {
			if (!integrity.startsWith("sha512-")) problems.push(`${path} has no checksum`);
			if (resolved !== undefined) problems.push(`${path} names the registry it came from`);
		}
		for (const name of Object.keys(optionalDependencies)) {
			if (!isLocked(packages, path, name))
				problems.push(`${name}, which ${path || "the project"} may need, is missing`);
		}
	}
	return problems;
}

/** Resolves a package as Node does: beside the dependent package, and in each folder above. */
function isLocked(packages: LockedByPath, path: string, name: string): boolean {
	for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${FOLDER}`)))) {
		if (packages[`${folder === "" ? "" : `${folder}/`}${FOLDER}${name}`] !== undefined) return true;
		if (folder === "") return false;
	}
}
