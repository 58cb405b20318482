import { expect, test } from "vitest";
import { ReplyClientUnavailableError, type ResendOutcome } from "../../../src/services/delivery/reply-client.ts";
import { contentOf } from "../../fakes/file-content.ts";
import { GUILD, SECOND_MS, TASK, taskRequest, setup } from "./task-setup.ts";

const MIB = 1024 * 1024;
const asker = { guildId: GUILD, userId: taskRequest.userId, isModerator: false };
const to = { reply: taskRequest.reply, bytesMax: 10 * MIB, locale: "en-US" };

/** A task that is made and shown, and how its files are asked for again. */
async function shown() {
	const all = setup();
	await all.process.submit();
	await all.pass(SECOND_MS);
	const fetch = () => all.process.jobs.fetch(asker, TASK, to, all.logger);
	return { ...all, fetch };
}

test("a file above the limit of the channel is not sent", async () => {
	const { fetch, replyClient, results } = await shown();
	results.open = async () => ({ ...contentOf("a picture"), sizeBytes: 11 * MIB });
	await expect(fetch()).rejects.toMatchObject({
		messageRef: { key: "resultTooLarge", params: { sizeMiB: 11, limitMiB: 10 } },
	});
	expect(replyClient.brought).toStrictEqual([]);
});

test("during an outage of Discord, the member is told to try again", async () => {
	const { fetch, replyClient } = await shown();
	replyClient.failuresBefore.push(new ReplyClientUnavailableError("503"));
	await expect(fetch()).rejects.toMatchObject({ messageRef: { key: "jobFilesLater" } });
	await fetch();
	expect(replyClient.brought).toHaveLength(1);
});

test("reports files that Discord rejects, and logs a missing reply as a warning", async () => {
	const { fetch, replyClient, logged } = await shown();
	const refused = {
		kind: "filesRefused",
		route: "tokenEdit",
		isForSize: true,
		isPerFile: true,
		largestBytes: 1,
	} as const;
	const becomes = (bringing: ResendOutcome): void => void (replyClient.resend = async () => bringing);
	becomes(refused);
	await expect(fetch()).rejects.toMatchObject({ messageRef: { key: "jobFilesRefused" } });
	becomes({ kind: "gone" });
	await fetch();
	expect(logged("warn")).toStrictEqual(["files not delivered: reply gone"]);
});

test("a file that has expired is reported as such", async () => {
	const { fetch, results } = await shown();
	await results.remove(TASK);
	await expect(fetch()).rejects.toMatchObject({ messageRef: { key: "jobFilesGone" } });
});
