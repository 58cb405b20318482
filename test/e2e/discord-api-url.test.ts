/** A bot with the built-in studio at a Discord of `DISCORD_API_URL`: the studio reads its inputs from that Discord. */
import { filesOf } from "@atelier/playground/user-client/message-contents";
import { expect, test } from "vitest";
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { openAtelier, createAnimatingEngine } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";
import { openDiscord } from "./open-discord.ts";

test.each(["127.0.0.1", "localhost"])("attached images reach the studio if Discord is at %s", async (host) => {
	const discord = await openDiscord();
	const engine = createAnimatingEngine();
	const env = { ...discord.env, DISCORD_API_URL: `http://${host}:${discord.port}/api` };
	const { userClient } = await openAtelier({ engine, env });
	for (const [run, command, scene] of [
		[0, "/image", "image-to-image"],
		[1, "/video", "image-to-video"],
	] as const) {
		const image = await userClient.upload({ name: "in.png", bytes: fakePng("attached"), contentType: "image/png" });
		expect(filesOf(await finalReply(userClient.type(command, { prompt: "the same in winter", image })))).toHaveLength(
			1,
		);
		expect(engine.runs[run]?.task).toMatchObject({ scene, inputs: [fakePng("attached")] });
	}
});
