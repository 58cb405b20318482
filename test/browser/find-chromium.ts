/** The installed browser, so that the tests need no download. */
import { existsSync } from "node:fs";
import { env } from "node:process";

const USUAL_PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns the path of the browser, or `undefined`; stderr then names the skipped tests. */
export function findChromium(): string | undefined {
	const found = [env["TEST_CHROMIUM"], ...USUAL_PATHS].find((path) => path !== undefined && existsSync(path));
	if (found === undefined)
		process.stderr.write(
			`\nSKIPPED: tests in a browser. There is none at ${USUAL_PATHS.join(", ")}; TEST_CHROMIUM may name one\n\n`,
		);
	return found;
}
