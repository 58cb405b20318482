import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "@atelier/common/clock";
import { createTranscodeWorkerPool } from "../../src/transcode/worker-pool.ts";
import { createTranscoder } from "../../src/transcode/transcoder.ts";
import { createTempDir } from "../../src/temp-dir.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { encodeMedia } from "@atelier/common/testing/encode-media";

const WORKER = new URL("../../src/transcode/worker.ts", import.meta.url).href;
const VIDEO = {
	source: "testsrc2=s=1280x720:r=10:d=0.3",
	filter: "format=yuv420p,noise=alls=4:allf=t",
	encoder: "libx264",
	options: { qp: "20", preset: "ultrafast" },
};

/** A statement that kills the worker of such a job, as a system without memory does. */
const killIf = (condition: "true" | "job.memory === 'normal'" | "job.action === 'transcode'"): string =>
	`if (${condition}) process.kill(process.pid, "SIGKILL");`;

/** Transcodes a 720p video with a real worker that first runs a statement. */
async function transcodeAfter(statement: string, expected?: "audio") {
	const folder = await createTempFolder();
	const path = join(folder, "source.mp4");
	encodeMedia(path, { format: "mp4", video: VIDEO });
	const script = join(folder, "worker.mjs");
	await writeFile(
		script,
		`import ${JSON.stringify(WORKER)};
		import { rmSync } from "node:fs";
		process.prependListener("message", (job) => { ${statement} });`,
	);
	const workerPool = createTranscodeWorkerPool({ workersMax: 1, script: pathToFileURL(script) });
	onTestFinished(() => workerPool.close());
	const tempDir = createTempDir({ parentDir: join(folder, "scratch"), clock: systemClock });
	const lines: Record<string, unknown>[] = [];
	const logger = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line) as never) });
	const sizeBytes = (await stat(path)).size;
	const bytesMax = Math.floor(sizeBytes / 2);
	const transcoder = createTranscoder({ workerPool, tempDir, threads: 2 });
	const transcoded = transcoder.transcode(
		{ path, sizeBytes, bytesMax, ...(expected && { expected }) },
		logger,
		new AbortController().signal,
	);
	return { transcoded, lines, sizeBytes, bytesMax, left: () => readdir(join(folder, "scratch")) };
}

test("a killed worker is retried once with less memory, and the result is a smaller video", async () => {
	const { transcoded, lines, bytesMax } = await transcodeAfter(killIf("job.memory === 'normal'"));
	await using made = await transcoded;
	expect(made).toMatchObject({ kind: "transcoded", changes: [{ kind: "compressed" }, { width: 854, height: 480 }] });
	expect("sizeBytes" in made && made.sizeBytes).toBeLessThanOrEqual(bytesMax);
	expect(lines.map(({ level, msg }) => ({ level, msg }))).toStrictEqual([
		{ level: 40, msg: "file not transcoded" },
		{ level: 30, msg: "file transcoded" },
	]);
});

test("a file whose workers are all killed is kept as it is, because it is not damaged", async () => {
	const { transcoded, lines, sizeBytes, bytesMax, left } = await transcodeAfter(killIf("true"));
	{
		await using kept = await transcoded;
		expect(kept).toMatchObject({ kind: "notTranscoded", contentType: "video/mp4", extension: "mp4" });
	}
	expect(lines.find(({ level }) => level === 50)).toMatchObject({
		msg: "file not transcoded with the least memory",
		failure: "killed",
		killedBy: "SIGKILL",
		sizeBytes,
		bytesMax,
	});
	expect(await left()).toStrictEqual([]);
});

test("a file that may be of another kind than expected is rejected if no worker can tell", async () => {
	const { transcoded, left } = await transcodeAfter(killIf("true"), "audio");
	await expect(transcoded).rejects.toMatchObject({
		why: { kind: "wrongMediaType", expected: "audio", found: "video" },
	});
	expect(await left()).toStrictEqual([]);
});

test("a file that another process removed is not damaged", async () => {
	const { transcoded, left } = await transcodeAfter("if (job.path) rmSync(job.path);");
	await expect(transcoded).rejects.toThrow("ENOENT");
	expect(await left()).toStrictEqual([]);
});

test("a video that cannot be transcoded for lack of memory is shown as one frame", async () => {
	const { transcoded, bytesMax } = await transcodeAfter(killIf("job.action === 'transcode'"));
	await using shown = await transcoded;
	expect(shown).toMatchObject({ kind: "preview", contentType: "image/webp", changes: [{ kind: "frame" }] });
	expect("sizeBytes" in shown && shown.sizeBytes).toBeLessThanOrEqual(bytesMax);
});
