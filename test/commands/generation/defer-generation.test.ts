import { MessageFlags } from "discord.js";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { createDispatch } from "../../../src/commands/framework/dispatch.ts";
import { taskButtonCustomIds } from "../../../src/discord/task-buttons.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { dispatchDeps } from "../bind-all.ts";
import { fakeInteraction } from "../fake-interaction.ts";

test("a regeneration is deferred as private after a second without the permissions of its member", async () => {
	const clock = createManualClock();
	const deferrals: object[] = [];
	const interaction = fakeInteraction(["isMessageComponent", "isButton"], {
		customId: taskButtonCustomIds.regenerate.encode({ taskId: "1000000000000000001" }),
		deferReply: async ({ flags }: object & { flags?: number }) => {
			deferrals.push({ flags });
			return { resource: { message: { id: "9" } } };
		},
	});
	const services = {
		clock,
		resultAccess: { requireVisible: () => new Promise(() => {}) },
		settings: { read: async () => storedSettings.parse({}) },
		firstResponseBarrier: { respond: async (send: () => Promise<unknown>) => await send() },
	};
	void createDispatch({ ...dispatchDeps(services), logger: pino({ level: "silent" }) })(interaction);
	await clock.advance(999);
	expect(deferrals).toStrictEqual([]);
	await clock.advance(1);
	expect(deferrals).toStrictEqual([{ flags: MessageFlags.Ephemeral }]);
});
