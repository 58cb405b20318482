import { pino } from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { checksumField, definePanel, type PanelDeps } from "../../../src/commands/settings/panel.ts";
import { defineCustomId, idField } from "../../../src/discord/custom-id.ts";
import { DirectoryUnavailableError } from "../../../src/services/access/guild-directory.ts";
import { createDeniedForms } from "../../../src/commands/settings/denied-forms.ts";
import { fakeInteraction } from "../fake-interaction.ts";

test("a form is acknowledged before the permissions are read, and keeps its values if they cannot be read", async () => {
	const order: string[] = [];
	const { components } = definePanel({
		customIdCodec: defineCustomId("note", { field: idField.oneOf("text"), valueChecksum: checksumField }),
		async authorizePress() {
			order.push("authorize");
			throw new DirectoryUnavailableError();
		},
		settingOf: () => ({ readValue: () => "" }),
		show: async () => ({}),
	});
	const deniedForms = createDeniedForms();
	const interaction = fakeInteraction(["isModalSubmit"], {
		customId: "1:note:text:0",
		fields: { fields: new Map([["text", { customId: "text", type: 4, value: "a long note" }]]) },
		deferUpdate: async () => void order.push("acknowledge"),
	});
	const deps = { clock: createManualClock(), deniedForms } as unknown as PanelDeps;
	const form = components.find(({ kind }) => kind === "modal");
	await expect(form?.execute(interaction, deps, pino({ level: "silent" }))).rejects.toThrow(DirectoryUnavailableError);
	expect(order).toStrictEqual(["acknowledge", "authorize"]);
	expect(
		deniedForms.get({ guildId: "1000000000000000010", userId: "7", field: "text", valueChecksum: 0 }),
	).toStrictEqual({
		text: ["a long note"],
	});
});
