import { AttachmentFlags } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { openAtelier } from "./atelier.ts";

test("a server that wants it so has its results hidden until somebody clicks on them", async () => {
	const { person } = await openAtelier();
	const picture = async () => (await (await person.type("/image", { prompt: "a boat" })).until()).attachments[0];
	expect((await picture())?.flags ?? 0).toBe(0);

	const changed = await (await person.type("/settings media", { spoiler: true })).until();
	expect(changed.content).toContain("hidden until somebody clicks");
	const hidden = await picture();
	expect(hidden?.flags).toBe(AttachmentFlags.IsSpoiler);
	expect(hidden?.description).toBe("a boat");

	const read = await (await person.type("/settings media")).until();
	expect(read.content).toContain("hidden until somebody clicks");
});
