import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import { mediaIn } from "../../src/discord/message-contents.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { OPENAI_KEY, openOpenAiServer } from "../fakes/openai-server.ts";
import { answerTo, channelIdOf, isPrivate, openAtelierWithMembers } from "./user-clients.ts";
import { serverCreditsLeft } from "./start-atelier.ts";
import { finalReply, generateImage, plainText, pressUntil } from "./replies.ts";

type Behavior = NonNullable<Parameters<typeof openOpenAiServer>[0]>;
type Judgment = ReturnType<NonNullable<Behavior["moderate"]>>;

/** A server whose moderation service gives this judgment on every image; the gallery is the channel for reports. */
async function openModerated(judgment: Judgment, { env = {}, hasModerators = true } = {}) {
	const service = await openOpenAiServer({ moderate: (input) => ("image" in input ? judgment : { flagged: [] }) });
	const engine = createFakeEngine();
	const moderation = { MODERATION_URL: service.url, MODERATION_API_KEY: OPENAI_KEY, MODERATION_KIND: "openai" };
	const server = await openAtelierWithMembers({ engine, env: { ...moderation, ...env } });
	const gallery = await channelIdOf(server.owner, "gallery");
	if (hasModerators) await answerTo(server.owner, "/settings general", { report_channel: gallery });
	/** The withheld results in the channel of the moderators. */
	const withheld = async (): Promise<readonly APIMessage[]> =>
		(await server.owner.messages()).filter(
			(message) => message.channel_id === gallery && textOf(message).startsWith("**Result withheld**"),
		);
	return { ...server, ...service, engine, gallery, withheld };
}

/** The results of the bot with files, other than those in the channel of the moderators. */
const resultsIn = async (client: UserClient, moderatorsId: string): Promise<readonly APIMessage[]> =>
	(await client.messages()).filter((message) => message.channel_id !== moderatorsId && filesOf(message).length > 0);

