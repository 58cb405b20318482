import {
	ActionRowBuilder,
	ButtonBuilder,
	ButtonStyle,
	type Interaction,
	LabelBuilder,
	ModalBuilder,
	TextInputBuilder,
	TextInputStyle,
} from "discord.js";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { replay, startPlayground } from "../src/start-playground.ts";
import { IMAGE_COMMAND, MINUTE_MS, openPlayground, type TestPlayground } from "../testing/setup.ts";
import { connectDiscordJs, openDiscordJs } from "./discord-js-client.ts";

const button = new ButtonBuilder().setCustomId("edit").setLabel("Edit").setStyle(ButtonStyle.Secondary);
const form = new ModalBuilder()
	.setCustomId("form")
	.setTitle("Edit")
	.addLabelComponents(
		new LabelBuilder()
			.setLabel("Prompt")
			.setTextInputComponent(new TextInputBuilder().setCustomId("prompt").setStyle(TextInputStyle.Short)),
	);

interface Variant {
	readonly title?: string;
	readonly hasButton?: boolean;
}

async function answer(interaction: Interaction, { title = "Made", hasButton = true }: Variant): Promise<void> {
	if (interaction.isChatInputCommand()) {
		const source = interaction.options.getAttachment("source", true);
		await interaction.deferReply();
		await interaction.editReply({
			content: `${source.name} by ${interaction.user.toString()} at <t:${Math.round(Date.now() / 1_000)}>`,
			embeds: [{ title, image: { url: "attachment://art.png" } }],
			files: [{ attachment: Buffer.from("image"), name: "art.png" }],
			components: hasButton ? [new ActionRowBuilder<ButtonBuilder>().addComponents(button)] : [],
		});
	} else if (interaction.isButton()) {
		await interaction.showModal(form);
	} else if (interaction.isModalSubmit()) {
		await interaction.reply(`${interaction.fields.getTextInputValue("prompt")} for ${interaction.channelId}`);
	}
}

/** A playground with a connected bot that has registered its command. */
async function openWithBot(variant: Variant = {}): Promise<TestPlayground> {
	const { playground, client } = await openDiscordJs((interaction) => answer(interaction, variant));
	await client.application?.commands.set([IMAGE_COMMAND]);
	return playground;
}

/** Records a command with an upload, a button and a form. */
async function record() {
	const playground = await openWithBot();
	const user = await playground.userNamed("ada");
	const source = await user.upload({ name: "boat.png", bytes: Buffer.from("boat") });
	const reply = await user.type("/image", { prompt: "x", source });
	const modal = await (await user.press(await reply.until(), { label: "Edit" })).modal();
	await (await user.submit(modal, { prompt: "a lighthouse" })).until();
	await expect.poll(() => playground.started.recording().steps.at(-1)).toMatchObject({ body: { type: 4 } });
	return playground;
}

/** The responses of the bot to interactions. */
const callbacksOf = ({ started }: TestPlayground) =>
	started.recording().steps.filter((step) => step.kind === "request" && step.interaction !== null);

async function connectBot(playground: TestPlayground): Promise<void> {
	const client = await connectDiscordJs(playground, async (interaction) => {
		if (interaction.isChatInputCommand()) await interaction.reply(interaction.locale);
	});
	await client.application?.commands.set([{ name: "locale", description: "Names your language" }]);
}

/** A member changes the language before the bot is connected, and afterwards. */
async function recordSettings() {
	const playground = await openPlayground();
	const { admin } = playground;
	const grace = await playground.userNamed("grace");
	await admin.setMember({ userId: grace.me.user.id, locale: "pt-BR" });
	await connectBot(playground);
	await admin.advanceClock({ advanceMs: 60 * MINUTE_MS });
	await (await grace.type("/locale")).until();
	await admin.setMember({ userId: grace.me.user.id, locale: "ja" });
	await (await grace.type("/locale")).until();
	await expect.poll(() => callbacksOf(playground)).toHaveLength(2);
	return playground;
}

/** Longer than a bot on a busy machine needs for its requests. */
const PATIENT = { settleMs: 60_000 };

