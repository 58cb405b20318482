import { MessageFlags } from "discord.js";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock, type ManualClock } from "@atelier/common/testing/manual-clock";
import { createDispatch } from "../../../src/commands/framework/dispatch.ts";
import { taskButtonCustomIds } from "../../../src/discord/task-buttons.ts";
import { storedSettings } from "../../../src/services/settings/settings-schema.ts";
import { deliveredTask } from "../../fakes/stored-tasks.ts";
import { dispatchDeps } from "../bind-all.ts";
import { fakeInteraction } from "../fake-interaction.ts";

interface Reads {
	readonly requireVisible: (clock: ManualClock) => Promise<unknown>;
	readonly readSettings: () => Promise<unknown>;
}

const never = () => new Promise(() => {});

test.each<[string, Reads]>([
	[
		"the permissions of its member are not read",
		{ requireVisible: never, readSettings: async () => storedSettings.parse({}) },
	],
	[
		"the permissions are read late, and the settings not at all",
		{ requireVisible: async (clock) => await clock.sleep(900).then(() => deliveredTask), readSettings: never },
	],
])("a regeneration is deferred as private after a second if %s", async (_what, { requireVisible, readSettings }) => {
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
		resultAccess: { requireVisible: () => requireVisible(clock) },
		settings: { read: readSettings },
		firstResponseBarrier: { respond: async (send: () => Promise<unknown>) => await send() },
	};
	void createDispatch({ ...dispatchDeps(services), logger: pino({ level: "silent" }) })(interaction);
	await clock.advance(999);
	expect(deferrals).toStrictEqual([]);
	await clock.advance(1);
	expect(deferrals).toStrictEqual([{ flags: MessageFlags.Ephemeral }]);
});
