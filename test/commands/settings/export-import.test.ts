import { PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import { importSettings } from "../../../src/commands/settings/export-import.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { fakeInteraction } from "../fake-interaction.ts";
import { fakeServices } from "../fake-services.ts";

test("a settings file that cannot be downloaded is denied with that reason", async () => {
	const options = { getAttachment: () => ({ url: "http://127.0.0.1:1/settings.json", size: 10 }) };
	const imported = importSettings(
		fakeInteraction([], { options, permissions: PermissionFlagsBits.ManageGuild }),
		fakeServices({}),
	);
	await expect(imported).rejects.toThrow(new UserError({ key: "settings.importUnreadable" }));
});

test("members who are allowed /settings, but do not manage the server, cannot import", async () => {
	const imported = importSettings(fakeInteraction([], {}), fakeServices({}));
	await expect(imported).rejects.toThrow(new UserError({ key: "permission.manage" }));
});
