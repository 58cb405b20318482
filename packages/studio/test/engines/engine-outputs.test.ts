import { expect, test } from "vitest";
import { readOutputs } from "../../src/engines/engine-outputs.ts";

test("the files of a job that are too large together are rejected and not requested again", async () => {
	const bytes = Buffer.alloc(50 * 1024 * 1024);
	let reads = 0;
	const read = async () => {
		reads += 1;
		return { bytes };
	};
	// They are no images.
	await expect(readOutputs([1, 2], "image", read)).rejects.toMatchObject({ code: "no_output" });
	await expect(readOutputs([1, 2, 3, 4, 5], "image", read)).rejects.toMatchObject({
		code: "upstream_error",
		retryable: false,
	});
	expect(reads).toBe(5);
});
