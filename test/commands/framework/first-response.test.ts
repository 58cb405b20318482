/** Discord waits three seconds for the first response, so no slow read of permissions or settings may delay it. */
import { MessageFlagsBitField, PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import { createManualClock, type ManualClock } from "@atelier/common/testing/manual-clock";
import { taskCustomIds } from "../../../src/discord/task-buttons.ts";
import { storedSettingsSchema } from "../../../src/services/settings/guild-settings.ts";
import { deliveredTask } from "../../fakes/stored-tasks.ts";
import { dispatchWith } from "../fake-services.ts";
import { fakeInteraction } from "../fake-interaction.ts";

const BUTTON = ["isMessageComponent", "isButton"] as const;
const never = () => new Promise(() => {});

test.each([
	"1:blocks:0:0:1",
	"1:moderate:refund:1000000000000000001:1000000000000000002",
	"1:withheld:show:1000000000000000001",
])("the button %s is acknowledged before Discord is asked for the member's permissions", async (customId) => {
	const order: string[] = [];
	const interaction = fakeInteraction(BUTTON, {
		customId,
		permissions: PermissionFlagsBits.ManageMessages,
		deferUpdate: async () => void order.push("acknowledged"),
		reply: async () => void order.push("denied"),
	});
	const directory = { readAccess: async () => void order.push("asked") };
	await dispatchWith({ directory })(interaction);
	expect(order).toStrictEqual(["acknowledged", "asked", "denied"]);
});

const REGENERATE = { customId: taskCustomIds.regenerate.encode({ taskId: "1000000000000000001" }) };
/** Old applications have another id than their bot. */
const BOT_USER = "3";
const MENU = ["isMessageContextMenuCommand"] as const;
const menuOf = (commandName: string) => ({
	commandName,
	permissions: PermissionFlagsBits.ManageGuild,
	targetMessage: {
		author: { id: BOT_USER },
		flags: new MessageFlagsBitField(),
		components: [{ toJSON: () => ({ custom_id: REGENERATE.customId }) }],
		attachments: new Map([["5", { contentType: "image/png", url: "https://cdn.example/1.png" }]]),
	},
});
const readSettings = async () => storedSettingsSchema.parse({});
const readLate = (clock: ManualClock) => clock.sleep(900).then(() => deliveredTask);

test.each([
	["a private deferral, if a regeneration cannot read the permissions", BUTTON, REGENERATE, never, readSettings],
	["a private deferral, if they are read late, and the settings not at all", BUTTON, REGENERATE, readLate, never],
	["a form, if a new style cannot read the permissions", MENU, menuOf("Save as style"), never, never],
	["a private deferral, if an animation can read nothing", MENU, menuOf("Animate"), never, never],
	["a private deferral, if a variation can read nothing", MENU, menuOf("Make variations"), never, never],
] as const)("the response after a second is %s", async (response, is, fields, readTask, read) => {
	const clock = createManualClock(0);
	const responses: string[] = [];
	const interaction = fakeInteraction(is, {
		...fields,
		deferReply: async ({ flags }: { flags?: number }) => {
			responses.push(`a ${flags ? "private" : "public"} deferral at ${clock.nowMs()}`);
			return { resource: { message: { id: "9" } } };
		},
		showModal: async () => void responses.push(`a form at ${clock.nowMs()}`),
	});
	const services = {
		clock,
		botUserId: () => BOT_USER,
		resultAccess: { requireVisible: () => readTask(clock), findVisible: () => readTask(clock) },
		settings: { read },
		sendFirstResponse: async (send: () => Promise<unknown>) => await send(),
	};
	void dispatchWith(services)(interaction);
	await clock.advance(2_000);
	expect(responses).toStrictEqual([`${response.split(",")[0]} at 1000`]);
});
