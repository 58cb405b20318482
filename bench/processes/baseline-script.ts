/**
 * The plain program of bench/delivery.ts: creates a message and a task, polls at the bot's interval, then downloads the file and
 * uploads it with `fetch` and in memory, as a short script would. It is a file of its own with few imports, because loaded
 * modules slow down its garbage collection with every large file.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** One file to deliver. */
export interface DeliveryPlan {
	readonly service: string;
	readonly model: string;
	readonly prompt: string;
	readonly pollEveryMs: number;
	/** The API's URL for the messages of one channel. */
	readonly messagesUrl: string;
	readonly authorization: string;
}

export type Report = { readonly kind: "submitted"; readonly messageId: string } | { readonly kind: "uploaded" };

process.on("message", (plan: DeliveryPlan) => void run(plan));
process.send?.("ready");

async function run({ service, model, prompt, pollEveryMs, messagesUrl, authorization }: DeliveryPlan): Promise<void> {
	const created = await fetch(messagesUrl, {
		method: "POST",
		headers: { authorization, "content-type": "application/json" },
		body: JSON.stringify({ content: "thinking" }),
	});
	const { id } = (await created.json()) as { id: string };
	const request = { method: "POST", body: JSON.stringify({ model, prompt }) };
	const { taskId } = await fetchData<{ taskId: string }>(`${service}/api/v1/generate`, request);
	sendReport({ kind: "submitted", messageId: id });
	const url = await pollFileUrl(`${service}/api/v1/task/${taskId}`, pollEveryMs);
	const bytes = await (await fetch(url)).arrayBuffer();
	const form = new FormData();
	// A new name each time: the playground validates a form that it has just seen faster.
	const name = `${id}.png`;
	form.append("files[0]", new Blob([bytes], { type: "image/png" }), name);
	form.append("payload_json", JSON.stringify({ content: "done", attachments: [{ id: "0", filename: name }] }));
	const edited = await fetch(`${messagesUrl}/${id}`, { method: "PATCH", headers: { authorization }, body: form });
	await edited.arrayBuffer();
	if (!edited.ok) throw new Error(`the plain upload was answered with ${edited.status}`);
	sendReport({ kind: "uploaded" });
}

async function pollFileUrl(taskUrl: string, pollEveryMs: number): Promise<string> {
	for (;;) {
		await sleep(pollEveryMs);
		const { outputs } = await fetchData<{ outputs?: { url: string }[] }>(taskUrl);
		if (outputs?.[0]) return outputs[0].url;
	}
}

async function fetchData<Data>(url: string, init?: RequestInit): Promise<Data> {
	return ((await (await fetch(url, init)).json()) as { data: Data }).data;
}

function sendReport(report: Report): void {
	process.send?.(report);
}
