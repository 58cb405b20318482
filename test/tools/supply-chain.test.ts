import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { WITH_INSTALL_SCRIPT } from "../../tools/packages-with-install-scripts.ts";
import { ACCEPTED, BINARIES, byLicense, licensesMd } from "../../tools/licenses.ts";
import { lockedPackages, lockProblems } from "../../tools/package-lock.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
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

	test("are rejected without a checksum, with a registry's name, or without a platform's package", () => {
		const integrity = "sha512-x";
		expect(
			lockProblems({
				"": {},
				"node_modules/whole": { integrity, optionalDependencies: { beside: "1", within: "1" } },
				"node_modules/beside": { integrity },
				"node_modules/whole/node_modules/within": { integrity, optionalDependencies: { beside: "1", missing: "1" } },
				"node_modules/local": { link: true, resolved: "tools/local" },
				"node_modules/unchecked": { version: "1.0.0" },
				"node_modules/weak": { integrity: "sha1-x" },
				"node_modules/named": { integrity, resolved: "https://registry.example/named.tgz" },
			}),
		).toStrictEqual([
			"missing, which node_modules/whole/node_modules/within may need, is missing",
			"node_modules/unchecked has no checksum",
			"node_modules/weak has no checksum",
			"node_modules/named names the registry it came from",
		]);
	});

	test("contain no WebRTC: node-av works without it, and its library has an unfixed advisory", async () => {
		const names = locked.map(({ name }) => name);
		expect(names.filter((name) => /^(ip|mp4box)$|^werift-/.test(name))).toStrictEqual([]);
		expect(locked.find(({ name }) => name === "werift")).toMatchObject({ link: true, resolved: "tools/no-webrtc" });
		await expect(import("node-av/webrtc")).rejects.toThrow("WebRTC is left out of this installation");
	});

	test("run no code during the installation, and are at least a few days old", () => {
		expect(read(".npmrc")).toContain("\nignore-scripts=true\n");
		expect(read(".npmrc")).toMatch(/^min-release-age=[3-9]$/m);
		const wanting = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
		expect([...new Set(wanting)].toSorted()).toStrictEqual(Object.keys(WITH_INSTALL_SCRIPT).toSorted());
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
