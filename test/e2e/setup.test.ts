import { textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { UserClient } from "@atelier/playground/user-client";
import { answerTo, answerToImage, openAtelierWithMembers, channelIdOf } from "./user-clients.ts";
import { openForm } from "./replies.ts";

const openSetup = async (userClient: UserClient): Promise<APIMessage> =>
	await (await userClient.type("/setup")).until();
const isStep = (step: number) => (message: APIMessage) => textOf(message).startsWith(`**Step ${step} of 5: `);
/** Presses or selects a component, and waits for the resulting step. */
async function chooseAndWait(
	userClient: UserClient,
	message: APIMessage,
	label: string,
	step: number,
	values?: readonly string[],
) {
	return await (await userClient.press(message, { label }, values)).until(isStep(step));
}

describe("/setup", () => {
	test("guides a manager through channels, roles, limits and moderators, and stores each step at once", async () => {
		const { owner, ada, roleId } = await openAtelierWithMembers();
		const galleryId = await channelIdOf(owner, "gallery");
		const channelsStep = await openSetup(owner);
		expect(textOf(channelsStep)).toBe(
			"**Step 1 of 5: Channels.** Where can members generate? Leave blank for all channels.",
		);
		await chooseAndWait(owner, channelsStep, "All channels", 1, [galleryId]);
		expect(await answerToImage(ada)).toBe(`You can't generate in this channel. Use one of these: <#${galleryId}>`);

		const rolesStep = await chooseAndWait(owner, channelsStep, "Next", 2);
		await chooseAndWait(owner, rolesStep, "All roles", 2, [roleId("Patrons")]);
		const limitsStep = await chooseAndWait(owner, rolesStep, "Next", 3);
		const limitsForm = await openForm(owner.press(limitsStep, { label: "Set limits" }));
		await (await owner.submit(limitsForm, { everyone: "12", server: "1,000", confirmAbove: "" })).until(isStep(3));

		const moderatorsStep = await chooseAndWait(owner, limitsStep, "Next", 4);
		await chooseAndWait(owner, moderatorsStep, "Settings log: off", 4, [galleryId]);
		const summaryStep = await chooseAndWait(owner, moderatorsStep, "Next", 5);
		expect(textOf(summaryStep)).toContain(`**Channels**: only <#${galleryId}>`);
		expect(textOf(summaryStep)).toContain(`**Roles**: only <@&${roleId("Patrons")}>`);
		expect(textOf(summaryStep)).toContain(`**Settings log**: <#${galleryId}>`);
		const quota = await answerTo(owner, "/quota show");
		expect(quota).toContain("**Member limit**: 12 credits per day");
		expect(quota).toContain("**Server limit**: 0 of 1,000 credits used this month");
		expect(await answerTo(owner, "/settings audit")).toContain("**Allowed channels**: added <#");
	});

	test("continues at the last step with the stored choices, which can be undone", async () => {
		const { owner, ada } = await openAtelierWithMembers();
		const galleryId = await channelIdOf(owner, "gallery");
		const channelsStep = await openSetup(owner);
		await chooseAndWait(owner, channelsStep, "All channels", 1, [galleryId]);
		await chooseAndWait(owner, channelsStep, "Next", 2);
		const reopened = await openSetup(owner);
		expect(isStep(2)(reopened)).toBe(true);
		const channelsAgain = await chooseAndWait(owner, reopened, "Back", 1);
		expect(JSON.stringify(channelsAgain.components)).toContain(galleryId);
		await chooseAndWait(owner, channelsAgain, "All channels", 1, []);
		expect(await answerToImage(ada)).toContain("496 left");
	});

	test("rejects a limit that is no number, shows the error in the step, and keeps the typed text", async () => {
		const { owner } = await openAtelierWithMembers();
		const rolesStep = await chooseAndWait(owner, await openSetup(owner), "Next", 2);
		const limitsStep = await chooseAndWait(owner, rolesStep, "Next", 3);
		const limitsForm = await openForm(owner.press(limitsStep, { label: "Set limits" }));
		const denied = await owner.submit(limitsForm, { everyone: "12", server: "lots", confirmAbove: "5" });
		const deniedStep = await denied.until((message) => textOf(message).includes("Nothing was changed."));
		expect(deniedStep.id).toBe(limitsStep.id);
		expect(textOf(deniedStep)).toContain("“Server limit” must be a whole number up to 1,000,000,000, or blank.");
		const reopenedForm = await openForm(owner.press(deniedStep, { label: "Set limits" }));
		expect(JSON.stringify(reopenedForm.components).match(/(?<="value":")[^"]*/g)).toStrictEqual(["12", "lots", "5"]);
		const corrected = await owner.submit(reopenedForm, { everyone: "12", server: "1000", confirmAbove: "5" });
		const saved = await corrected.until((message) => textOf(message).includes("Saved."));
		expect(textOf(saved)).not.toContain("Nothing was changed.");
		expect(textOf(saved)).toContain("**Server limit**: 1,000 credits per month");
	});
});
