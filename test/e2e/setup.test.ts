import { textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, test } from "vitest";
import type { UserClient } from "@atelier/playground/user-client";
import { answerTo, image, openServer, channelId } from "./server.ts";

const opened = async (userClient: UserClient): Promise<APIMessage> => await (await userClient.type("/setup")).until();
const at = (step: number) => (message: APIMessage) => textOf(message).startsWith(`**Step ${step} of 5: `);
/** Presses or selects a component, and waits for the resulting step. */
async function does(
	userClient: UserClient,
	message: APIMessage,
	label: string,
	step: number,
	values?: readonly string[],
) {
	return await (await userClient.press(message, { label }, values)).until(at(step));
}

describe("/setup", () => {
	test("guides a manager through channels, roles, budget and moderators, and stores each step at once", async () => {
		const { admin, ada, roleId } = await openServer();
		const gallery = await channelId(admin, "gallery");
		const first = await opened(admin);
		expect(textOf(first)).toBe("**Step 1 of 5: Channels.** Where can members generate? Leave blank for all channels.");
		await does(admin, first, "All channels", 1, [gallery]);
		expect(await image(ada)).toBe(`You can't generate in this channel. Use one of these: <#${gallery}>`);

		const roles = await does(admin, first, "Next", 2);
		await does(admin, roles, "All roles", 2, [roleId("Patrons")]);
		const budget = await does(admin, roles, "Next", 3);
		const form = await (await admin.press(budget, { label: "Set limits" })).modal();
		await (await admin.submit(form, { everyone: "12", server: "1,000", confirmAbove: "" })).until(at(3));

		const moderators = await does(admin, budget, "Next", 4);
		await does(admin, moderators, "Settings log: off", 4, [gallery]);
		const summary = await does(admin, moderators, "Next", 5);
		expect(textOf(summary)).toContain(`**Channels**: only <#${gallery}>`);
		expect(textOf(summary)).toContain(`**Roles**: only <@&${roleId("Patrons")}>`);
		expect(textOf(summary)).toContain(`**Settings log**: <#${gallery}>`);
		const quota = await answerTo(admin, "/quota show");
		expect(quota).toContain("**Member limit**: 12 credits per day");
		expect(quota).toContain("**Server limit**: 0 of 1,000 credits used this month");
		expect(await answerTo(admin, "/settings audit")).toContain("**Allowed channels**: added <#");
	});

	test("continues where it was left, with the stored choices, and can undo one", async () => {
		const { admin, ada } = await openServer();
		const general = await channelId(admin, "general");
		const first = await opened(admin);
		const chosen = await does(admin, first, "All channels", 1, [await channelId(admin, "gallery")]);
		expect(JSON.stringify(chosen.components)).toContain(await channelId(admin, "gallery"));
		await does(admin, chosen, "Next", 2);
		const again = await opened(admin);
		expect(at(2)(again)).toBe(true);
		const back = await does(admin, again, "Back", 1);
		await does(admin, back, "All channels", 1, []);
		expect(await image(ada)).toContain("496 left");
		await does(admin, back, "All channels", 1, [general]);
		expect(await image(ada)).toContain("492 left");
	});

	test("rejects a budget that is no number in the step itself, and keeps the typed text", async () => {
		const { admin } = await openServer();
		const budget = await does(admin, await does(admin, await opened(admin), "Next", 2), "Next", 3);
		const form = await (await admin.press(budget, { label: "Set limits" })).modal();
		const sent = await admin.submit(form, { everyone: "12", server: "lots", confirmAbove: "5" });
		const refused = await sent.until((message) => textOf(message).includes("Nothing was changed."));
		expect(refused.id).toBe(budget.id);
		expect(textOf(refused)).toContain(
			"“Credits for the server” must be a whole number up to 1,000,000,000, or blank. Nothing was changed.",
		);
		expect(await answerTo(admin, "/settings audit")).toBe("No settings have been changed yet.");

		const again = await (await admin.press(refused, { label: "Set limits" })).modal();
		expect(JSON.stringify(again.components).match(/(?<="value":")[^"]*/g)).toStrictEqual(["12", "lots", "5"]);
		const corrected = await admin.submit(again, { everyone: "12", server: "1000", confirmAbove: "5" });
		const saved = await corrected.until((message) => textOf(message).includes("Saved."));
		expect(textOf(saved)).not.toContain("Nothing was changed.");
		expect(textOf(saved)).toContain("**Server limit**: 1,000 credits per month");
	});
});
