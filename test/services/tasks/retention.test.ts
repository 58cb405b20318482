import { describe, expect, test } from "vitest";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { open } from "../../fakes/fake-media-api.ts";
import { GUILD, MINUTE_MS, SECOND_MS, TASK, taskRequest, setup } from "./task-setup.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;
const RETENTION_MS = 30 * DAY_MS;
const OWNER = { guildId: GUILD, userId: taskRequest.userId, isModerator: false };
const LATER = "1000000000000000010";

async function done() {
	const all = setup();
	await all.process.submit();
	await all.pass(SECOND_MS);
	const keys = async (): Promise<string[]> =>
		(await Promise.all(["task:", "member-task:", "open:"].map((prefix) => Array.fromAsync(all.storage.scan(prefix)))))
			.flat()
			.map(({ key }) => key);
	return { ...all, keys };
}

describe("a task that has ended", () => {
	test("is kept for the retention period, and then removed with its files and its list entry", async () => {
		const { process, clock, results, keys } = await done();
		await clock.advance(RETENTION_MS - MINUTE_MS);
		await process.removeOld(RETENTION_MS);
		expect(await process.jobs.list(OWNER, { max: 5 })).toMatchObject([{ id: TASK, state: "delivered" }]);
		await clock.advance(2 * MINUTE_MS);
		await process.removeOld(RETENTION_MS);
		expect(await process.jobs.list(OWNER, { max: 5 })).toStrictEqual([]);
		expect(await keys()).toStrictEqual([]);
		expect(await results.open(TASK, 0)).toBeUndefined();
	});

	test("is removed eventually, wherever an earlier removal was interrupted", async () => {
		const { process, storage, clock, keys } = await done();
		await clock.advance(RETENTION_MS + MINUTE_MS);
		const [memberKey = ""] = (await keys()).filter((key) => key.startsWith("member-task:"));
		await storage.delete(memberKey);
		await process.removeOld(RETENTION_MS);
		expect(await keys()).toStrictEqual([]);
	});

	test("is kept if it is younger than the first one that is kept", async () => {
		const { process, clock, pass } = await done();
		await clock.advance(20 * DAY_MS);
		await process.submit({ id: LATER });
		await pass(SECOND_MS);
		await clock.advance(11 * DAY_MS);
		await process.removeOld(RETENTION_MS);
		expect(await process.jobs.list(OWNER, { max: 5 })).toMatchObject([{ id: LATER }]);
	});

	test("that is too young ends the scan, because all later ones are younger", async () => {
		const { process, storage, boot, clock, pass } = await done();
		await clock.advance(20 * DAY_MS);
		for (let n = 10; n < 40; n++)
			await process.submit({ id: `10000000000000000${n}`, request: { ...taskRequest.request, costCredits: 0 } });
		await pass(SECOND_MS);
		await clock.advance(11 * DAY_MS);
		const read: string[] = [];
		const watched: typeof storage = {
			...storage,
			async *scan(prefix) {
				for await (const each of storage.scan(prefix)) yield ((read.push(each.key), each));
			},
		};
		await boot(createKeyvStore(watched)).removeOld(RETENTION_MS);
		expect(read).toStrictEqual([`task:${TASK}`, `task:${LATER}`]);
	});

	test("is kept while the service may still work on it", async () => {
		const { process, media, pass, clock } = await done();
		media.answer = open;
		await process.submit({ id: LATER });
		await pass(11 * MINUTE_MS);
		expect(await process.stateOf(LATER)).toBe("delivered");
		await process.runner.stop();
		await clock.advance(RETENTION_MS + MINUTE_MS);
		await process.removeOld(RETENTION_MS);
		expect(await process.stateOf(LATER)).toBe("delivered");
		expect(await process.stateOf(TASK)).toBeUndefined();
	});

	test("is removed the next day if the process stops", async () => {
		const { process, clock, keys } = await done();
		await clock.advance(RETENTION_MS + MINUTE_MS);
		await process.removeOld(RETENTION_MS, AbortSignal.abort());
		expect(await keys()).toHaveLength(2);
	});

	test("is not read at a start", async () => {
		const { storage, boot } = await done();
		const read: string[] = [];
		const watched = { ...storage, get: (key: string) => (read.push(key), storage.get(key)) };
		expect(await boot(createKeyvStore(watched)).runner.recover()).toBe(0);
		expect(read).toStrictEqual([]);
	});
});

test("a member's tasks are listed newest first, up to a limit, without reading those of others", async () => {
	const { process, storage, boot, pass } = setup({ credits: 1000 });
	for (let n = 10; n < 40; n++) await process.submit({ id: `10000000000000000${n}` });
	await process.submit({ id: "1000000000000000050", userId: "1000000000000000003" });
	await pass(5 * SECOND_MS);
	const read: string[] = [];
	const watched = { ...storage, get: (key: string) => (read.push(key), storage.get(key)) };
	const listed = await boot(createKeyvStore(watched)).jobs.list(OWNER, { max: 3 });
	expect(listed.map(({ id }) => id)).toStrictEqual([
		"1000000000000000039",
		"1000000000000000038",
		"1000000000000000037",
	]);
	expect(read).toHaveLength(3);
});

test("a damaged task hides no others", async () => {
	const { process, storage, pass } = await done();
	await process.submit({ id: LATER });
	await pass(SECOND_MS);
	await storage.set(`task:${LATER}`, "garbage");
	expect(await process.jobs.list(OWNER, { max: 3 })).toMatchObject([{ id: TASK }]);
	await expect(process.jobs.show(OWNER, LATER)).rejects.toThrow("cannot be read");
});
