import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACCEPTED, BINARIES, byLicense, licensesMd } from "../../tools/licenses.ts";
import { lockedPackages, lockProblems } from "../../tools/package-lock.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** Packages with an install script, which may not run (.npmrc): docs/decisions/0001-node-from-the-registry.md. */
const WITH_INSTALL_SCRIPT = [
	// Its script fetches an ffmpeg program from a release page; only its library is used, which comes as a package.
	"node-av",
];
const locked = lockedPackages();
const manifest = JSON.parse(read("package.json")) as Readonly<Record<string, Readonly<Record<string, string>>>>;

describe("installed packages", () => {
	test("are pinned, and locked with a checksum for every platform", () => {
		const named = { ...manifest["dependencies"], ...manifest["devDependencies"] };
		expect(
			Object.entries(named).filter(([, version]) => !/^(\d+\.\d+\.\d+|file:tools\/[a-z-]+)$/.test(version)),
		).toStrictEqual([]);
		expect(lockProblems()).toStrictEqual([]);
	});

	test("have no install script, except those that work without it", () => {
		const wanting = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
		expect([...new Set(wanting)].toSorted()).toStrictEqual(WITH_INSTALL_SCRIPT);
	});

	test("have reviewed licenses, all listed in docs/licenses.md", () => {
		expect([...byLicense().keys()].filter((license) => !ACCEPTED.includes(license))).toStrictEqual([]);
		expect(read("docs/licenses.md")).toBe(licensesMd());
	});

	test("contain the prebuilt binaries in their reviewed versions", () => {
		const versions = BINARIES.map(({ name }) => locked.find((each) => each.name === name)?.version);
		expect(versions).toStrictEqual(BINARIES.map(({ version }) => version));
	});
});
