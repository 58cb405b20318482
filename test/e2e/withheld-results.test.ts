import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { type APIMessage, PermissionFlagsBits } from "discord-api-types/v10";
import { assert, describe, expect, test } from "vitest";
import { mediaIn } from "../../src/discord/message-contents.ts";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { OPENAI_KEY, openOpenAiServer } from "../fakes/openai-server.ts";
import { serverCreditsLeft, CREDITS_AFTER_IMAGE, channelIdOf, openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, isPrivate, followUpText, generateImage, plainText, pressUntil, messagesIn } from "./replies.ts";

type Behavior = NonNullable<Parameters<typeof openOpenAiServer>[0]>;
type Judgment = ReturnType<NonNullable<Behavior["moderate"]>>;

/** A server whose moderation service gives this judgment on every image; the gallery is the channel for reports. */
async function openModerated(
	judgment: Judgment,
	{ env = {}, ...rest }: Parameters<typeof openAtelierWithMembers>[0] = {},
) {
	let current = judgment;
	const service = await openOpenAiServer({ moderate: (input) => ("image" in input ? current : { flagged: [] }) });
	const moderation = { MODERATION_URL: service.url, MODERATION_API_KEY: OPENAI_KEY, MODERATION_KIND: "openai" };
	const server = await openAtelierWithMembers({ env: { ...moderation, ...env }, ...rest });
	const gallery = await channelIdOf(server.owner, "gallery");
	await answerTo(server.owner, "/settings general", { report_channel: gallery });
	/** The service judges all later images so. */
	const judge = (flagged: readonly string[]): void => void (current = { flagged });
	/** The withheld results in the channel of the moderators. */
	const withheld = async (): Promise<readonly APIMessage[]> =>
		(await messagesIn(server.owner, gallery)).filter((each) => textOf(each).startsWith("**Result withheld**"));
	/** Ada generates an image, which is withheld. Resolves to her reply and the notice for the moderators. */
	async function withhold(options = {}) {
		const reply = await generateImage(server.ada, options);
		const [notice = assert.fail("the moderators were not told"), ...others] = await withheld();
		expect(others).toEqual([]);
		return { reply, notice };
	}
	/** The results that a user sees, other than those in the channel of the moderators. */
	const resultsOf = async (client: UserClient): Promise<readonly APIMessage[]> =>
		(await client.messages()).filter((message) => message.channel_id !== gallery && filesOf(message).length > 0);
	return { ...server, ...service, gallery, judge, withheld, withhold, resultsOf };
}

const REJECTED = "because the moderation service flagged it. Try another prompt.";

