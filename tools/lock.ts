// What package-lock.json says of the packages that are installed.
import { readFileSync } from "node:fs";

interface LockedPackage {
	readonly version?: string;
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

/** Every package of the lock but the project itself, by name, the same name again for another version. */
export function lockedPackages(): readonly Locked[] {
	const text = readFileSync(new URL("../package-lock.json", import.meta.url), "utf8");
	const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };
	return Object.entries(packages)
		.filter(([path]) => path.includes("node_modules/"))
		.map(([path, locked]) => ({ ...locked, name: path.slice(path.lastIndexOf("node_modules/") + 13) }))
		.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
