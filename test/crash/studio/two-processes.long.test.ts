/** The long form, with many kills and services in trouble: npm run crash -- studio */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { redisForTests } from "@atelier/store/testing/servers";
import { killOneOfTwo } from "./studio-loop.ts";

const TASKS = 40;
const TIMEOUT_MS = 120_000;
const queueUrl = await redisForTests();

test.skipIf(queueUrl === undefined)(
	"after kill -9 of one of two processes the other one completes all 40 tasks, each charged once",
	async () => {
		const folder = await mkdtemp(join(tmpdir(), "atelier-crash-two-"));
		onTestFinished(() => rm(folder, { recursive: true, force: true }));
		const storeUrl = `sqlite:${join(folder, "studio.db")}`;
		expect(await killOneOfTwo({ storeUrl, queueUrl: queueUrl ?? "" }, TASKS)).toStrictEqual([]);
	},
	TIMEOUT_MS,
);