describe("a result that the moderation service flags", () => {
	test("is withheld with a private notice to its member, costs nothing, and waits for the moderators", async () => {
		const { owner, ada, grace, gallery, withheld, moderated } = await openModerated({ flagged: ["violence"] });
		const reply = await generateImage(ada);
		expect(textOf(reply)).toContain("The result was withheld because the moderation service flagged it.");
		expect(textOf(reply)).toContain("The server's moderators can look at it and show it.");
		expect(textOf(reply)).toContain("No credits were charged.");
		expect(isPrivate(reply)).toBe(true);
		expect(await resultsIn(grace, gallery)).toEqual([]);
		expect(await serverCreditsLeft(ada)).toBe(500);
		expect(moderated).toMatchObject([{ text: "a boat" }, { image: expect.anything() as unknown }]);
		const [notice, ...others] = await withheld();
		if (!notice) throw new Error("the moderators were not told");
		expect(others).toEqual([]);
		expect(plainText(textOf(notice))).toContain("Flagged as: violence");
		expect(plainText(textOf(notice))).toContain("> a boat");
		expect(mediaIn(notice.components)).toHaveLength(1);
		expect(JSON.stringify(notice.components)).toContain('"spoiler":true');
		expect(labelsOf(notice)).toEqual(["Show", "Discard"]);
		expect(plainText(await answerTo(ada, "/gallery mine"))).not.toContain("a boat");

		const decided = await pressUntil(owner, notice, "Show", "Shown by");
		expect(labelsOf(decided)).toEqual([]);
		await expect.poll(async () => (await resultsIn(grace, gallery)).length).toBe(1);
		const [result] = await resultsIn(grace, gallery);
		expect(result && plainText(textOf(result))).toContain("a boat");
		expect(result && labelsOf(result)).toContain("Regenerate");
		expect(await serverCreditsLeft(ada)).toBe(500);
	});

	test("can be discarded, also by two presses at once", async () => {
		const { owner, ada, gallery, withheld } = await openModerated({ flagged: ["sexual"] });
		await generateImage(ada);
		const [notice] = await withheld();
		if (!notice) throw new Error("the moderators were not told");
		const [first, second] = await Promise.all([
			owner.press(notice, { label: "Discard" }),
			owner.press(notice, { label: "Discard" }),
		]);
		const texts = [first, second].map(async (reply) =>
			textOf(await reply.until((message) => /Discarded by|already made a decision/.test(textOf(message)))),
		);
		expect((await Promise.all(texts)).join("\n")).toContain("Discarded by");
		const [after] = await withheld();
		expect(after && mediaIn(after.components)).toEqual([]);
		expect(after && labelsOf(after)).toEqual([]);
		expect(await resultsIn(ada, gallery)).toEqual([]);
		const { id = "" } = /job `(?<id>\d+)`/.exec(textOf(notice))?.groups ?? {};
		expect(await answerTo(ada, "/job get", { id })).toContain("This job has no files.");
	});

	test("is decided by moderators only", async () => {
		const { ada, gallery, withheld } = await openModerated({ flagged: ["violence"] });
		await generateImage(ada);
		const [notice] = await withheld();
		if (!notice) throw new Error("the moderators were not told");
		const denied = await finalReply(ada.press(notice, { label: "Show" }));
		expect(textOf(denied)).toBe("You need the Manage Messages or Manage Server permission for that.");
		expect(await resultsIn(ada, gallery)).toEqual([]);
	});

	test("is discarded if no moderators can decide, or if it contains sexual content with minors", async () => {
		const withoutModerators = await openModerated({ flagged: ["violence"] }, { hasModerators: false });
		const reply = await generateImage(withoutModerators.ada);
		expect(textOf(reply)).toContain("because the moderation service flagged it. Try another prompt.");
		const closed = await openModerated({ flagged: ["violence"] });
		await openAdminClient(closed.atelier.origin).setBotAccess(closed.gallery, "none");
		expect(textOf(await generateImage(closed.ada))).toContain("because the moderation service flagged it. Try another");
		const illegal = await openModerated({ flagged: ["sexual", "sexual/minors"] });
		await answerTo(illegal.owner, "/settings safety", { sexual: "spoiler" });
		expect(textOf(await generateImage(illegal.ada))).toContain(
			"because the moderation service flagged it. Try another",
		);
		expect(await illegal.withheld()).toEqual([]);
	});

	test("appears behind a spoiler if the server's rule requires it", async () => {
		const { owner, ada, withheld } = await openModerated({ flagged: ["violence", "violence/graphic"] });
		await answerTo(owner, "/settings safety", { violence: "spoiler" });
		const result = await generateImage(ada);
		expect(filesOf(result)).toHaveLength(1);
		expect(JSON.stringify(result.components)).toContain('"spoiler":true');
		expect(plainText(textOf(result))).toContain("496 left");
		expect(await withheld()).toEqual([]);
	});

	test("appears in age-restricted channels only, if the server's rule requires it", async () => {
		const { owner, ada } = await openModerated({ flagged: ["sexual"] });
		await answerTo(owner, "/settings safety", { sexual: "ageRestricted" });
		expect(textOf(await generateImage(ada))).toContain("shows content like this only in age-restricted channels");
		const channel = await channelIdOf(owner, "after-dark");
		const shown = await finalReply(ada.type("/image", { prompt: "a boat" }, { channel }));
		expect(filesOf(shown)).toHaveLength(1);
	});
});

describe("a moderation service that does not respond", () => {
	test("withholds results by default, which the moderators can show", async () => {
		const { owner, ada, gallery, withheld } = await openModerated({ status: 503 });
		expect(textOf(await generateImage(ada))).toContain("because the moderation service couldn't check it");
		const [notice] = await withheld();
		if (!notice) throw new Error("the moderators were not told");
		await pressUntil(owner, notice, "Show", "Shown by");
		await expect.poll(async () => (await resultsIn(ada, gallery)).length).toBe(1);
	});

	test("shows results if the operator configures that", async () => {
		const { ada } = await openModerated({ status: 503 }, { env: { MODERATION_FAILURE: "allow" } });
		expect(filesOf(await generateImage(ada))).toHaveLength(1);
	});
});

test("a private result that is withheld stays private when it is shown", async () => {
	const { owner, ada, grace, gallery, withheld } = await openModerated({ flagged: ["violence"] });
	await generateImage(ada, { private: true });
	const [notice] = await withheld();
	if (!notice) throw new Error("the moderators were not told");
	await pressUntil(owner, notice, "Show", "Shown by");
	await expect.poll(async () => (await resultsIn(ada, gallery)).length).toBe(1);
	expect(await resultsIn(grace, gallery)).toEqual([]);
});

test("the rules for flagged content are a setting, which needs a moderation service", async () => {
	const { owner } = await openModerated({ flagged: [] });
	expect(plainText(await answerTo(owner, "/settings safety", { violence: "spoiler" }))).toContain(
		"violence: behind a spoiler",
	);
	const without = await openAtelierWithMembers();
	expect(await answerTo(without.owner, "/settings safety", { violence: "spoiler" })).toContain(
		"hasn't set up a moderation service",
	);
});
