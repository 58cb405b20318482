import { t } from "../../src/i18n/messages.ts";
import { textOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
import { CREDITS_AFTER_IMAGE, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, answerToImage, isPrivate, finalReply, plainText, pressAndWait } from "./replies.ts";

test("only the blocked member is denied, with the reason and the end of the block, until unblocked", async () => {
	const { owner, ada, grace, open } = await openAtelierWithMembers();
	const member = ada.me.user.id;
	const done = plainText(await answerTo(owner, "/block", { member, reason: "@everyone flooding", days: 2, hours: 1 }));
	expect(done).toMatch(new RegExp(`^<@${member}> is blocked until <t:\\d+:f>\\. .*\\n-# Reason: @everyone flooding$`));
	const denied = await finalReply(ada.type("/image", { prompt: "a boat" }));
	expect(isPrivate(denied)).toBe(true);
	expect(plainText(textOf(denied))).toMatch(
		/^You're blocked from generating in this server until <t:\d+:f>\. .*\n-# Reason: @everyone flooding$/,
	);
	expect(await answerToImage(grace)).toContain(`${CREDITS_AFTER_IMAGE} left`);
	expect(plainText(await answerTo(owner, "/blocks"))).toContain(`by <@${owner.me.user.id}>: @everyone flooding`);
	expect(plainText(await answerTo(owner, "/settings audit"))).toContain(
		`<@${owner.me.user.id}> · Discord · **Block on <@${member}>**: none → until `,
	);
	const listed = await finalReply(owner.type("/blocks"));
	expect(await answerTo(owner, "/unblock", { member })).toBe(`<@${member}> can generate again.`);
	await answerTo(owner, "/block", { member, reason: "again" });
	// The list shows the earlier block.
	const stale = await owner.press(listed, { label: "Unblock" });
	await expect.poll(() => stale.messages().map(textOf)).toContain(t("en-US", { key: "list.entryGone" }));
	const again = await finalReply(owner.type("/blocks"));
	expect(plainText(textOf(await pressAndWait(owner, again, "Unblock")))).toBe(
		`Saved. **Block on <@${member}>**: until unblocked → none\nNo members are blocked.`,
	);
	expect(await answerToImage(ada)).toContain("492 left");
	expect(await answerTo(owner, "/unblock", { member })).toContain("isn't blocked.");
	expect(await answerTo(owner, "/block", { member: owner.me.user.id, reason: "why not" })).toContain("block yourself");
	expect(await answerTo(owner, "/blocks")).toBe("No members are blocked.");
	const moderator = await open("Lena");
	const ownBlock = { member: moderator.me.user.id };
	await answerTo(owner, "/block", { ...ownBlock, reason: "cooling off" });
	expect(await answerTo(moderator, "/unblock", ownBlock)).toContain(t("de", { key: "block.own" }));
	const blocks = await finalReply(moderator.type("/blocks"));
	const pressed = await moderator.press(blocks, { label: "Entsperren" });
	await expect.poll(() => pressed.messages().map(textOf)).toContain(t("de", { key: "block.own" }));
});

test("filtered words are denied in prompts and lyrics, in any case and with added punctuation or invisible characters, until they are removed", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	expect(plainText(await answerTo(owner, "/filter add", { pattern: "Storm*" }))).toContain("- storm*");
	await answerTo(owner, "/filter add", { pattern: "bad word" });
	expect(plainText(await answerTo(ada, "/image", { prompt: "a lighthouse in ST\u200BORMS" }))).toBe(
		"“storms” is blocked by this server's word filter. Try other words, or ask an admin.\nYou typed:\n```\na lighthouse in ST\u200BORMS\n```",
	);
	const denied = await ada.type("/music", { prompt: "a song", lyrics: "such a bad... word" });
	const denial = await denied.until(isFinalReply);
	expect(plainText(textOf(denial))).toContain("“bad word”");
	// The public "thinking" reply is deleted, and the denial is private.
	expect(isPrivate(denial)).toBe(true);
	expect(denied.states.map(({ kind }) => kind)).toStrictEqual(["thinking", "deleted", "message"]);
	expect(await answerToImage(ada)).toContain(`${CREDITS_AFTER_IMAGE} left`);
	expect(plainText(await answerTo(owner, "/filter test", { text: "Stormy weather" }))).toBe(
		"Blocked: “stormy” matches storm*",
	);
	expect(await answerTo(owner, "/filter test", { text: "a brainstorm" })).toBe("Not blocked.");
	expect(await owner.autocomplete("/filter remove", { pattern: "sto" }, "pattern")).toStrictEqual([
		{ name: "storm*", value: "storm*" },
	]);
	expect(plainText(await answerTo(owner, "/filter remove", { pattern: "storm*" }))).toContain("- bad word");
	expect(await answerTo(ada, "/image", { prompt: "a storm" })).toContain("492 left");
	expect(await answerTo(owner, "/filter remove", { pattern: "storm*" })).toContain("There's no such pattern.");
	expect(await answerTo(owner, "/filter add", { pattern: "***" })).toContain("at least one letter or digit");
});