describe("a result that the moderation service flags", () => {
	test("is withheld with a private notice to its member, costs nothing, and is decided by the moderators", async () => {
		const { owner, ada, grace, withhold, resultsOf, moderated } = await openModerated({ flagged: ["violence"] });
		const { reply, notice } = await withhold();
		expect(textOf(reply)).toContain("The result was withheld because the moderation service flagged it.");
		expect(textOf(reply)).toContain("The server's moderators can look at it and show it.");
		expect(textOf(reply)).toContain("No credits were charged.");
		expect(isPrivate(reply)).toBe(true);
		expect(moderated).toMatchObject([{ text: "a boat" }, { image: expect.anything() as unknown }]);
		expect(plainText(textOf(notice))).toContain("Flagged as: violence");
		expect(plainText(textOf(notice))).toContain("> a boat");
		expect(mediaIn(notice.components)).toHaveLength(1);
		expect(JSON.stringify(notice.components)).toContain('"spoiler":true');
		expect(labelsOf(notice)).toEqual(["Show", "Discard"]);
		expect(plainText(await answerTo(ada, "/gallery mine"))).not.toContain("a boat");
		const denied = await followUpText(ada.press(notice, { label: "Show" }));
		expect(denied).toBe("You need a role with the Manage Messages or Manage Server permission for that.");
		expect(await resultsOf(grace)).toEqual([]);

		const decided = await pressUntil(owner, notice, "Show", "Shown by");
		expect(labelsOf(decided)).toEqual([]);
		await expect.poll(async () => (await resultsOf(grace)).length).toBe(1);
		const [result = assert.fail("no result")] = await resultsOf(grace);
		expect(plainText(textOf(result))).toContain("a boat");
		expect(labelsOf(result)).toContain("Regenerate");
		expect(await serverCreditsLeft(ada)).toBe(500);
	});

	test("can be discarded, also by two presses at once", async () => {
		const { owner, ada, withheld, withhold, resultsOf } = await openModerated({ flagged: ["sexual"] });
		const { notice } = await withhold();
		const presses = await Promise.all([1, 2].map(() => owner.press(notice, { label: "Discard" })));
		const texts = presses.map(async (reply) =>
			textOf(await reply.until((message) => /Discarded by|already made a decision/.test(textOf(message)))),
		);
		expect((await Promise.all(texts)).join("\n")).toContain("Discarded by");
		const [after] = await withheld();
		expect(after && mediaIn(after.components)).toEqual([]);
		expect(after && labelsOf(after)).toEqual([]);
		expect(await resultsOf(ada)).toEqual([]);
		const { id = "" } = /job `(?<id>\d+)`/.exec(textOf(notice))?.groups ?? {};
		expect(await answerTo(ada, "/job get", { id })).toContain("This job has no files.");
	});

	test("is discarded if no moderators can decide, or if it contains sexual content with minors", async () => {
		const { owner, ada, atelier, gallery, judge, withheld } = await openModerated({
			flagged: ["sexual", "sexual/minors"],
		});
		await answerTo(owner, "/settings safety", { sexual: "spoiler" });
		expect(textOf(await generateImage(ada))).toContain(REJECTED);
		judge(["violence"]);
		const admin = openAdminClient(atelier.origin);
		const deny = String(PermissionFlagsBits.ViewChannel);
		const overwrites = [{ id: (await admin.state()).botRoleId, type: 0, deny }] as const;
		await admin.setOverwrites({ channelId: gallery, overwrites });
		expect(textOf(await generateImage(ada))).toContain(REJECTED);
		await answerTo(owner, "/settings general", { reset: "reportChannelId" });
		expect(textOf(await generateImage(ada))).toContain(REJECTED);
		expect(await withheld()).toEqual([]);
	});

	test("appears behind a spoiler, or in age-restricted channels only, if the server's rule requires it", async () => {
		const { owner, ada, judge, withheld } = await openModerated({ flagged: ["violence", "violence/graphic"] });
		const rules = { violence: "spoiler", sexual: "ageRestricted" };
		expect(plainText(await answerTo(owner, "/settings safety", rules))).toContain("violence: behind a spoiler");
		const result = await generateImage(ada);
		expect(filesOf(result)).toHaveLength(1);
		expect(JSON.stringify(result.components)).toContain('"spoiler":true');
		expect(plainText(textOf(result))).toContain(`${CREDITS_AFTER_IMAGE} left`);
		expect(await withheld()).toEqual([]);
		judge(["sexual"]);
		const denied = await generateImage(ada);
		expect(textOf(denied)).toContain("shows content like this only in age-restricted channels");
		expect(filesOf(await generateImage(ada, {}, { channel: "after-dark" }))).toHaveLength(1);
	});
});

test("a result that the moderation service cannot check is withheld, or shown if the operator configures that", async () => {
	const { owner, ada, withhold, resultsOf } = await openModerated({ status: 503 });
	const { reply, notice } = await withhold();
	expect(textOf(reply)).toContain("because the moderation service couldn't check it");
	await pressUntil(owner, notice, "Show", "Shown by");
	await expect.poll(async () => (await resultsOf(ada)).length).toBe(1);
	const lenient = await openModerated({ status: 503 }, { env: { MODERATION_FAILURE: "allow" } });
	expect(filesOf(await generateImage(lenient.ada))).toHaveLength(1);
});

test("a private result that is withheld stays private when it is shown", async () => {
	const { owner, ada, grace, withhold, resultsOf } = await openModerated({ flagged: ["violence"] });
	const { notice } = await withhold({ private: true });
	await pressUntil(owner, notice, "Show", "Shown by");
	await expect.poll(async () => (await resultsOf(ada)).length).toBe(1);
	expect(await resultsOf(grace)).toEqual([]);
});

test("a result that is withheld after its token has expired shows no reason in public", async () => {
	const engine = createFakeEngine({ script: [{ kind: "hang" }] });
	const { ada, grace, atelier, gallery } = await openModerated({ flagged: ["violence"] }, { engine });
	const reply = await ada.type("/video", { prompt: "a boat" });
	await expect.poll(() => engine.runs.length).toBe(1);
	await openAdminClient(atelier.origin).expire({ interactionId: reply.interactionId });
	engine.runs[0]?.finish();
	await reply.until((message) => textOf(message).includes("This job has ended without a result."));
	const others = (await grace.messages()).filter((message) => message.channel_id !== gallery);
	expect(others.map(textOf).join("\n")).not.toContain("withheld");
});
