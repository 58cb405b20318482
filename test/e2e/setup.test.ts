import { textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { labelsOf, type UserClient } from "@atelier/playground/user-client";
import { openAtelierWithMembers, channelIdOf } from "./start-atelier.ts";
import { answerTo, answerToImage, openForm, pressSetting, replyWithText } from "./replies.ts";

const openSetup = async (userClient: UserClient): Promise<APIMessage> =>
	await (await userClient.type("/setup")).until();
const isStep = (step: number) => (message: APIMessage) => textOf(message).startsWith(`**Step ${step} of 4: `);
/** Presses a button, and waits for the resulting step. */
const pressAndWait = async (userClient: UserClient, message: APIMessage, label: string, step: number) =>
	await (await userClient.press(message, { label })).until(isStep(step));
/** Changes a setting of a step in its form, and waits for the text of the new value. */
async function change(
	userClient: UserClient,
	message: APIMessage,
	field: string,
	input: Parameters<UserClient["submit"]>[1],
	text: string,
) {
	const form = await openForm(pressSetting(userClient, message, `1:setup-field:${field}`));
	return await replyWithText(userClient.submit(form, input), text);
}

test("/setup guides a manager through channels, roles, limits and moderators, and stores each choice at once", async () => {
	const { owner, ada, roleId } = await openAtelierWithMembers();
	const galleryId = await channelIdOf(owner, "gallery");
	const roles = [roleId("Patrons")];
	const channelsStep = await openSetup(owner);
	expect(textOf(channelsStep)).toContain(
		"**Step 1 of 4: Channels.** Where can members generate? Members can generate in all channels unless you choose some.",
	);
	await change(owner, channelsStep, "channels", { allowed: [galleryId], denied: [] }, `only <#${galleryId}>`);
	expect(await answerToImage(ada)).toBe(
		`You can't generate in this channel. Use one of these, or ask an admin: <#${galleryId}>`,
	);

	const rolesStep = await pressAndWait(owner, channelsStep, "Next", 2);
	await change(owner, rolesStep, "roles", { allowed: roles, denied: [] }, `only <@&${roles.join()}>`);
	const limitsStep = await pressAndWait(owner, rolesStep, "Next", 3);
	const memberLimit = { credits: "12", per: ["day"] };
	const limited = await change(owner, limitsStep, "memberLimit", memberLimit, "**Member limit**: 12 credits per day");
	const serverLimit = { credits: "1,000", per: ["month"] };
	await change(owner, limited, "serverLimit", serverLimit, "**Server limit**: 1,000 credits per month");

	await answerTo(owner, "/quota media_type", { media_type: "video", credits: 30 });
	const moderatorsStep = await pressAndWait(owner, limitsStep, "Next", 4);
	for (const limit of ["Member limit**: 12", "Server limit**: 1,000", "Video limit**: 30"])
		expect(textOf(moderatorsStep)).toContain(`**${limit} credits per`);
	expect(textOf(moderatorsStep)).toContain("Your choices are saved.");
	expect(labelsOf(moderatorsStep)).not.toContain("Next");
	const unwritable = { value: [await channelIdOf(owner, "notices")] };
	const denied = await change(owner, moderatorsStep, "logChannelId", unwritable, "Nothing was changed");
	expect(textOf(denied)).not.toContain("saved");
	await change(owner, moderatorsStep, "logChannelId", { value: [galleryId] }, `**Log channel**: <#${galleryId}>`);
	expect(await answerTo(owner, "/quota show")).toContain("**Server limit**: 0 of 1,000 credits used this month");
	expect(await answerTo(owner, "/settings audit")).toContain("**Allowed channels**: added <#");
	await replyWithText(owner.press(moderatorsStep, { label: "Done" }), "Setup is done.");
	const reopened = await openSetup(owner);
	expect(isStep(1)(reopened)).toBe(true);
	expect(textOf(reopened)).toContain(`only <#${galleryId}>`);
});

test("/setup shows why a value is denied", async () => {
	const { owner } = await openAtelierWithMembers();
	const rolesStep = await pressAndWait(owner, await openSetup(owner), "Next", 2);
	const limitsStep = await pressAndWait(owner, rolesStep, "Next", 3);
	const denied = await change(owner, limitsStep, "confirmAbove", { value: "lots" }, "⚠️");
	expect(textOf(denied)).toContain("“Confirmation” must be a whole number up to 1,000,000,000, or blank.");
});
