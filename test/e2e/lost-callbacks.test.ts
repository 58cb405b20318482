import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import type { APIMessage } from "discord-api-types/v10";
import { openAdminClient, type AdminClient } from "@atelier/playground/admin/admin-client";
import { openAtelier } from "./start-atelier.ts";
import { isMessagePresent, finalReply, openForm } from "./replies.ts";

const CALLBACK = "POST /interactions/:interaction/:token/callback";
const HANG_UP = { kind: "hangUp" } as const;

async function setup() {
	const { atelier, userClient, logs } = await openAtelier();
	const adminClient = openAdminClient(atelier.origin);
	const generate = async (): Promise<APIMessage> => finalReply(userClient.type("/image", { prompt: "a boat" }));
	const callbackStatuses = async (): Promise<readonly number[]> => {
		const { requests } = await adminClient.requests();
		return requests.filter(({ path }) => path.includes("/callback")).map(({ status }) => status);
	};
	return { userClient, logs, admin: adminClient, generate, callbackStatuses };
}

const loseCallbacks = (admin: AdminClient, isExecuted: boolean, times = 1) =>
	admin.inject({ route: CALLBACK, times, executes: isExecuted, answer: HANG_UP });

test.each([true, false])(
	"a lost callback of a command, a button, its form and a deletion is sent once more (executed: %s)",
	async (isExecuted) => {
		const { userClient, admin, generate } = await setup();
		const result = await generate();
		await loseCallbacks(admin, isExecuted);
		expect(textOf(await finalReply(userClient.type("/credits show")))).toContain("credits left");
		await loseCallbacks(admin, isExecuted);
		const form = await openForm(userClient.press(result, { label: "Edit" }));
		await loseCallbacks(admin, isExecuted);
		expect(textOf(await finalReply(userClient.submit(form, { prompt: "a ship" })))).toContain("a ship");
		const question = await openForm(userClient.press(result, { label: "Delete" }));
		await loseCallbacks(admin, isExecuted);
		const deletion = await userClient.submit(question);
		await expect.poll(() => isMessagePresent(userClient, result)).toBe(false);
		await expect.poll(() => deletion.messages().map(textOf).join()).toContain("Deleted");
	},
);

test("a callback that another process has sent is left to that process", async () => {
	const { userClient, admin, logs, callbackStatuses } = await setup();
	const taken = { kind: "error", status: 400, code: 40_060 } as const;
	await admin.inject({ route: CALLBACK, times: 1, executes: true, answer: taken });
	const reply = await userClient.type("/image", { prompt: "a boat" });
	await expect.poll(logs).toContain("interaction already acknowledged");
	expect(await callbackStatuses()).toStrictEqual([400]);
	expect(reply.states.map(({ kind }) => kind)).toStrictEqual(["thinking"]);
});
