import { describe, expect, test } from "vitest";
import { freePort } from "@atelier/common/testing/free-port";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { deferred, invoked as invokedAt, openPlayground, refusal, temporaryFolder } from "../testing/setup.ts";

/**
 * A bot with a deferred reply in a playground with a folder, and a second playground on the same folder. The first
 * one is not closed: only what was on the disk at that moment survives, as after `kill -9`.
 */
async function openPlaygroundTwice() {
	const clock = createManualClock();
	const dataDir = await temporaryFolder();
	const scene = await deferred({ playground: await openPlayground({ clock, dataDir }) });
	return {
		before: { ...scene, invoked: scene.interaction },
		restart: async () => {
			const playground = await openPlayground({ clock, dataDir });
			return { playground, clock, invoked: invokedAt(playground.rest, scene.interaction.payload) };
		},
	};
}

const withFile = (name: string) => ({ files: [{ name, bytes: Buffer.from(name) }] });

describe("after a kill and a restart the playground", () => {
	test("has the same token, members, commands and messages", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const old = await before.user.state();
		const { playground } = await restart();
		const state = await (await playground.user()).state();
		expect(playground.botToken).toBe(before.playground.botToken);
		expect(state.members).toStrictEqual(old.members);
		expect(state.commands).toStrictEqual(old.commands);
		expect(state.messages.map(({ id, flags }) => [id, flags])).toStrictEqual(
			old.messages.map(({ id, flags }) => [id, flags]),
		);
	});

	test("lacks a channel that an admin deleted", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const { channelId } = await before.playground.ids();
		await before.playground.admin.deleteChannel({ channelId: channelId("gallery") });
		const { channels } = await before.user.state();
		const { playground } = await restart();
		expect((await (await playground.user()).state()).channels).toStrictEqual(channels);
	});

	test("serves earlier files from its new address, and accepts an edit with the old token", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const draft = await before.invoked.webhook("PATCH", { content: "draft" }, withFile("a.png"));
		const [{ id }] = (draft.body as { attachments: [{ id: string }] }).attachments;
		const { playground, invoked } = await restart();
		const attachments = [{ id }, { id: "0" }];
		const answer = await invoked.webhook("PATCH", { content: "here it is", attachments }, withFile("a.mp4"));
		expect(answer).toMatchObject({ status: 200, body: { id: before.reply.message()?.id, flags: 0 } });
		const user = await playground.user();
		const [message] = await user.messages();
		expect(message?.attachments.map(({ filename }) => filename)).toStrictEqual(["a.png", "a.mp4"]);
		for (const file of message?.attachments ?? []) {
			expect(file.url.startsWith(playground.origin)).toBe(true);
			expect((await user.download(file)).toString()).toBe(file.filename);
		}
	});

	test("rejects a second callback, and the token fifteen minutes after its command", async () => {
		const { restart } = await openPlaygroundTwice();
		const { invoked, clock } = await restart();
		expect(await invoked.callback({ type: 5 })).toMatchObject(refusal(400, 40060));
		await clock.advance(15 * 60_000);
		expect(await invoked.webhook("PATCH", { content: "late" })).toMatchObject(refusal(401, 50027));
	});

	test("fails unanswered interactions from before the restart", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const late = await before.user.type("/image", { prompt: "late" });
		const { payload } = await before.bot.interaction(late.interactionId);
		const { playground, clock } = await restart();
		await clock.advance(3_000);
		const path = `/interactions/${late.interactionId}/${String(payload["token"])}/callback`;
		expect(await playground.rest("POST", path, { type: 5 })).toMatchObject(refusal(404, 10062));
	});

	test("is found again by an open page", async () => {
		const clock = createManualClock();
		const dataDir = await temporaryFolder();
		const port = await freePort();
		const first = await deferred({ playground: await openPlayground({ clock, dataDir, port }) });
		const { reply, interaction, user } = first;
		await first.playground.pause();
		const playground = await openPlayground({ clock, dataDir, port });
		await invokedAt(playground.rest, interaction.payload).webhook("PATCH", { content: "here it is" });
		expect(await reply.until()).toMatchObject({ content: "here it is" });
		await user.close();
	});

	test("never repeats an id, even if its clock stands still", async () => {
		const { before, restart } = await openPlaygroundTwice();
		const { playground } = await restart();
		const { channels } = await (await playground.user()).state();
		const { body } = await playground.rest("POST", `/channels/${channels[0]?.id}/messages`, { content: "new" });
		expect(BigInt((body as { id: string }).id)).toBeGreaterThan(BigInt(before.reply.message()?.id ?? 0));
	});
});
