/** seyfert, which shares no code with discord.js, checks that the playground provides what it relies on. */
import https from "node:https";
import { ApiHandler, AttachmentBuilder, Client, Command, type CommandContext, Declare, Options } from "seyfert";
import { ApplicationCommandOptionType } from "seyfert/lib/types/index.js";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { expectFollowUpFor, expectImageFor, IMAGE } from "./image-for.ts";
import { createPlainHttpAgent } from "./plain-http-agent.ts";

const options = {
	prompt: { type: ApplicationCommandOptionType.String, description: "What it shows", required: true },
} as const;
const failures: unknown[] = [];

class Image extends Command {
	override async run(context: CommandContext<typeof options>): Promise<void> {
		await context.deferReply();
		await context.editResponse({
			content: `**${context.options.prompt}**`,
			files: [new AttachmentBuilder().setName("art.png").setFile("buffer", IMAGE)],
		});
		const more = new AttachmentBuilder().setName("more.png").setDescription("the same again").setFile("buffer", IMAGE);
		const followUp = await context.followup({ content: "More:", files: [more] });
		await followUp.edit({ content: "Edited." });
	}
	override onRunError(_: CommandContext, error: unknown): void {
		failures.push(error);
	}
}
// The calls that seyfert's decorators make: Node.js runs these files without compiling decorators.
const ImageCommand = Declare({ name: "image", description: "Makes a picture" })(Options(options)(Image));

test("seyfert logs in, registers a command, defers, edits with a file, and follows up with another", async () => {
	const playground = await openPlayground();
	const token = playground.playground.botToken;
	// Its socket is an HTTPS request to port 443 through Node's global agent, without an option to replace it.
	const standardAgent = https.globalAgent;
	https.globalAgent = createPlainHttpAgent(playground.origin);
	onTestFinished(() => void (https.globalAgent = standardAgent));
	const client = new Client({ getRC: () => ({ token, intents: [], locations: { base: "." } }) });
	client.setServices({ rest: new ApiHandler({ token, domain: playground.origin, baseUrl: "api/v10" }) });
	onTestFinished(() => client.gateway.disconnectAll());
	const isReady = new Promise<void>((resolve) => {
		client.events.set([{ data: { name: "botReady", once: true }, run: () => resolve() }]);
	});
	await client.start();
	await isReady;
	client.commands.set([ImageCommand]);
	await client.uploadCommands({ applicationId: playground.applicationId });

	const reply = await expectImageFor(await playground.user());
	await expectFollowUpFor(reply);
	expect(failures).toStrictEqual([]);
});
