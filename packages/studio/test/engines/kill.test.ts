/**
 * A process is killed while an engine of each kind works, and the next one uses the same store: the job is continued
 * if the service supports a lookup, and never paid twice.
 */
import { expect, describe, test } from "vitest";
import { openStore } from "@atelier/store/open-store";
import type { Store } from "@atelier/store/store";
import { createCrashingStore } from "@atelier/store/testing/crashing-store";
import { openAceStep } from "../../testing/servers/ace-step.ts";
import { openAiHorde } from "../../testing/servers/ai-horde.ts";
import type { FakeServer } from "../../testing/servers/fake-server.ts";
import { openFal } from "../../testing/servers/fal.ts";
import { openReplicate } from "../../testing/servers/replicate.ts";
import { openSpecification } from "../../testing/servers/specification.ts";
import { setupEngines } from "./engine-setup.ts";

interface Service {
	readonly server: FakeServer;
	/** The paths of submits. */
	readonly submitPath: string;
	readonly submits: () => number;
	readonly canceled: () => number;
	/** Jobs do not end before `release`. */
	readonly hold: () => void;
	readonly release: () => void;
}

/** A fake server whose jobs advance with `next`. */
function controlled(
	server: FakeServer & { next: (job: never) => void },
	more: Pick<Service, "submitPath" | "submits" | "canceled">,
): Service {
	const { next } = server;
	return {
		server,
		...more,
		hold: () => void (server.next = () => {}),
		release: () => void (server.next = next),
	};
}

interface Kind {
	readonly kind: string;
	readonly mediaType?: string;
	/** The engine file's settings in addition to kind, URL and secret. */
	readonly mapping: object;
	readonly secret: string | undefined;
	/** True if a second submit would cost money. */
	readonly isPaid: boolean;
	readonly cancels: boolean;
	readonly open: () => Promise<Service>;
}

const KINDS: readonly Kind[] = [
	{
		kind: "fal",
		mapping: { model: "fal-ai/flux/dev" },
		secret: "fal-key",
		isPaid: true,
		cancels: true,
		async open() {
			const server = await openFal();
			const submits = (): number => server.queued.length;
			return controlled(server, { submitPath: "/fal-ai/flux/dev", submits, canceled: () => server.canceled.length });
		},
	},
	{
		kind: "replicate",
		mapping: { model: "owner/name" },
		secret: "r8_token",
		isPaid: true,
		cancels: true,
		async open() {
			const server = await openReplicate();
			const submits = (): number => server.predictions.length;
			return controlled(server, { submitPath: "/models/", submits, canceled: () => server.canceled.length });
		},
	},
	{
		kind: "ace-step",
		mediaType: "music",
		mapping: {},
		secret: undefined,
		isPaid: false,
		cancels: false,
		async open() {
			const server = await openAceStep();
			const submits = (): number => server.jobs.length;
			return controlled(server, { submitPath: "/release_task", submits, canceled: () => 0 });
		},
	},
	{
		kind: "ai-horde",
		mapping: { models: ["stable_diffusion"] },
		secret: undefined,
		isPaid: false,
		cancels: true,
		async open() {
			const server = await openAiHorde();
			const submits = (): number => server.count("POST", "/generate/async");
			return controlled(server, { submitPath: "/generate/async", submits, canceled: () => server.deleted.length });
		},
	},
	{
		kind: "media-service",
		mapping: {},
		secret: "service-key",
		isPaid: true,
		cancels: false,
		async open() {
			const server = await openSpecification();
			const submits = (): number => server.tasks.length;
			return controlled(server, { submitPath: "/api/v1/generate", submits, canceled: () => 0 });
		},
	},
];

async function setupKind({ kind, mediaType = "image", mapping, secret, open }: Kind) {
	const service = await open();
	const model = {
		id: "m",
		name: "M",
		mediaType,
		scenes: [`text-to-${mediaType}`],
		price: { credits: 4 },
		typicalSeconds: 10,
		engines: [{ engine: "far", ...mapping }],
	};
	const far = { kind, url: service.server.url, ...(secret !== undefined && { secret: { env: "SECRET" } }) };
	const file = { engines: { far }, models: [model] };
	const env = secret === undefined ? {} : { SECRET: secret };
	const memory = await openStore("memory:");
	const start = (store: Store, credits: number) => setupEngines({ file, env, store, credits });
	return { service, memory, start, request: { mediaType, model: "m", prompt: "a lighthouse" } };
}

