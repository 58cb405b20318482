/** A moderation bot runs against the playground as it is. */
import { describe, expect, test } from "vitest";
import { openDiscord } from "./open-discord.ts";
import { startModerationBot } from "./start-moderation-bot.ts";

const open = () =>
	openDiscord(startModerationBot, [
		"KickMembers",
		"BanMembers",
		"ModerateMembers",
		"ManageMessages",
		"ManageRoles",
		"ManageChannels",
	]);

describe("a moderation bot", () => {
	test("deletes forbidden messages, warns by a reply, and times out after the third", async () => {
		const { discord, ada, grace } = await open();
		const allowed = await grace.say("a boat");
		for (const count of [1, 2]) {
			const message = await grace.say(`buy this SPAM ${count}`);
			const warning = await ada.untilMessage(({ content }) => content.endsWith(`warning ${count} of 3.`));
			expect(warning).toMatchObject({ type: 19, message_reference: { message_id: message.id } });
			await ada.untilGone(message);
		}
		await grace.edit(allowed, "a scam");
		await ada.untilGone(allowed);
		await expect
			.poll(() =>
				grace.say("hello").then(
					({ content }) => content,
					(error: Error) => error.message,
				),
			)
			.toMatch(/^You are timed out until/);
		await discord.admin.advanceClock({ advanceMs: 10 * 60_000 });
		await grace.say("sorry");
	});

	test("/kick and /ban remove a member, /ban with recent messages; a member without the permission cannot use /kick", async () => {
		const { discord, ada, grace } = await open();
		const owner = await discord.openUser();
		await expect(ada.type("/kick", { user: grace.me.user.id })).rejects.toThrow("you may not use it");
		const self = await owner.type("/kick", { user: owner.me.user.id });
		expect(await self.until()).toMatchObject({ content: "I cannot kick robin." });
		await (
			await owner.type("/kick", { user: ada.me.user.id, reason: "test" })
		).until(({ content }) => content === "Kicked ada");
		await owner.untilMessage(({ content }) => content === "Log: ada left");
		const spam = [await grace.say("one"), await grace.say("two")];
		await (
			await owner.type("/ban", { user: grace.me.user.id, reason: "Werbung" })
		).until(({ content }) => content === "Banned grace");
		for (const message of spam) await owner.untilGone(message);
		await owner.untilMessage(({ content }) => content === "Log: grace was banned");
		expect((await owner.state()).members.map(({ user }) => user.username)).toStrictEqual(["robin", "lena", "yuki"]);
		const unbanned = await owner.type("/unban", { user: grace.me.user.id });
		expect(await unbanned.until()).toMatchObject({ content: "Unbanned grace" });
		await discord.admin.addMember({ userId: grace.me.user.id });
	});

	test("/lock denies members to write in the channel until it is unlocked, with a slow mode", async () => {
		const { discord, ada } = await open();
		const owner = await discord.openUser();
		expect(await (await owner.type("/lock", { locked: true })).until()).toMatchObject({ content: "Locked" });
		await expect(ada.say("hello")).rejects.toThrow("You may not write in this channel.");
		const unlocked = await owner.type("/lock", { locked: false });
		expect(await unlocked.until()).toMatchObject({ content: "Unlocked, slow mode 5 s" });
		await ada.say("hello");
	});

	test("/purge deletes the newest messages at once", async () => {
		const { discord, ada } = await open();
		const owner = await discord.openUser();
		for (const text of ["one", "two", "three", "four"]) await ada.say(text);
		const reply = await owner.type("/purge", { count: 3 });
		expect(await reply.until()).toMatchObject({ content: "Deleted 3 messages", flags: 64 });
		await expect.poll(async () => (await ada.messages()).map(({ content }) => content)).toStrictEqual(["one"]);
	});
});
