import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { PermissionFlagsBits, type APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import type { UserClient } from "@atelier/playground/user-client";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { mediaIn } from "../../src/discord/message-contents.ts";
import { t } from "../../src/i18n/messages.ts";
import {
	answerTo,
	channelId,
	isPresent,
	isPrivate,
	labels,
	openServer,
	plain,
	pressed,
	deleteResult,
} from "./server.ts";

const HIDDEN = String(PermissionFlagsBits.ViewChannel);

const make = async (user: UserClient, prompt: string, options = {}): Promise<APIMessage> =>
	await (await user.type("/image", { prompt, ...options })).until(isFinalReply);

const gallery = async (user: UserClient, kind: "mine" | "server" | "favorites"): Promise<APIMessage> =>
	await (await user.type(`/gallery ${kind}`)).until(isFinalReply);

/** Presses a button of a card, and waits for its new text. */
async function press(user: UserClient, message: APIMessage, label: string, expected: string): Promise<APIMessage> {
	return await (await user.press(message, { label })).until((shown) => plain(textOf(shown)).includes(expected));
}

describe("/gallery", () => {
	test("pages through the results of a server with their images, newest first", async () => {
		const { ada, grace } = await openServer();
		for (const prompt of ["one", "two", "three", "four", "five"]) await make(ada, prompt);
		const first = await gallery(grace, "server");
		expect(isPrivate(first)).toBe(true);
		expect(textOf(first)).toContain("**Results in this server**");
		expect(textOf(first).indexOf("five")).toBeLessThan(textOf(first).indexOf("two"));
		expect(textOf(first)).not.toContain("one");
		expect(textOf(first)).toContain(`by <@${ada.me.user.id}>`);
		expect(mediaIn(first.components)).toHaveLength(4);
		const second = await press(grace, first, "Next", "> one");
		expect(textOf(second)).not.toContain("> two");
		await press(grace, second, "Previous", "> five");
	});

	test("repeats a result, and deletes it once for its member or a moderator", async () => {
		const { ada, grace } = await openServer();
		const made = await make(ada, "a boat");
		const seen = await gallery(grace, "server");
		expect(labels(seen)).toStrictEqual(["Regenerate", "⭐ Favorite"]);
		expect(filesOf(await pressed(grace, seen, "Regenerate"))).toHaveLength(1);
		const own = await gallery(ada, "mine");
		expect(labels(own)).toStrictEqual(["Regenerate", "⭐ Favorite", "Delete"]);
		const modal = await (await ada.press(own, { label: "Delete" })).modal();
		await (await ada.submit(modal)).until((shown) => labels(shown).includes("Show"));
		expect(await isPresent(ada, made)).toBe(false);
		expect(textOf(await gallery(grace, "server"))).not.toContain(`by <@${ada.me.user.id}>`);
		// The member keeps the files for a while.
		const files = await pressed(ada, await gallery(ada, "mine"), "Show");
		expect(filesOf(files)).toHaveLength(1);
		expect(isPrivate(files)).toBe(true);
	});

	test("shows neither private results nor deleted ones to others", async () => {
		const { ada, grace } = await openServer();
		await make(ada, "a plan");
		await make(ada, "a secret", { private: true });
		await deleteResult(ada, await make(ada, "a mistake"));
		const seen = textOf(await gallery(grace, "server"));
		expect(seen).toContain("a plan");
		expect(seen).not.toMatch(/a secret|a mistake/);
		const own = await gallery(ada, "mine");
		expect(textOf(own)).toContain("a secret");
		expect(labels(own)).toContain("Show");
	});

	test("shows results of a channel to those who may read it, and of age-restricted ones there only", async () => {
		const { admin, ada, grace, atelier, roleId } = await openServer();
		const channel = await channelId(admin, "gallery");
		const adults = await channelId(admin, "after-dark");
		const { id } = (await admin.state()).guild;
		await openAdminClient(atelier.origin).setOverwrites(channel, [
			{ id, type: 0, deny: HIDDEN },
			{ id: roleId("Patrons"), type: 0, allow: HIDDEN },
		]);
		await (await ada.type("/image", { prompt: "a meeting" }, { channel })).until(isFinalReply);
		await (await ada.type("/image", { prompt: "a night" }, { channel: adults })).until(isFinalReply);
		for (const reader of [admin, ada]) expect(textOf(await gallery(reader, "server"))).toContain("a meeting");
		const empty = t("en-US", { key: "gallery.emptyServer" });
		expect(textOf(await gallery(grace, "server"))).toBe(empty);
		const there = await (await grace.type("/gallery server", {}, { channel: adults })).until(isFinalReply);
		expect(textOf(there)).toContain("a night");
		expect(textOf(there)).not.toContain("a meeting");
	});

	test("lists a result whose message cannot be read, without its image", async () => {
		const { admin, ada, grace, atelier } = await openServer();
		await make(ada, "a boat");
		const { channels } = await admin.state();
		await openAdminClient(atelier.origin).setAccess(channels[0]?.id ?? "", "none");
		const seen = await gallery(grace, "server");
		expect(textOf(seen)).toContain("a boat");
		expect(mediaIn(seen.components)).toHaveLength(0);
	});
});

describe("favorites", () => {
	test("are kept per member with one button, until the result is deleted", async () => {
		const { ada, grace } = await openServer();
		const made = await make(ada, "a boat");
		expect(textOf(await gallery(grace, "favorites"))).toBe(t("en-US", { key: "gallery.emptyFavorites" }));
		expect(textOf(await pressed(grace, made, "⭐ Favorite"))).toContain("Added to your favorites");
		const listed = await gallery(grace, "favorites");
		expect(plain(textOf(listed))).toContain("> a boat");
		expect(textOf(await gallery(ada, "favorites"))).not.toContain("a boat");
		const without = await (await grace.press(listed, { label: "Remove ⭐" })).until();
		expect(textOf(without)).toBe(t("en-US", { key: "gallery.emptyFavorites" }));
		expect(textOf(await pressed(grace, made, "⭐ Favorite"))).toContain("Added");
		await deleteResult(ada, made);
		expect(textOf(await gallery(grace, "favorites"))).not.toContain("a boat");
	});
});

test("/privacy delete removes a member's favorites, and their results from the favorites of others", async () => {
	const { ada, grace } = await openServer();
	const [own, other] = [await make(ada, "a boat"), await make(grace, "a tree")];
	for (const message of [own, other]) await pressed(ada, message, "⭐ Favorite");
	await pressed(grace, own, "⭐ Favorite");
	const asked = await (await ada.type("/privacy delete")).until(isFinalReply);
	await pressed(ada, asked, t("en-US", { key: "button.deleteData" }));
	const empty = t("en-US", { key: "gallery.emptyFavorites" });
	for (const user of [ada, grace]) await expect.poll(async () => textOf(await gallery(user, "favorites"))).toBe(empty);
	expect(textOf(await gallery(grace, "server"))).not.toContain("a boat");
});

describe("the showcase", () => {
	test("posts a result once when enough other members press ⭐, and loses it with the result", async () => {
		const { admin, ada, grace, open } = await openServer();
		const showcase = await channelId(admin, "gallery");
		expect(await answerTo(admin, "/settings showcase", { channel: showcase, stars: 2 })).toContain(
			`**Showcase**: <#${showcase}>, 2 ⭐ or more`,
		);
		const posts = async () =>
			(await admin.messages()).filter((each) => each.channel_id === showcase && textOf(each).includes("a boat"));
		const made = await make(ada, "a boat @everyone");
		const lena = await open("Lena");
		for (const user of [ada, grace]) await pressed(user, made, "⭐ Favorite");
		expect(await posts()).toHaveLength(0);
		await Promise.all(
			[admin, lena].map((user) => user.press(made, { label: "⭐ Favorite" }).then((r) => r.until(isFinalReply))),
		);
		await expect.poll(posts).toHaveLength(1);
		const [post] = await posts();
		expect(post).toMatchObject({ mentions: [], mention_everyone: false });
		expect(post && filesOf(post)).toHaveLength(1);
		expect(post && textOf(post)).toContain(`by <@${ada.me.user.id}>`);
		await deleteResult(ada, made);
		await expect.poll(posts).toHaveLength(0);
	});

	test("never shows a private result or one of an age-restricted channel elsewhere", async () => {
		const { admin, ada, grace } = await openServer();
		const showcase = await channelId(admin, "gallery");
		const adults = await channelId(admin, "after-dark");
		await answerTo(admin, "/settings showcase", { channel: showcase, stars: 1 });
		const secret = await make(ada, "a secret", { private: true });
		await pressed(ada, secret, "⭐ Favorite");
		const adult = await (await ada.type("/image", { prompt: "a night" }, { channel: adults })).until(isFinalReply);
		await pressed(grace, adult, "⭐ Favorite");
		const texts = (await admin.messages()).filter((each) => each.channel_id === showcase).map(textOf);
		expect(texts.join("\n")).not.toMatch(/a secret|a night/);
	});
});
