import { PermissionFlagsBits, PermissionsBitField } from "discord.js";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createDispatch } from "../../src/commands/framework/dispatch.ts";
import { dispatchDeps } from "./bind-all.ts";
import { fakeInteraction } from "./fake-interaction.ts";

test("the form of a style opens after a second if the permissions of its member are not read", async () => {
	const clock = createManualClock();
	let forms = 0;
	const interaction = fakeInteraction(["isMessageContextMenuCommand"], {
		commandName: "Save as style",
		memberPermissions: new PermissionsBitField(PermissionFlagsBits.ManageGuild),
		targetMessage: { author: { id: "2" }, components: [], interactionMetadata: { id: "1000000000000000001" } },
		showModal: async () => void forms++,
	});
	const services = { clock, resultAccess: { requireVisible: () => new Promise(() => {}) } };
	void createDispatch({ ...dispatchDeps(services), logger: pino({ level: "silent" }) })(interaction);
	await clock.advance(999);
	expect(forms).toBe(0);
	await clock.advance(1);
	expect(forms).toBe(1);
});
