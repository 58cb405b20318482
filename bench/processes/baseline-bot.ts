/**
 * The plain program of bench/slow-network.ts, as a developer with discord.js writes it: defers the reply, submits the task, polls once a
 * second or waits for the callback, downloads the file into memory, and edits the reply. It stores and checks nothing, and
 * believes the callback. With an empty SERVICE it only defers.
 */
import { createServer } from "node:http";
import { env } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { ApplicationCommandOptionType, AttachmentBuilder, Client, Events, type Interaction } from "discord.js";

interface TaskRecord {
	readonly taskId: string;
	readonly outputs?: readonly { readonly url: string }[];
}

const { DISCORD_API_URL = "", DISCORD_TOKEN = "", SERVICE, CALLBACK_PORT } = env;
const POLL_EVERY_MS = 1_000;
const ended = new Map<string, (record: TaskRecord) => void>();

async function fetchData<Data>(url: string, init?: RequestInit): Promise<Data> {
	return ((await (await fetch(url, init)).json()) as { data: Data }).data;
}

async function submit(model: string | null, prompt: string | null): Promise<TaskRecord> {
	// The service of the bench uses only the path, and sends callbacks to the port of this bot.
	const callbackUrl = CALLBACK_PORT === undefined ? undefined : "https://plain.example/callback";
	const body = JSON.stringify({ model, prompt, callbackUrl });
	return await fetchData(`${SERVICE}/api/v1/generate`, { method: "POST", body });
}

async function untilEnded(taskId: string): Promise<TaskRecord> {
	if (CALLBACK_PORT !== undefined) return await new Promise((resolve) => ended.set(taskId, resolve));
	for (;;) {
		await sleep(POLL_EVERY_MS);
		const record = await fetchData<TaskRecord>(`${SERVICE}/api/v1/task/${taskId}`);
		if (record.outputs) return record;
	}
}

async function answer(interaction: Interaction): Promise<void> {
	if (!interaction.isChatInputCommand()) return;
	await interaction.deferReply();
	if (SERVICE === "") return;
	const { taskId } = await submit(interaction.options.getString("model"), interaction.options.getString("prompt"));
	const { outputs } = await untilEnded(taskId);
	const bytes = Buffer.from(await (await fetch(outputs?.[0]?.url ?? "")).arrayBuffer());
	const file = new AttachmentBuilder(bytes, { name: `result-${interaction.id}.png` });
	await interaction.editReply({ content: "done", files: [file] });
}

if (CALLBACK_PORT !== undefined) {
	const server = createServer((request, response) => {
		let body = "";
		request.on("data", (chunk) => (body += String(chunk)));
		request.on("end", () => {
			response.writeHead(204).end();
			const record = JSON.parse(body) as TaskRecord;
			ended.get(record.taskId)?.(record);
		});
	});
	server.listen(Number(CALLBACK_PORT), "127.0.0.1");
}
const client = new Client({ intents: [], rest: { api: DISCORD_API_URL, timeout: 60_000 } });
client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
const option = (name: string) => ({ name, description: name, type: ApplicationCommandOptionType.String as const });
client.once(Events.ClientReady, (ready) => {
	void ready.application.commands
		.set([{ name: "image", description: "image", options: [option("prompt"), option("model")] }])
		.then(() => process.stdout.write("ready\n"));
});
await client.login(DISCORD_TOKEN);
