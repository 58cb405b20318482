import { describe, expect, test } from "vitest";
import { made } from "../../fakes/fake-media-api.ts";
import { GUILD, SECOND_MS, TASK, taskRequest, setup } from "./task-setup.ts";

const { channelId } = taskRequest.reply;
const owner = { guildId: GUILD, userId: taskRequest.userId, isModerator: false };
const other = { ...owner, userId: "1000000000000000077" };
/** As the fake reply client posts it. */
const MESSAGE = "1";

async function delivered() {
	const all = setup();
	all.media.answer = made();
	await all.process.submit();
	await all.pass(5 * SECOND_MS);
	expect(await all.process.stateOf()).toBe("delivered");
	return all.process.jobs;
}

test("only the channel of a result shows its request", async () => {
	const jobs = await delivered();
	expect((await jobs.findSource(other, TASK, channelId))?.id).toBe(TASK);
	expect(await jobs.findSource(other, TASK, "1000000000000000044")).toBeUndefined();
	expect(await jobs.findSource({ ...other, guildId: "1000000000000000011" }, TASK, channelId)).toBeUndefined();
	await expect(jobs.source(owner, TASK, null)).rejects.toThrow("sourceGone");
});

describe("the delete button deletes a message", () => {
	const refused = "othersResult";

	test("for the member whom Discord names as its recipient, whatever the custom id says", async () => {
		const jobs = await delivered();
		await jobs.requireRemover(owner, TASK, { id: "2", requesterId: owner.userId });
		await expect(jobs.requireRemover(owner, TASK, { id: "2", requesterId: other.userId })).rejects.toThrow(refused);
		await jobs.requireRemover({ ...other, isModerator: true }, TASK, { id: "2", requesterId: owner.userId });
	});

	test("without interaction metadata, for the member of its task", async () => {
		const jobs = await delivered();
		await jobs.requireRemover(owner, TASK, { id: MESSAGE, requesterId: undefined });
		await expect(jobs.requireRemover(owner, TASK, { id: "2", requesterId: undefined })).rejects.toThrow(refused);
		await expect(jobs.requireRemover(other, TASK, { id: MESSAGE, requesterId: undefined })).rejects.toThrow(refused);
	});
});
