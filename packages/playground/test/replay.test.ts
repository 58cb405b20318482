/** Recordings of a discord.js bot with an upload, a button and a form, and their replay. */
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
import { connectDiscordJs } from "./discord-js-client.ts";

const button = new ButtonBuilder().setCustomId("edit").setLabel("Edit").setStyle(ButtonStyle.Secondary);
const input = new TextInputBuilder().setCustomId("prompt").setStyle(TextInputStyle.Short);
const form = new ModalBuilder()
	.setCustomId("form")
	.setTitle("Edit")
	.addLabelComponents(new LabelBuilder().setLabel("Prompt").setTextInputComponent(input));

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
	const playground = await openPlayground();
	const client = await connectDiscordJs(playground, (interaction) => answer(interaction, variant));
	await client.application?.commands.set([IMAGE_COMMAND]);
	return playground;
}

/** Records a command with an upload, a button and a form. */
async function record() {
	const playground = await openWithBot();
	const user = await playground.userNamed("ada");
	const source = await user.upload({ name: "boat.png", bytes: Buffer.from("boat") });
	const reply = await user.type("/image", { prompt: "a {{boat}}", source });
	const modal = await (await user.press(await reply.until(), { label: "Edit" })).modal();
	const typed = `{{braces}} ${playground.origin} ${playground.botToken} <t:1700000000:R> 2026-01-02T03:04:05Z`;
	await (await user.submit(modal, { prompt: typed })).until();
	await expect.poll(() => playground.started.recording().steps.at(-1)).toMatchObject({ body: { type: 4 } });
	return { playground, recording: playground.started.recording() };
}

/** The responses of the bot to interactions. */
const callbacksOf = (playground: TestPlayground) =>
	playground.started.recording().steps.filter((step) => step.kind === "request" && step.interaction !== null);

/** Longer than a bot on a busy machine needs for its requests. */
const PATIENT = { settleMs: 60_000 };
const EDIT = "PATCH /webhooks/{{application}}/…/messages/@original";

const connect = async (playground: TestPlayground) => {
	const client = await connectDiscordJs(playground, async (interaction) => {
		if (interaction.isChatInputCommand()) await interaction.reply(interaction.locale);
	});
	await client.application?.commands.set([{ name: "locale", description: "Names your language" }]);
};

describe("a recording", () => {
	test("has the actions of users and the requests of the bot, with placeholders", async () => {
		const { playground, recording } = await record();
		expect(recording.isComplete).toBe(true);
		expect(recording.steps.filter(({ kind }) => kind !== "request")).toMatchObject([
			{ route: "upload", user: "{{user ada}}", body: { filename: "boat.png", content: "Ym9hdA==" } },
			{
				route: "typeCommand",
				user: "{{user ada}}",
				body: { channelId: "{{channel Atelier Playground/general}}", options: [{}, { value: "{{upload 1}}" }] },
			},
			{ route: "press", body: { messageId: "{{message 1}}", customId: "edit" } },
			{
				route: "submit",
				body: {
					interactionId: "{{interaction 2}}",
					fields: [{ value: "{{braces}}braces}} {{origin}} {{token}} <t:1700000000:R> 2026-01-02T03:04:05Z" }],
				},
			},
		]);
		expect(callbacksOf(playground)).toMatchObject([
			{ method: "POST", path: expect.stringMatching(/^\/interactions\/{{interaction 1}}\/…\/callback/) },
			{
				path: EDIT.slice("PATCH ".length),
				body: { content: "boat.png by <@{{user ada}}> at <t:{{time}}>" },
				files: [{ name: "art.png", bytes: 5 }],
			},
			{ interaction: "interaction 2", body: { type: 9 } },
			{ interaction: "interaction 3", body: { data: { content: expect.stringContaining("{{channel ") } } },
		]);
		const text = JSON.stringify(await playground.admin.recording());
		expect(text).not.toContain(playground.botToken);
		expect(text).not.toMatch(/\d{17}/);
	});

	test.each<[what: string, variant: Variant, differences: object[]]>([
		["no difference for the same bot", {}, []],
		[
			"a changed field with its path",
			{ title: "Ready" },
			[{ step: EDIT, path: "body.embeds.0.title", expected: "Made", actual: "Ready" }],
		],
		[
			"the first action that is no longer possible",
			{ hasButton: false },
			[
				{ step: EDIT, path: "body.components.0" },
				{ step: "action press", path: "" },
			],
		],
	])("is replayed with %s", async (_, variant, differences) => {
		const { recording } = await record();
		const { started } = await openWithBot(variant);
		expect(await replay(recording, started, PATIENT)).toMatchObject(differences);
	});

	test("distinguishes servers, roles and channels of the same name", async () => {
		const twins = [{ name: "help" }, { name: "help" }];
		const guild = { name: "Twins", members: ["ada"], roles: twins, channels: twins };
		const users = [{ username: "ada", displayName: "Ada" }];
		const fixture = { application: { name: "Bot" }, users, guilds: [guild, guild] };
		const started = await startPlayground({ fixture, logger: pino({ level: "silent" }) });
		onTestFinished(() => started.close());
		const channels = (await started.admin.guilds()).guilds.flatMap(({ channelIds }) => channelIds);
		const ada = await started.openUser();
		for (const channel of channels) await ada.say("x", { channel });
		const placeholders = started.recording().steps.map(({ body }) => (body as { channelId: string }).channelId);
		expect(placeholders.map((placeholder) => started.recorder.resolve(placeholder))).toStrictEqual(channels);
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

	test("is only replayed on a playground without earlier actions, and with the format of this version", async () => {
		const { started, register, user, bot } = await openPlayground();
		const recording = started.recording();
		const older = replay({ ...recording, format: 0 }, started);
		await expect(older).rejects.toThrow("replay needs format 5, and the recording has 0");
		await bot();
		await register({ name: "ping", description: "Pong" });
		await (await user()).type("/ping");
		await expect(replay(recording, started)).rejects.toThrow("needs a new playground");
	});

	test("repeats the settings of the admin API in order, also those before the bot was connected", async () => {
		const recorded = await openPlayground();
		const { admin, started } = recorded;
		const grace = await recorded.userNamed("grace");
		const { id: userId } = grace.me.user;
		await admin.setMember({ userId, locale: "pt-BR" });
		await connect(recorded);
		await admin.advanceClock({ advanceMs: 60 * MINUTE_MS });
		await (await grace.type("/locale")).until();
		await admin.setMember({ userId, locale: "ja" });
		await (await grace.type("/locale")).until();
		await expect.poll(() => callbacksOf(recorded)).toHaveLength(2);
		const recording = started.recording();
		expect(recording.steps.filter(({ kind }) => kind === "action")).toMatchObject([
			{ route: "admin/setMember", body: { userId: "{{user grace}}", locale: "pt-BR" }, isBeforeBot: true },
			{ route: "admin/advanceClock", body: { advanceMs: 3_600_000 } },
			{ route: "typeCommand", user: "{{user grace}}" },
			{ route: "admin/setMember", body: { locale: "ja" } },
			{ route: "typeCommand" },
		]);
		const playground = await openPlayground();
		await connect(playground);
		expect(await replay(recording, playground.started)).toStrictEqual([]);
		const replies = ["pt-BR", "ja"].map((content) => ({ body: { data: { content } } }));
		expect(callbacksOf(playground)).toMatchObject(replies);
	});
});
