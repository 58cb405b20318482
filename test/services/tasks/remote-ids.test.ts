/**
 * A service that gives two tasks one id: the result belongs to the first, and no other member sees it or pays for it.
 */
import { expect, test } from "vitest";
import { MediaTimeoutError } from "../../../src/services/generation/media-api.ts";
import { made, open } from "../../fakes/fake-media-api.ts";
import { MINUTE_MS, SECOND_MS, TASK, setup, textOf } from "./task-setup.ts";

const OTHER = "1000000000000000010";
const DAY_MS = 24 * 60 * MINUTE_MS;
const TAKEN = "the service gave this task the id of another";

/** A service that has one id for everything. */
function oneIdSetup() {
	const all = setup();
	all.media.submit = async () => {
		all.media.submits++;
		return { remoteId: "always-the-same" };
	};
	const remoteKeys = async (): Promise<number> => (await Array.fromAsync(all.storage.scan("remote-task:"))).length;
	return { ...all, remoteKeys };
}

test("the second of two open tasks with one remote id fails free, and the first gets its result", async () => {
	const { process, media, replyClient, logged, pass } = oneIdSetup();
	media.answer = open;
	await process.submit();
	await pass(SECOND_MS);
	await process.submit({ id: OTHER });
	await pass(SECOND_MS);
	expect(textOf(replyClient, OTHER)).toContain("an answer that makes no sense");
	expect(textOf(replyClient, OTHER)).toContain("Nothing was charged.");
	expect(logged("error")).toStrictEqual([TAKEN]);
	expect(media.cancels).toStrictEqual([]);
	media.answer = made();
	await pass(MINUTE_MS);
	expect(replyClient.seen.get(TASK)?.files).toHaveLength(1);
	expect(replyClient.seen.get(OTHER)?.files).toHaveLength(0);
	expect(await process.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
});

test("the remote id of a finished task is known to another process, and after a restart", async () => {
	const { process, media, replyClient, logged, pass, boot } = oneIdSetup();
	await process.submit();
	await pass(SECOND_MS);
	expect(await process.stateOf()).toBe("delivered");
	await process.runner.stop();
	const later = boot();
	await later.submit({ id: OTHER });
	await pass(SECOND_MS);
	expect(replyClient.seen.get(OTHER)?.files).toHaveLength(0);
	expect(media.reads).toBe(1);
	expect(logged("error")).toStrictEqual([TAKEN]);
	expect(await later.balance()).toMatchObject({ postedCredits: 6, heldCredits: 0 });
});

test("a task that is submitted again with its key, and gets the same remote id, continues", async () => {
	const { process, media, replyClient, logged, pass } = setup();
	media.failuresAfter.push(new MediaTimeoutError("no answer"));
	await process.submit();
	await pass(MINUTE_MS);
	expect(media.submits).toBe(2);
	expect(replyClient.seen.get(TASK)?.files).toHaveLength(1);
	expect(logged("error")).toStrictEqual([]);
});

test("removing a task removes its remote id, and removing the failed one does not", async () => {
	const { process, clock, pass, remoteKeys } = oneIdSetup();
	await process.submit();
	await pass(SECOND_MS);
	await clock.advance(20 * DAY_MS);
	await process.submit({ id: OTHER });
	await pass(SECOND_MS);
	expect(await remoteKeys()).toBe(1);
	const refused = await process.tasks.load(OTHER);
	if (!refused) throw new Error("not there");
	await process.tasks.remove(refused.task);
	expect(await remoteKeys()).toBe(1);
	await clock.advance(11 * DAY_MS);
	await process.removeOld(30 * DAY_MS);
	expect(await remoteKeys()).toBe(0);
});
