// Takes the steps of the Dockerfile where there is no container engine, and proves what results: npm run replay:image.
// docs/container.md says what that shows and what it does not. `--compressed` also says what the layers are to download,
// which takes a while.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildImage, inMiB } from "./image/build.ts";
import { bytesIn, whyNotConfined } from "./image/confinement.ts";
import { proveImage } from "./image/prove.ts";

const reason = whyNotConfined();
if (reason === undefined) await replay();
else console.log(`THE IMAGE WAS NOT REPLAYED: ${reason}.`);

async function replay(): Promise<void> {
	const work = mkdtempSync(join(tmpdir(), "atelier-image-"));
	try {
		const image = buildImage(resolve(import.meta.dirname, ".."), work);
		console.log(`\nAbove the base image: ${inMiB(bytesIn(image.root))}`);
		if (process.argv.includes("--compressed")) {
			const counted = execFileSync("sh", ["-c", `tar -C '${image.root}' -c app | gzip -6 | wc -c`]);
			console.log(`  compressed, as it is downloaded: ${inMiB(Number(counted))}`);
		}
		await proveImage(image);
		console.log("All steps taken, and all of it proved.");
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}
