// Writes docs/licenses.md from package-lock.json: npm run docs. A test fails if it is stale, if a license is new, or
// if a prebuilt binary is newer than the reviewed one.
import { writeFileSync } from "node:fs";
import { lockedPackages, type Locked } from "./package-lock.ts";

/** The licenses of packages whose package.json names none, as their files state them. */
const LICENCE_IN_FILES: Readonly<Record<string, string>> = { "@shinyoshiaki/jspack": "BSD-3-Clause" };

/** Licenses that are compatible with an MIT project in one image; others need a review. */
export const ACCEPTED: readonly string[] = [
	"0BSD",
	"Apache-2.0",
	"Apache-2.0 AND LGPL-3.0-or-later",
	"Apache-2.0 AND LGPL-3.0-or-later AND MIT",
	"BSD-2-Clause",
	"BSD-3-Clause",
	"BlueOak-1.0.0",
	"ISC",
	"LGPL-3.0-or-later",
	"MIT",
	"MPL-2.0",
	"Unlicense",
];

/** Prebuilt binaries contain more than their package's license states. The version is the reviewed one. */
export const BINARIES = [
	{
		name: "node-av",
		version: "6.1.1",
		foundIn: "`@seydx/node-av-*`, behind `@mediabunny/server`",
		contains:
			"FFmpeg with `--enable-gpl --enable-version3` (GPL-3.0-or-later), and in it x264 and x265 (GPL-2.0-or-later), LAME, GMP, FriBidi, libbluray, libplacebo, chromaprint and zvbi (LGPL), SRT (MPL-2.0), dav1d, SVT-AV1, Opus, Vorbis, Theora, libvpx, libwebp, libjxl and libopenmpt (BSD), libass (ISC), OpenSSL (Apache-2.0), whisper.cpp (MIT), and **FDK AAC** (a license of Fraunhofer's own)",
	},
	{
		name: "@img/sharp-libvips-linux-x64",
		version: "1.3.4",
		foundIn: "behind `sharp`",
		contains:
			"libvips, glib, pango, librsvg, libheif, libexif, fribidi (LGPL-3.0), cairo (MPL-1.1), aom, cgif, expat, fontconfig, freetype, harfbuzz, highway, lcms, libarchive, libimagequant, libpng, libtiff, libultrahdr, libwebp, libxml2, mozjpeg, pixman, zlib-ng (BSD, MIT and the like); its `README.md` has all of them",
	},
	{
		name: "@napi-rs/canvas",
		version: "1.0.11",
		foundIn: "`@napi-rs/canvas-*`",
		contains:
			"Skia (BSD-3-Clause), freetype (FTL), ICU, harfbuzz (MIT), libjpeg-turbo (BSD-3-Clause, IJG, Zlib), libpng, libwebp, libjxl, libavif and aom (BSD), wuffs (Apache-2.0), parts of Servo (MPL-2.0); its `sbom.cdx.json` has all of them",
	},
] as const;

export function licenseOf({ name, license }: Locked, all: readonly Locked[]): string {
	// A platform's package has its parent's license; a registry mirror may lack it, and then the lock does not contain
	// it.
	const parent = all.find(({ optionalDependencies }) => optionalDependencies?.[name] !== undefined);
	return license ?? LICENCE_IN_FILES[name] ?? parent?.license ?? "unknown";
}

/** The licenses that a production installation may contain. */
export function byLicense(): ReadonlyMap<string, readonly string[]> {
	const all = lockedPackages();
	const groups = Map.groupBy(
		all.filter(({ dev, link }) => !dev && !link),
		(each) => licenseOf(each, all),
	);
	const named = [...groups].map(
		([license, packages]) =>
			[license, [...new Set(packages.map(({ name, version }) => `${name} ${version}`))]] as const,
	);
	return new Map(named.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export function licensesMd(): string {
	const groups = [...byLicense()].map(
		([license, packages]) => `### ${license}\n\n${packages.map((each) => `\`${each}\``).join(", ")}`,
	);
	return `<!-- Written by npm run docs, from package-lock.json. -->

# Licenses

Atelier is under the [MIT license](../LICENSE). This page lists the packages that \`npm ci --omit=dev\` installs, for all platforms; a
machine gets those of its own. Each package contains the text of its license.

## Prebuilt binaries

${BINARIES.map(({ name, version, foundIn, contains }) => `- **${name} ${version}** (${foundIn}): ${contains}.`).join("\n")}

A container image contains \`node_modules\`. To build an image and run it distributes nothing, and needs no permission. To publish an image, or
to give it to others, distributes these binaries:

- FFmpeg with x264 and x265, under the GPL: offer the corresponding source to each recipient.
- FDK AAC, in the same binary. Many consider its license incompatible with the GPL, so it is doubtful whether anyone may distribute this binary. It
  also grants no patent rights.

No workflow publishes an image unless the owner of the repository decides so. An image with Debian's FFmpeg, without FDK AAC, was
tried and not taken ([decision](decisions/0004-gpl-encoders.md)). The npm package of the playground contains none of these binaries.

The letters in the charts are [Inter](../src/services/credits/fonts/OFL.txt), under the SIL Open Font License.

## Packages

${groups.join("\n\n")}
`;
}

if (import.meta.main) writeFileSync(new URL("../docs/licenses.md", import.meta.url), licensesMd());
