import { expect, test } from "vitest";
import { readFiles } from "../../src/engines/engine-outputs.ts";

test("the files of a job that are too large together are rejected and not requested again", async () => {
	const bytes = Buffer.alloc(50 * 1024 * 1024);
	let reads = 0;
	const read = async () => {
		reads += 1;
		return { bytes };
	};
	expect(await readFiles([1, 2], read)).toHaveLength(2);
	await expect(readFiles([1, 2, 3, 4, 5], read)).rejects.toMatchObject({ code: "upstream_error", retryable: false });
	expect(reads).toBe(5);
});
