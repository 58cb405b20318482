import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { PermissionFlagsBits, type APIMessage } from "discord-api-types/v10";
import { assert, describe, expect, test } from "vitest";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { mediaIn } from "../../src/discord/message-contents.ts";
import { t } from "../../src/i18n/messages.ts";
import { channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";
import {
	answerTo,
	isMessagePresent,
	isPrivate,
	pressAndWait,
	deleteResult,
	finalReply,
	openForm,
	generateImage,
	plainText,
	pressUntil,
	messagesIn,
	reportResult,
} from "./replies.ts";

const VIEW_CHANNEL = String(PermissionFlagsBits.ViewChannel);
const AGE_RESTRICTED = { channel: "after-dark" };

const openGallery = async (user: UserClient, kind: "mine" | "server" | "favorites"): Promise<APIMessage> =>
	await finalReply(user.type(`/gallery ${kind}`));

describe("/gallery", () => {
	test("pages through the results of a server with their images, newest first, without private and deleted ones", async () => {
		const { ada, grace } = await openAtelierWithMembers();
		for (const prompt of ["one", "two", "three", "four", "five"]) await generateImage(ada, { prompt });
		await generateImage(ada, { prompt: "a secret", private: true });
		await deleteResult(ada, await generateImage(ada, { prompt: "a mistake" }));
		const first = await openGallery(grace, "server");
		expect(isPrivate(first)).toBe(true);
		expect(textOf(first)).toContain("**Results in this server**");
		expect(textOf(first).indexOf("five")).toBeLessThan(textOf(first).indexOf("two"));
		expect(textOf(first)).not.toMatch(/one|a secret|a mistake/);
		expect(textOf(first)).toContain(`by <@${ada.me.user.id}>`);
		expect(mediaIn(first.components)).toHaveLength(4);
		const second = await pressUntil(grace, first, "Next", "> one");
		expect(plainText(textOf(second))).not.toContain("> two");
		await pressUntil(grace, second, "Previous", "> five");
	});

	test("repeats a result, deletes it for its member, and shows members their private and deleted files", async () => {
		const { ada, grace } = await openAtelierWithMembers();
		const result = await generateImage(ada);
		const galleryCard = await openGallery(grace, "server");
		expect(labelsOf(galleryCard)).toStrictEqual(["Regenerate", "⭐ Favorite"]);
		expect(filesOf(await pressAndWait(grace, galleryCard, "Regenerate"))).toHaveLength(1);
		const ownGallery = await openGallery(ada, "mine");
		expect(labelsOf(ownGallery)).toStrictEqual(["Regenerate", "⭐ Favorite", "Delete"]);
		const modal = await openForm(ada.press(ownGallery, { label: "Delete" }));
		await (await ada.submit(modal)).until((shown) => labelsOf(shown).includes("Show"));
		expect(await isMessagePresent(ada, result)).toBe(false);
		expect(textOf(await openGallery(grace, "server"))).not.toContain(`by <@${ada.me.user.id}>`);
		// The member keeps the files for a while.
		const files = await pressAndWait(ada, await openGallery(ada, "mine"), "Show");
		expect(filesOf(files)).toHaveLength(1);
		expect(isPrivate(files)).toBe(true);
		await generateImage(ada, { prompt: "a secret", private: true });
		const withSecret = await openGallery(ada, "mine");
		expect(textOf(withSecret)).toContain("a secret");
		expect(labelsOf(withSecret)).toContain("Show");
	});

	test("shows results of a channel to members who may read it, and results of an age-restricted channel in it only", async () => {
		const { owner, ada, grace, atelier, roleId } = await openAtelierWithMembers();
		const admin = openAdminClient(atelier.origin);
		const channelId = await channelIdOf(owner, "gallery");
		const { id } = (await owner.state()).guild;
		const overwrites = [
			{ id, type: 0, deny: VIEW_CHANNEL },
			{ id: roleId("Patrons"), type: 0, allow: VIEW_CHANNEL },
			{ id: (await admin.state()).botRoleId, type: 0, allow: VIEW_CHANNEL },
		] as const;
		await admin.setOverwrites({ channelId, overwrites });
		await generateImage(ada, { prompt: "a meeting" }, { channel: "gallery" });
		await generateImage(ada, { prompt: "a night" }, AGE_RESTRICTED);
		for (const reader of [owner, ada]) expect(textOf(await openGallery(reader, "server"))).toContain("a meeting");
		const empty = t("en-US", { key: "galleryEmpty.server" });
		expect(textOf(await openGallery(grace, "server"))).toBe(empty);
		const inAdultChannel = await finalReply(grace.type("/gallery server", {}, AGE_RESTRICTED));
		expect(textOf(inAdultChannel)).toContain("a night");
		expect(textOf(inAdultChannel)).not.toContain("a meeting");
	});
});

test("favorites are kept per member with one button, until the result is deleted", async () => {
	const { ada, grace } = await openAtelierWithMembers();
	const result = await generateImage(ada);
	expect(textOf(await openGallery(grace, "favorites"))).toBe(t("en-US", { key: "galleryEmpty.favorites" }));
	expect(textOf(await pressAndWait(grace, result, "⭐ Favorite"))).toContain("Added to your favorites");
	const listed = await openGallery(grace, "favorites");
	expect(plainText(textOf(listed))).toContain("> a boat");
	expect(textOf(await openGallery(ada, "favorites"))).not.toContain("a boat");
	const without = await (await grace.press(listed, { label: "Remove ⭐" })).until();
	expect(textOf(without)).toBe(t("en-US", { key: "galleryEmpty.favorites" }));
	expect(textOf(await pressAndWait(grace, result, "⭐ Favorite"))).toContain("Added");
	await deleteResult(ada, result);
	expect(textOf(await openGallery(grace, "favorites"))).not.toContain("a boat");
});

test("/privacy delete removes a member's favorites, and their results from the favorites of others", async () => {
	const { ada, grace } = await openAtelierWithMembers();
	const [own, other] = [await generateImage(ada), await generateImage(grace, { prompt: "a tree" })];
	for (const message of [own, other]) await pressAndWait(ada, message, "⭐ Favorite");
	await pressAndWait(grace, own, "⭐ Favorite");
	const asked = await finalReply(ada.type("/privacy delete"));
	await pressAndWait(ada, asked, t("en-US", { key: "button.deleteData" }));
	const empty = t("en-US", { key: "galleryEmpty.favorites" });
	for (const user of [ada, grace])
		await expect.poll(async () => textOf(await openGallery(user, "favorites"))).toBe(empty);
	expect(textOf(await openGallery(grace, "server"))).not.toContain("a boat");
});

test("the showcase posts a result once when enough other members press ⭐, and removes the post when the result is deleted", async () => {
	const { owner, ada, grace, open } = await openAtelierWithMembers();
	const showcaseId = await channelIdOf(owner, "gallery");
	expect(await answerTo(owner, "/settings showcase", { channel: showcaseId, stars: 2 })).toContain(
		`**Showcase**: <#${showcaseId}>, 2 ⭐ or more`,
	);
	const posts = async () => (await messagesIn(owner, showcaseId)).filter((each) => textOf(each).includes("a boat"));
	const result = await generateImage(ada, { prompt: "a boat @everyone" });
	const lena = await open("Lena");
	// Ada's own star does not count.
	for (const user of [ada, grace]) await pressAndWait(user, result, "⭐ Favorite");
	expect(await posts()).toHaveLength(0);
	await Promise.all([owner, lena].map((user) => pressAndWait(user, result, "⭐ Favorite")));
	await expect.poll(posts).toHaveLength(1);
	const [post = assert.fail("no post")] = await posts();
	expect(post).toMatchObject({ mentions: [], mention_everyone: false });
	expect(filesOf(post)).toHaveLength(1);
	expect(textOf(post)).toContain(`by <@${ada.me.user.id}>`);
	await deleteResult(ada, result);
	await expect.poll(posts).toHaveLength(0);
});

test("members report and reuse a post of the showcase like the result that it shows", async () => {
	const { owner, ada, grace } = await openAtelierWithMembers();
	const showcaseId = await channelIdOf(owner, "gallery");
	await answerTo(owner, "/settings showcase", { channel: showcaseId, stars: 1 });
	await answerTo(owner, "/settings general", { report_channel: await channelIdOf(owner, "general") });
	const result = await generateImage(ada);
	await pressAndWait(grace, result, "⭐ Favorite");
	const posts = async () => (await messagesIn(owner, showcaseId)).filter((each) => textOf(each).includes("a boat"));
	await expect.poll(posts).toHaveLength(1);
	const [post = assert.fail("no post")] = await posts();
	expect(await reportResult(grace, post, "This is awful")).toContain("Thank you.");
	expect(textOf(await finalReply(grace.context("Report", result)))).toContain("You already reported this.");
	const variation = await finalReply(grace.context("Make variations", post));
	expect(plainText(textOf(variation))).toMatch(/^> a boat$/m);
});

test("the showcase never shows a private result or one of an age-restricted channel elsewhere", async () => {
	const { owner, ada, grace } = await openAtelierWithMembers();
	const showcaseId = await channelIdOf(owner, "gallery");
	await answerTo(owner, "/settings showcase", { channel: showcaseId, stars: 1 });
	const secret = await generateImage(ada, { prompt: "a secret", private: true });
	await pressAndWait(ada, secret, "⭐ Favorite");
	await pressAndWait(grace, await generateImage(ada, { prompt: "a night" }, AGE_RESTRICTED), "⭐ Favorite");
	expect((await messagesIn(owner, showcaseId)).map(textOf).join("\n")).not.toMatch(/a secret|a night/);
});
