import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier } from "./start-atelier.ts";
import { answerTo, generateImage, isMessagePresent, finalReply, openForm } from "./replies.ts";

const CALLBACK = { route: "POST /interactions/:interaction/:token/callback", times: 1 } as const;

test.each([true, false])(
	"a lost callback of a command, a button, its form and a deletion is sent once more (executed: %s)",
	async (executes) => {
		const { atelier, userClient } = await openAtelier();
		const loseNext = () =>
			openAdminClient(atelier.origin).inject({ ...CALLBACK, executes, answer: { kind: "hangUp" } });
		const result = await generateImage(userClient);
		await loseNext();
		expect(await answerTo(userClient, "/credits show")).toContain("credits left");
		await loseNext();
		const form = await openForm(userClient.press(result, { label: "Edit" }));
		await loseNext();
		expect(textOf(await finalReply(userClient.submit(form, { prompt: "a ship" })))).toContain("a ship");
		const question = await openForm(userClient.press(result, { label: "Delete" }));
		await loseNext();
		const deletion = await userClient.submit(question);
		await expect.poll(() => isMessagePresent(userClient, result)).toBe(false);
		await expect.poll(() => deletion.messages().map(textOf).join()).toContain("Deleted");
	},
);

test("a callback that another process has sent is left to that process", async () => {
	const { atelier, userClient, logs } = await openAtelier();
	const admin = openAdminClient(atelier.origin);
	await admin.inject({ ...CALLBACK, executes: true, answer: { kind: "error", status: 400, code: 40_060 } });
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await expect.poll(logs).toContain("interaction already acknowledged");
	const callbacks = (await admin.requests()).requests.filter(({ path }) => path.includes("/callback"));
	expect(callbacks.map(({ status }) => status)).toStrictEqual([400]);
	expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["thinking"]);
});
