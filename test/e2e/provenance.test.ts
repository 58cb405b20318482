import { filesOf } from "@atelier/playground/user-client/message-contents";
import { assert, expect, test } from "vitest";
import { createFakeEngine, fakeImageModel } from "@atelier/studio/testing/fake-engine";
import type { UserClient } from "@atelier/playground/user-client";
import { openAtelierWithMembers } from "./start-atelier.ts";
import { answerTo, generateImage, taskIdOf } from "./replies.ts";

/** Generates an image, and resolves to its bytes and the id of its task. */
async function make(user: UserClient) {
	const message = await generateImage(user, { prompt: "a secret boat" });
	const [file = assert.fail("no file")] = filesOf(message);
	const bytes = Buffer.from(await user.download(file)).toString("latin1");
	return { bytes, id: taskIdOf(message) };
}

test("a result says that it is generated, by which model and bot, and its prompt only if the server asks for it", async () => {
	const { owner, ada } = await openAtelierWithMembers();
	const { bytes, id } = await make(ada);
	expect(bytes).toContain("digitalsourcetype/trainedAlgorithmicMedia<");
	expect(bytes).toContain(`AISystemUsed>${fakeImageModel.name}<`);
	expect(bytes).toContain("CreatorTool>Atelier<");
	for (const hidden of ["a secret boat", ada.me.user.id, ada.me.user.username]) expect(bytes).not.toContain(hidden);
	expect(await answerTo(ada, "/job show", { id })).toContain("Marked as generated (IPTC).");

	await answerTo(owner, "/settings media", { prompt_in_files: true });
	expect((await make(ada)).bytes).toContain("AIPromptInformation>a secret boat<");
});

test("a result of a model that is not AI is marked as made by an algorithm", async () => {
	const model = { ...fakeImageModel, digitalSourceType: "algorithmicMedia" } as const;
	const { ada } = await openAtelierWithMembers({ engine: createFakeEngine({ models: [model] }) });
	expect((await make(ada)).bytes).toContain("digitalsourcetype/algorithmicMedia<");
});

test("with PROVENANCE=off results have no mark", async () => {
	const { ada } = await openAtelierWithMembers({ env: { PROVENANCE: "off" } });
	const { bytes, id } = await make(ada);
	expect(bytes).not.toContain("xmp");
	expect(await answerTo(ada, "/job show", { id })).not.toContain("IPTC");
});
