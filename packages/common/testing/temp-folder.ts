import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a folder that is removed at the end of the test. */
export async function createTempFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "atelier-test-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	return folder;
}
