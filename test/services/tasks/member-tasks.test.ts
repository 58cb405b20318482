import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { contentOf } from "../../fakes/file-content.ts";
import { OWNER, SECOND_MS, setup, setupSubmitted, TASK, submission } from "./task-setup.ts";

const MIB = 1024 * 1024;
const OTHER_MEMBER = { ...OWNER, userId: "1000000000000000077" };
const MODERATOR = { ...OTHER_MEMBER, isModerator: true };

async function setupDelivered({ isEphemeral = false } = {}) {
	const fixture = setup();
	const { process, logger } = fixture;
	await process.run(SECOND_MS, { reply: { ...submission.reply, isEphemeral } });
	const to = { reply: submission.reply, bytesMax: 10 * MIB, locale: "en-US" };
	const resend = (member = OWNER) => process.memberTasks.resend(member, TASK, to, logger);
	return { ...fixture, memberTasks: process.memberTasks, resend };
}

type Delivered = Awaited<ReturnType<typeof setupDelivered>>;

function openLargeFile({ results }: Delivered): void {
	results.open = async () => ({ ...contentOf("a file"), sizeBytes: 11 * MIB });
}

function rejectFiles({ replyClient }: Delivered): void {
	replyClient.resend = async () => ({ kind: "filesRejected", route: "tokenEdit", isForSize: true, largestBytes: 1 });
}

const tooLarge = { key: "service.resultTooLarge", params: { sizeMiB: 11, limitMiB: 10 } };

test.each<[string, (all: Delivered) => unknown, object]>([
	["exceed the channel's limit", openLargeFile, tooLarge],
	["are no longer stored", ({ results }) => results.remove(TASK), { key: "job.filesGone" }],
	["are rejected by Discord", rejectFiles, { key: "job.filesRejected" }],
])("files that %s are denied with the reason, and not sent", async (_what, arrange, messageDescriptor) => {
	const fixture = await setupDelivered();
	await arrange(fixture);
	await expect(fixture.resend()).rejects.toMatchObject({ messageDescriptor });
	expect(fixture.replyClient.resent).toStrictEqual([]);
});

test("files are sent with the details of their task, with its prompt and without", async () => {
	const { resend, replyClient } = await setupDelivered();
	await resend();
	expect(replyClient.resent).toMatchObject([
		{ text: expect.stringContaining("a boat"), textWithoutPrompt: expect.not.stringContaining("a boat") },
	]);
});

test("files are not sent to a moderator, who may see the task", async () => {
	const { resend, memberTasks, replyClient } = await setupDelivered();
	expect((await memberTasks.show(MODERATOR, TASK)).id).toBe(TASK);
	await expect(resend(MODERATOR)).rejects.toThrow("permission.othersJob");
	expect(replyClient.resent).toStrictEqual([]);
});

test.each([
	["a public result", "a moderator", { isEphemeral: false }, MODERATOR, 1],
	["a private result", "a moderator", { isEphemeral: true }, MODERATOR, 0],
	["a private result", "its member", { isEphemeral: true }, OWNER, 1],
])("the links of %s for %s", async (_what, _who, reply, member, count) => {
	const { memberTasks } = await setupDelivered(reply);
	expect(await memberTasks.links(member, await memberTasks.show(member, TASK))).toHaveLength(count);
});

test("a list of tasks leaves out a corrupt task, which cannot be shown and hides no older one", async () => {
	const corrupt = "1000000000000000010";
	const { process, storage } = await setupSubmitted();
	await process.submit({ id: corrupt });
	await storage.set(`task:${corrupt}`, "garbage");
	expect(await process.memberTasks.list(OWNER, { max: 1, memberId: OWNER.userId })).toMatchObject([{ id: TASK }]);
	await expect(process.memberTasks.show(OWNER, corrupt)).rejects.toThrow("cannot be read");
});

test("a list reads as many tasks at once as it may show", async () => {
	const { process, storage } = setup();
	const request = { ...submission.request, costCredits: 0 };
	for (const id of ["1000000000000000010", "1000000000000000011", TASK]) await process.submit({ id, request });
	const get = storage.get.bind(storage);
	let [reads, readsMax] = [0, 0];
	storage.get = async (key: string) => {
		readsMax = Math.max(readsMax, ++reads);
		await setImmediate();
		reads--;
		return await get(key);
	};
	expect(await process.memberTasks.list(OWNER, { max: 2, memberId: OWNER.userId })).toHaveLength(2);
	expect(readsMax).toBe(2);
});
