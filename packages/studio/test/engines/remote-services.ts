/** The fake service of each kind of `http-job-engine.ts`, which run remote jobs, for the contracts that all of them keep. */
import type { Store } from "@atelier/store/store";
import { openAceStep } from "../../testing/servers/ace-step.ts";
import { openAiHorde } from "../../testing/servers/ai-horde.ts";
import type { FakeServer } from "../../testing/servers/fake-server.ts";
import { openFal } from "../../testing/servers/fal.ts";
import { openReplicate } from "../../testing/servers/replicate.ts";
import { openMediaService } from "../../testing/servers/media-service.ts";
import { modelEntry, REQUEST, setupEngine } from "./engine-setup.ts";

interface JobServer extends FakeServer {
	/** The executed submits. */
	readonly jobs: readonly unknown[];
	/** Absent if the service cannot cancel. */
	readonly canceled?: readonly string[];
	file?: Uint8Array;
	next: (job: never) => void;
}

export interface RemoteService {
	readonly kind: string;
	readonly mediaType: string;
	readonly key: string;
	/** The settings of the model in the engine file. */
	readonly modelSettings: object;
	readonly submitPath: string;
	readonly pollMethod: "GET" | "POST";
	/** The paths of the requests after the submit. */
	readonly pollPaths: readonly string[];
	/** True if a second job for the same attempt would cost money. */
	readonly isPaid: boolean;
	readonly open: (key: string) => Promise<JobServer>;
}

export const REMOTE_SERVICES: readonly RemoteService[] = [
	{
		kind: "fal",
		mediaType: "image",
		key: "fal-key",
		modelSettings: { model: "fal-ai/flux/dev" },
		submitPath: "/fal-ai/flux/dev",
		pollMethod: "GET",
		pollPaths: ["/fal-ai/flux/requests"],
		isPaid: true,
		open: openFal,
	},
	{
		kind: "replicate",
		mediaType: "image",
		key: "r8_token",
		modelSettings: { model: "black-forest-labs/flux-schnell" },
		submitPath: "/models/",
		pollMethod: "GET",
		pollPaths: ["/predictions/"],
		isPaid: true,
		open: openReplicate,
	},
	{
		kind: "ai-horde",
		mediaType: "image",
		key: "horde-key",
		modelSettings: { models: ["stable_diffusion"] },
		submitPath: "/generate/async",
		pollMethod: "GET",
		pollPaths: ["/generate/check", "/generate/status"],
		isPaid: false,
		open: (key) => openAiHorde({ key }),
	},
	{
		kind: "ace-step",
		mediaType: "music",
		key: "ace-key",
		modelSettings: {},
		submitPath: "/release_task",
		pollMethod: "POST",
		pollPaths: ["/query_result"],
		isPaid: false,
		open: (key) => openAceStep({ key }),
	},
	{
		kind: "media-service",
		mediaType: "image",
		key: "service-key",
		modelSettings: {},
		submitPath: "/api/v1/generate",
		pollMethod: "GET",
		pollPaths: ["/api/v1/task/"],
		isPaid: true,
		open: () => openMediaService(),
	},
];

/** Opens the service, and studios on it; `key` is the one that the studio has. */
export async function setupService(service: RemoteService, key = service.key) {
	const { kind, mediaType, modelSettings } = service;
	const server = await service.open(service.key);
	const { next, canceled } = server;
	const model = modelEntry({ mediaType, scenes: [`text-to-${mediaType}`], modelSettings });
	return {
		server,
		submits: () => server.jobs.length,
		/** The number of canceled jobs; absent if the service cannot cancel. */
		cancels: canceled && (() => canceled.length),
		request: { ...REQUEST, mediaType },
		/** Jobs do not end before `release`. */
		hold: () => void (server.next = () => {}),
		release: () => void (server.next = next),
		startStudio: (options: { readonly store?: Store; readonly credits?: number } = {}) =>
			setupEngine({ kind, url: server.url, secret: key, model, ...options }),
	};
}

export const UNCHARGED = { postedCredits: 100, heldCredits: 0 };
export const CHARGED_ONCE = { postedCredits: 96, heldCredits: 0 };

/** The end of a task whose submit lost its response: only a free job is submitted again. */
export function outcomeOfLostResponse({ isPaid }: RemoteService) {
	const failure = { status: "failed", attempt: 1, error: { code: "upstream_timeout" } };
	return isPaid
		? { record: failure, submitCount: 1, balance: UNCHARGED }
		: { record: { status: "success", attempt: 2 }, submitCount: 2, balance: CHARGED_ONCE };
}