describe("a recording", () => {
	test("has the actions of users and the requests of the bot, with placeholders", async () => {
		const playground = await record();
		const recording = await playground.admin.recording();
		const [upload, ...actions] = recording.steps.filter(({ kind }) => kind !== "request");
		expect(recording.isComplete).toBe(true);
		expect(upload).toMatchObject({
			route: "uploads",
			user: "{{user ada}}",
			body: { filename: "boat.png", content: "Ym9hdA==" },
		});
		expect(actions).toMatchObject([
			{
				route: "interactions",
				user: "{{user ada}}",
				body: { channelId: "{{channel Atelier Playground/general}}", options: [{}, { value: "{{upload 1}}" }] },
			},
			{ route: "components", body: { messageId: "{{message 1}}", customId: "edit" } },
			{ route: "modals", body: { interactionId: "{{interaction 2}}" } },
		]);
		expect(recording.steps.filter((step) => step.kind === "request" && step.interaction !== null)).toMatchObject([
			{ method: "POST", path: expect.stringMatching(/^\/interactions\/{{interaction 1}}\/…\/callback/) },
			{
				path: "/webhooks/{{application}}/…/messages/%40original",
				body: { content: "boat.png by <@{{user ada}}> at <t:{{time}}>" },
				files: [{ name: "art.png", bytes: 5 }],
			},
			{ interaction: "interaction 2", body: { type: 9 } },
			{ interaction: "interaction 3", body: { data: { content: expect.stringContaining("{{channel ") } } },
		]);
		expect(JSON.stringify(recording)).not.toContain(playground.botToken);
		expect(JSON.stringify(recording)).not.toMatch(/\d{17}/);
	});

	test("has no difference when it is replayed with the same bot", async () => {
		const recording = (await record()).started.recording();
		const { started } = await openWithBot();
		expect(await replay(recording, started, PATIENT)).toStrictEqual([]);
	});

	test("names a changed field with its path", async () => {
		const recording = (await record()).started.recording();
		const { started } = await openWithBot({ title: "Ready" });
		expect(await replay(recording, started, PATIENT)).toStrictEqual([
			{
				step: "PATCH /webhooks/{{application}}/…/messages/%40original",
				path: "body.embeds.0.title",
				expected: "Made",
				actual: "Ready",
			},
		]);
	});

	test("ends at an action that is no longer possible", async () => {
		const recording = (await record()).started.recording();
		const { started } = await openWithBot({ hasButton: false });
		const differences = await replay(recording, started, PATIENT);
		expect(differences.map(({ step, path }) => [step, path])).toStrictEqual([
			["PATCH /webhooks/{{application}}/…/messages/%40original", "body.components.0"],
			["action components", ""],
		]);
	});

	test("distinguishes servers, roles and channels of the same name", async () => {
		const guild = {
			name: "Twins",
			members: ["ada"],
			roles: [{ name: "help" }, { name: "help" }],
			channels: [{ name: "help" }, { name: "help" }],
		};
		const started = await startPlayground({
			fixture: {
				application: { name: "Bot" },
				users: [{ username: "ada", displayName: "Ada" }],
				guilds: [guild, guild],
			},
			logger: pino({ level: "silent" }),
		});
		onTestFinished(() => started.close());
		const { guilds } = await started.admin.guilds();
		const ada = await started.openUser();
		for (const channel of guilds.flatMap(({ channelIds }) => channelIds)) await ada.say("x", { channel });
		const placeholders = started.recording().steps.map(({ body }) => (body as { channelId: string }).channelId);
		expect(placeholders.map((placeholder) => started.recorder.resolve(placeholder))).toStrictEqual(
			guilds.flatMap(({ channelIds }) => channelIds),
		);
	});

	test("numbers uploads that overlap in the order of their steps", async () => {
		const { started } = await openPlayground();
		const ada = await started.openUser({ username: "ada" });
		const ids = new Map<string, string>();
		const upload = async (name: string, size: number): Promise<void> =>
			void ids.set(name, await ada.upload({ name, bytes: Buffer.alloc(size) }));
		// The playground stores the small files faster than a large one that it received before.
		for (let count = 0; count < 3; count += 1) {
			const large = upload(`large-${count}`, 10_000_000);
			while (!ids.has(`large-${count}`)) await upload(`small-${ids.size}`, 1);
			await large;
		}
		const filenames = started.recording().steps.map(({ body }) => (body as { filename: string }).filename);
		const numbered = filenames.map((_, index) => started.recorder.resolve(`{{upload ${index + 1}}}`));
		expect(numbered).toStrictEqual(filenames.map((name) => ids.get(name)));
	});

	test("is only replayed on a playground without earlier actions", async () => {
		const { started } = await record();
		await expect(replay(started.recording(), started)).rejects.toThrow("needs a new playground");
	});

	test("is only replayed if it has the format of this version", async () => {
		const { started } = await openPlayground();
		const older = { ...started.recording(), format: 0 };
		await expect(replay(older, started)).rejects.toThrow("replay needs format 1, and the recording has 0");
	});

	describe("with settings of the admin API", () => {
		test("repeats the settings in order, also those before the bot was connected", async () => {
			const recorded = await recordSettings();
			const recording = recorded.started.recording();
			expect(recording.steps.filter(({ kind }) => kind === "action")).toMatchObject([
				{ route: "admin/members", body: { userId: "{{user grace}}", locale: "pt-BR" }, isBeforeBot: true },
				{ route: "admin/clock", body: { advanceMs: 3_600_000 } },
				{ route: "interactions", user: "{{user grace}}" },
				{ route: "admin/members", body: { locale: "ja" } },
				{ route: "interactions" },
			]);
			const playground = await openPlayground();
			await connectBot(playground);
			expect(await replay(recording, playground.started)).toStrictEqual([]);
			expect(callbacksOf(playground)).toMatchObject([
				{ body: { data: { content: "pt-BR" } } },
				{ body: { data: { content: "ja" } } },
			]);
		});
	});
});
