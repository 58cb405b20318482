/** seyfert, which shares no code with discord.js, checks that the playground provides what it relies on. */
import https from "node:https";
import {
	ActionRow,
	ApiHandler,
	AttachmentBuilder,
	Button,
	Client,
	Command,
	type CommandContext,
	ComponentCommand,
	type ComponentContext,
	Declare,
	Label,
	Modal,
	ModalCommand,
	type ModalContext,
	Options,
	TextInput,
} from "seyfert";
import { ApplicationCommandOptionType, ButtonStyle, TextInputStyle } from "seyfert/lib/types/index.js";
import { expect, onTestFinished, test } from "vitest";
import { openPlayground } from "../../testing/setup.ts";
import { IMAGE, playScenario } from "./scenario.ts";
import { createPlainHttpAgent } from "./plain-http-agent.ts";

const options = {
	prompt: { type: ApplicationCommandOptionType.String, description: "What it shows", required: true },
} as const;

const editButton = new Button().setCustomId("edit").setLabel("Edit").setStyle(ButtonStyle.Secondary);
const promptField = new TextInput().setCustomId("prompt").setStyle(TextInputStyle.Paragraph);
const form = new Modal()
	.setCustomId("form")
	.setTitle("Edit the picture")
	.addComponents(new Label().setLabel("Prompt").setComponent(promptField));

class Image extends Command {
	override async run(context: CommandContext<typeof options>): Promise<void> {
		await context.deferReply();
		await context.editResponse({
			content: `**${context.options.prompt}**`,
			files: [new AttachmentBuilder().setName("art.png").setFile("buffer", IMAGE)],
			components: [new ActionRow<Button>().setComponents([editButton])],
		});
	}
}
class EditButton extends ComponentCommand {
	override componentType = "Button" as const;
	override customId = "edit";
	override async run(context: ComponentContext<"Button">): Promise<void> {
		await context.modal(form);
	}
}
class EditForm extends ModalCommand {
	override customId = "form";
	override async run(context: ModalContext): Promise<void> {
		await context.write({ content: `Edited: ${String(context.interaction.getInputValue("prompt", true))}` });
	}
}
// The calls that seyfert's decorators make: Node.js runs these files without compiling decorators.
const ImageCommand = Declare({ name: "image", description: "Makes a picture" })(Options(options)(Image));

test("seyfert logs in, answers a command with a file, a button and a form", async () => {
	const playground = await openPlayground();
	const token = playground.botToken;
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
	client.components.set([EditButton, EditForm]);
	await client.uploadCommands({ applicationId: playground.applicationId });

	expect(await playScenario(await playground.user())).toBe("Edited: a lighthouse at dawn");
});