const CHARGED = { postedCredits: 96, heldCredits: 0 };
const FREE = { postedCredits: 100, heldCredits: 0 };

describe.each(KINDS)("$kind", (kind) => {
	/** Kills a process while its job runs. Returns the store. */
	async function killedAtWork() {
		const { service, memory, start, request } = await setupKind(kind);
		service.hold();
		const store = createCrashingStore(memory);
		const before = await start(store, 100);
		const taskId = await before.submitted(request);
		await before.pass(
			async () => (await memory.get<{ content: { job?: object } }>(`studio-checkpoint:${taskId}`))?.value.content.job,
			(job) => job !== undefined,
		);
		store.arm(0);
		return { service, memory, taskId, restart: () => start(memory, 0) };
	}

	test("killed between submit and result: the job is continued, and not submitted twice", async () => {
		const { service, taskId, restart } = await killedAtWork();
		service.release();
		const after = await restart();
		expect(await after.untilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
		expect(service.submits()).toBe(1);
		expect(await after.balance()).toMatchObject(CHARGED);
	});

	test("killed during the submit: a paid job is not submitted again", async () => {
		const { service, memory, start, request } = await setupKind(kind);
		const store = createCrashingStore(memory);
		const before = await start(store, 100);
		service.server.plan("POST", service.submitPath, "actThenDrop");
		service.server.onRequest = ({ method, path }) => {
			if (method === "POST" && path.startsWith(service.submitPath)) store.arm(0);
		};
		const taskId = await before.submitted(request);
		await before.pass(service.submits, (submits) => submits === 1);
		const after = await start(memory, 0);
		const expected = kind.isPaid
			? { status: "failed", attempt: 1, error: { code: "upstream_timeout" } }
			: { status: "success", attempt: 2 };
		expect(await after.untilEnded(taskId)).toMatchObject(expected);
		expect(service.submits()).toBe(kind.isPaid ? 1 : 2);
		expect(await after.balance()).toMatchObject(kind.isPaid ? FREE : CHARGED);
	});

	test("killed during a cancellation: the job is canceled after the restart, and is free", async () => {
		const { service, memory, taskId, restart } = await killedAtWork();
		const task = await memory.get<object>(`studio-task:${taskId}`);
		await memory.compareAndSet(`studio-task:${taskId}`, task?.raw, { ...task?.value, cancelRequested: true });
		const after = await restart();
		expect(await after.untilEnded(taskId)).toMatchObject({ status: "canceled", credits: { charged: 0 } });
		expect([service.canceled(), service.submits()]).toStrictEqual([kind.cancels ? 1 : 0, 1]);
		expect(await after.balance()).toMatchObject(FREE);
		expect(await memory.get(`studio-checkpoint:${taskId}`)).toBeUndefined();
	});

	test("killed during a cancellation and an outage of the service: the cancel is retried", async () => {
		const { service, memory, taskId, restart } = await killedAtWork();
		const task = await memory.get<object>(`studio-task:${taskId}`);
		await memory.compareAndSet(`studio-task:${taskId}`, task?.raw, { ...task?.value, cancelRequested: true });
		for (const method of ["POST", "PUT", "DELETE"]) service.server.plan(method, "/", "drop", "drop");
		const after = await restart();
		await after.pass(
			() => memory.get(`studio-open:${taskId}`),
			(mark) => mark === undefined,
		);
		expect((await after.task(taskId))["status"]).toBe("canceled");
		expect(service.canceled()).toBe(kind.cancels ? 1 : 0);
	});

	test("a service that runs one submit twice: one job is followed and charged", async () => {
		const { service, memory, start, request } = await setupKind(kind);
		service.server.plan("POST", service.submitPath, "actTwice");
		const studio = await start(memory, 100);
		expect(await studio.untilEnded(await studio.submitted(request))).toMatchObject({ status: "success", attempt: 1 });
		expect(service.server.requests.filter(({ path }) => path.startsWith(service.submitPath))).toHaveLength(1);
		expect(await studio.balance()).toMatchObject(CHARGED);
	});
});
