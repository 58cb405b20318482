import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { invalidFormBody, openPlayground, refusal } from "../testing/setup.ts";

async function withMessage() {
	const opened = await openPlayground();
	const channel = await opened.channel();
	const posted = (await opened.rest("POST", `${channel}/messages`, { content: "a boat" })).body as APIMessage;
	const threads = `${channel}/messages/${posted.id}/threads`;
	return {
		...opened,
		channel,
		posted,
		create: (body: object = { name: "Boats" }) => opened.rest("POST", threads, body),
	};
}

test("a thread starts from a message, has its id, and takes messages of its own", async () => {
	const { rest, channel, posted, create } = await withMessage();
	const thread = { id: posted.id, type: 11, name: "Boats", parent_id: posted.channel_id };
	expect(await create()).toMatchObject({ status: 200, body: thread });
	expect(await rest("GET", `/channels/${posted.id}`)).toMatchObject({ status: 200, body: thread });
	const inThread = await rest("POST", `/channels/${posted.id}/messages`, { content: "in the thread" });
	expect(inThread).toMatchObject({ status: 200, body: { channel_id: posted.id } });
	expect((await rest("GET", `${channel}/messages`)).body).toHaveLength(1);
	// The flag of a message with a thread.
	expect((await rest("GET", `${channel}/messages/${posted.id}`)).body).toMatchObject({ flags: 32 });
});

test("a message has one thread, and a thread has none", async () => {
	const { rest, posted, create } = await withMessage();
	await create();
	expect(await create()).toMatchObject(refusal(400, 160_004));
	const inThread = (await rest("POST", `/channels/${posted.id}/messages`, { content: "x" })).body as APIMessage;
	const nested = await rest("POST", `/channels/${posted.id}/messages/${inThread.id}/threads`, { name: "No" });
	expect(nested).toMatchObject(refusal(400, 50_024));
	const other = await withMessage();
	expect(await other.create({ name: "" })).toMatchObject(invalidFormBody("name"));
});

test("the page lists a thread below its channel, and commands work there", async () => {
	const { user, posted, create } = await withMessage();
	await create();
	const client = await user();
	const { channels } = await client.state();
	const at = channels.findIndex(({ id }) => id === posted.id);
	expect(channels[at]).toMatchObject({ name: "Boats", parentId: channels[at - 1]?.id });
});

test("a public thread can start without a message, and takes messages of members", async () => {
	const { rest, channel, posted, userNamed } = await withMessage();
	const created = await rest("POST", `${channel}/threads`, { name: "Ships", type: 11 });
	expect(created).toMatchObject({ status: 201, body: { type: 11, name: "Ships", parent_id: posted.channel_id } });
	const { id } = created.body as { id: string };
	const ada = await userNamed("ada");
	const { channels } = await ada.state();
	expect(channels.find((each) => each.id === id)).toMatchObject({ name: "Ships", parentId: posted.channel_id });
	await ada.say("in the thread", { channel: id });
	expect((await rest("GET", `/channels/${id}/messages`)).body).toMatchObject([{ content: "in the thread" }]);
	for (const type of [undefined, 12])
		expect(await rest("POST", `${channel}/threads`, { name: "Ships", type })).toMatchObject(invalidFormBody("type"));
	expect(await rest("POST", `/channels/${id}/threads`, { name: "No", type: 11 })).toMatchObject(refusal(400, 50_024));
});

test("a member's message starts a thread, too", async () => {
	const { rest, userNamed } = await withMessage();
	const { id, channel_id: channelId } = await (await userNamed("ada")).say("a boat");
	const threads = `/channels/${channelId}/messages/${id}/threads`;
	expect(await rest("POST", threads, { name: "Boats" })).toMatchObject({ status: 200, body: { id } });
});
