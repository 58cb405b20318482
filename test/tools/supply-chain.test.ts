import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { WITH_INSTALL_SCRIPT } from "../../tools/install-scripts.ts";
import { ACCEPTED, BINARIES, byLicence, licencesMd } from "../../tools/licences.ts";
import { lockedPackages } from "../../tools/lock.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const locked = lockedPackages();
const manifest = JSON.parse(read("package.json")) as Readonly<Record<string, Readonly<Record<string, string>>>>;

describe("what is installed", () => {
	test("is named exactly, and locked with a checksum wherever the image and the tests run", () => {
		const named = { ...manifest["dependencies"], ...manifest["devDependencies"] };
		expect(
			Object.entries(named).filter(([, version]) => !/^(\d+\.\d+\.\d+|file:tools\/node)$/.test(version)),
		).toStrictEqual([]);
		const unchecked = locked.filter(({ link, integrity = "" }) => !link && !integrity.startsWith("sha512-"));
		expect(unchecked.filter(({ os }) => os === undefined)).toStrictEqual([]);
		// A registry's mirror may lack those of other platforms; tools/complete-lock.mjs adds them without.
		const ours = /linux-(x64|arm64)$|linux-(x64|arm64)-gnu$/;
		expect(unchecked.filter(({ name }) => ours.test(name))).toStrictEqual([]);
	});

	test("runs no code while it is installed, and is new only when it is a few days old", () => {
		expect(read(".npmrc")).toContain("\nignore-scripts=true\n");
		expect(read(".npmrc")).toMatch(/^min-release-age=[3-9]$/m);
		const wanting = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
		expect([...new Set(wanting)].toSorted()).toStrictEqual(Object.keys(WITH_INSTALL_SCRIPT).toSorted());
	});

	test("is under licences that somebody has read, all listed in docs/licences.md", () => {
		expect([...byLicence().keys()].filter((licence) => !ACCEPTED.includes(licence))).toStrictEqual([]);
		expect(read("docs/licences.md")).toBe(licencesMd());
	});

	test("holds the prebuilt binaries that were looked into, and no newer ones", () => {
		const versions = BINARIES.map(({ name }) => locked.find((each) => each.name === name)?.version);
		expect(versions).toStrictEqual(BINARIES.map(({ version }) => version));
	});
});
