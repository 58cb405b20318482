import { textOf } from "@atelier/playground/user-client/message-contents";
import { MessageFlags } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { creditsLeft, passUntilAnswered } from "./start-atelier.ts";
import { answerTo, image, isPrivate, openServer, plain } from "./server.ts";

test("a blocked member alone is denied with reason and end, until unblocked", async () => {
	const { admin, ada, grace } = await openServer();
	const member = ada.me.user.id;
	const done = plain(await answerTo(admin, "/block", { member, reason: "@everyone flooding", days: 2, hours: 1 }));
	expect(done).toMatch(new RegExp(`^<@${member}> is blocked until <t:\\d+:f>\\. .*\\n-# Reason: @everyone flooding$`));
	const refused = await (await ada.type("/image", { prompt: "a boat" })).until(isFinalReply);
	expect((refused.flags ?? 0) & MessageFlags.Ephemeral).not.toBe(0);
	expect(plain(textOf(refused))).toMatch(
		/^You're blocked from generating in this server until <t:\d+:f>\. .*\n-# Reason: @everyone flooding$/,
	);
	expect(await image(grace)).toContain("496 left");
	expect(plain(await answerTo(admin, "/blocks"))).toContain(`by <@${admin.me.user.id}>: @everyone flooding`);
	expect(plain(await answerTo(admin, "/settings audit"))).toContain(
		`<@${admin.me.user.id}> · #1 · **Block of <@${member}>**: none → until `,
	);
	expect(await answerTo(admin, "/unblock", { member })).toBe(`<@${member}> can generate again.`);
	expect(await image(ada)).toContain("492 left");
	expect(await answerTo(admin, "/unblock", { member })).toContain("isn't blocked.");
	expect(await answerTo(admin, "/blocks")).toBe("No members are blocked.");
	expect(await creditsLeft(admin)).toBe(492);
});

test("a block expires", async () => {
	const clock = createManualClock(Date.now());
	const { admin, ada } = await openServer({ clock });
	const blocked = await admin.type("/block", { member: ada.me.user.id, reason: "too much", hours: 1 });
	await passUntilAnswered(clock, blocked);
	const during = await passUntilAnswered(clock, await ada.type("/image", { prompt: "a boat" }));
	expect(textOf(during)).toContain("You're blocked");
	await clock.advance(60 * 60 * 1000);
	// A generation would advance the clock by an unknown time; the list shows the same.
	const after = await passUntilAnswered(clock, await admin.type("/blocks"));
	expect(textOf(after)).toBe("No members are blocked.");
});

test("members cannot block themselves, or block without a reason", async () => {
	const { admin, ada } = await openServer();
	expect(await answerTo(admin, "/block", { member: admin.me.user.id, reason: "why not" })).toBe(
		"You can't block yourself.",
	);
	expect(await answerTo(admin, "/block", { member: ada.me.user.id, reason: "\u200B" })).toContain("Add a reason.");
});

test("filtered words are denied in prompts and lyrics, in any spelling, until they are removed", async () => {
	const { admin, ada } = await openServer();
	expect(plain(await answerTo(admin, "/filter add", { pattern: "Storm*" }))).toContain("- storm*");
	await answerTo(admin, "/filter add", { pattern: "bad word" });
	expect(plain(await answerTo(ada, "/image", { prompt: "a lighthouse in ST\u200BORMS" }))).toBe(
		"“storms” is blocked here. Try other words.\nYour prompt:\n```\na lighthouse in ST\u200BORMS\n```",
	);
	const refused = await ada.type("/music", { prompt: "a song", lyrics: "such a bad... word" });
	const denial = await refused.until(isFinalReply);
	expect(plain(textOf(denial))).toContain("“bad word”");
	// Other members see neither the denial nor the deleted reply.
	expect(isPrivate(denial)).toBe(true);
	expect(refused.states.map(({ kind }) => kind)).toStrictEqual(["thinking", "deleted", "message"]);
	expect(await image(ada)).toContain("496 left");
	expect(plain(await answerTo(admin, "/filter test", { text: "Stormy weather" }))).toBe(
		"Blocked: “stormy” matches storm*",
	);
	expect(await answerTo(admin, "/filter test", { text: "a brainstorm" })).toBe("Not blocked.");
	expect(await admin.autocomplete("/filter remove", { pattern: "sto" }, "pattern")).toStrictEqual([
		{ name: "storm*", value: "storm*" },
	]);
	await answerTo(admin, "/filter remove", { pattern: "storm*" });
	expect(await answerTo(ada, "/image", { prompt: "a storm" })).toContain("492 left");
	expect(await answerTo(admin, "/filter remove", { pattern: "storm*" })).toContain("There's no such pattern.");
	expect(await answerTo(admin, "/filter add", { pattern: "***" })).toContain("at least one letter or digit");
	expect(await answerTo(admin, "/filter add", { pattern: "a".repeat(65) })).toContain(
		"A pattern can have at most 64 characters.",
	);
});
