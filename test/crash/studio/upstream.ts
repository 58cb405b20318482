/** The paid service behind the engine. It outlives the studio, and knows what was ordered how often. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** By the prompt: takes the order and breaks off, is done, is done without output, is done with two of them, never is. */
export const MANNERS = ["fine", "breaksOff", "twice", "empty", "never"] as const;
export type Manner = (typeof MANNERS)[number];

export interface Job {
	readonly state: "running" | "done";
	readonly outputs: number;
}

const POLLS_UNTIL_DONE = 4;
const OUTPUTS = { fine: 1, breaksOff: 1, twice: 2, empty: 0, never: 0 } as const satisfies Record<Manner, number>;

export interface Upstream {
	readonly url: string;
	/** How often each attempt, `TASK:ATTEMPT`, was ordered, and so paid. */
	readonly submits: ReadonlyMap<string, number>;
	stop(): void;
}

export async function startUpstream(): Promise<Upstream> {
	const submits = new Map<string, number>();
	const jobs = new Map<string, { readonly manner: Manner; polls: number }>();
	const server = createServer((request, response) => void answer(request, response));

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
		const id = decodeURIComponent(request.url ?? "").slice(1);
		const said = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
		if (request.method === "POST") {
			const manner = MANNERS.find((each) => each === said) ?? "fine";
			submits.set(id, (submits.get(id) ?? 0) + 1);
			jobs.set(id, { manner, polls: 0 });
			if (manner === "breaksOff") return response.destroy();
		}
		const job = jobs.get(id);
		if (!job) return response.writeHead(404).end();
		job.polls += 1;
		const isDone = job.manner !== "never" && job.polls > POLLS_UNTIL_DONE;
		const shown: Job = { state: isDone ? "done" : "running", outputs: OUTPUTS[job.manner] };
		return response.end(JSON.stringify(shown));
	}
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		submits,
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
}
