/** The contract of every engine that runs jobs of a remote service; special cases are in each engine's own file. */
import { describe, expect, test } from "vitest";
import { openAceStep } from "../../testing/servers/ace-step.ts";
import { openAiHorde } from "../../testing/servers/ai-horde.ts";
import { openFal } from "../../testing/servers/fal.ts";
import { openReplicate } from "../../testing/servers/replicate.ts";
import { setupEngines } from "./engine-setup.ts";

const SERVICES = {
	fal: {
		mediaType: "image",
		key: "fal-key",
		mapping: { model: "fal-ai/flux/dev" },
		submit: "/fal-ai/flux/dev",
		pollMethod: "GET",
		polls: ["/fal-ai/flux/requests"],
		lostSubmit: "failed",
		async open() {
			const server = await openFal();
			return { server, submits: () => server.queued, withdrawn: () => server.canceled };
		},
	},
	replicate: {
		mediaType: "image",
		key: "r8_token",
		mapping: { model: "black-forest-labs/flux-schnell" },
		submit: "/models/",
		pollMethod: "GET",
		polls: ["/predictions/"],
		lostSubmit: "failed",
		async open() {
			const server = await openReplicate();
			return { server, submits: () => server.predictions, withdrawn: () => server.canceled };
		},
	},
	"ai-horde": {
		mediaType: "image",
		key: "horde-key",
		mapping: { models: ["stable_diffusion"] },
		submit: "/generate/async",
		pollMethod: "GET",
		polls: ["/generate/check", "/generate/status"],
		lostSubmit: "success",
		async open(key: string) {
			const server = await openAiHorde({ key });
			return { server, submits: () => server.requested, withdrawn: () => server.deleted };
		},
	},
	"ace-step": {
		mediaType: "music",
		key: "ace-key",
		mapping: {},
		submit: "/release_task",
		pollMethod: "POST",
		polls: ["/query_result"],
		lostSubmit: "success",
		async open(key: string) {
			const server = await openAceStep({ key });
			return { server, submits: () => server.jobs, withdrawn: undefined };
		},
	},
} as const;

async function setupService(kind: keyof typeof SERVICES, key: string = SERVICES[kind].key) {
	const { mediaType, mapping, ...service } = SERVICES[kind];
	const opened = await service.open(service.key);
	const model = {
		id: "m",
		name: "M",
		mediaType,
		scenes: [`text-to-${mediaType}`],
		typicalSeconds: 10,
		price: { credits: 4 },
		engines: [{ engine: "far", ...mapping }],
	};
	const file = { engines: { far: { kind, url: opened.server.url, secret: { env: "KEY" } } }, models: [model] };
	const studio = await setupEngines({ file, env: { KEY: key } });
	const request = () => studio.submitted({ mediaType, model: "m", prompt: "a lighthouse" });
	return { ...studio, ...service, ...opened, request };
}

const UNCHARGED = { postedCredits: 100, heldCredits: 0 };
const CHARGED_ONCE = { postedCredits: 96, heldCredits: 0 };

describe.each(Object.keys(SERVICES) as (keyof typeof SERVICES)[])("%s", (kind) => {
	test("with a wrong key is unavailable, logs the reason, and charges nothing", async () => {
		const { request, untilEnded, engineLog, balance } = await setupService(kind, "wrong-key");
		expect(await untilEnded(await request())).toMatchObject({
			status: "failed",
			error: { code: "engine_unavailable" },
		});
		expect(engineLog()).toContain("check its secret");
		expect(engineLog()).not.toContain("wrong-key");
		expect(await balance()).toMatchObject(UNCHARGED);
	});

	test("receives a cancellation if it supports that", async () => {
		const { server, request, submits, withdrawn, pass, canceled, untilEnded, balance } = await setupService(kind);
		server.next = () => {};
		const taskId = await request();
		await pass(
			() => submits().length,
			(count) => count === 1,
		);
		await canceled(taskId);
		expect((await untilEnded(taskId))["status"]).toBe("canceled");
		await pass(
			() => withdrawn?.().length ?? 1,
			(count) => count === 1,
		);
		expect(await balance()).toMatchObject(UNCHARGED);
	});

	test("receives a job without a response again only if a second one is free", async () => {
		const { server, submit, lostSubmit, request, submits, untilEnded, balance } = await setupService(kind);
		server.plan("POST", submit, "actThenDrop");
		const isRepeated = lostSubmit === "success";
		expect(await untilEnded(await request())).toMatchObject({ status: lostSubmit, attempt: isRepeated ? 2 : 1 });
		expect(submits()).toHaveLength(isRepeated ? 2 : 1);
		expect(await balance()).toMatchObject(isRepeated ? CHARGED_ONCE : UNCHARGED);
	});

	test.each([
		"drop",
		"silence",
		{ status: 503, bytes: Buffer.from("busy") },
		{ bytes: Buffer.from("<html>") },
	] as const)("is polled again after %j", async (mishap) => {
		const { server, pollMethod, polls, request, submits, untilEnded } = await setupService(kind);
		for (const path of polls) server.plan(pollMethod, path, mishap);
		expect(await untilEnded(await request())).toMatchObject({ status: "success", attempt: 1 });
		expect(submits()).toHaveLength(1);
	});

	test("honors Retry-After", async () => {
		const { server, submit, request, untilEnded, clock } = await setupService(kind);
		server.plan("POST", submit, { status: 429, headers: { "retry-after": "90" }, json: {} });
		const startedAtMs = clock.nowMs();
		expect(await untilEnded(await request())).toMatchObject({ status: "success", attempt: 2 });
		expect(clock.nowMs() - startedAtMs).toBeGreaterThanOrEqual(90_000);
	});
});
