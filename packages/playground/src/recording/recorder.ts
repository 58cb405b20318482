/** Records actions of users, changes by the admin API, and requests of the bot from the start, for `replay.ts`. */
import { createHash } from "node:crypto";
import type { UploadedFile } from "../simulator/build-message.ts";
import type { SimulatorEvent } from "../simulator/events.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { createPlaceholders } from "./placeholders.ts";
import { RECORDING_FORMAT, type RecordedStep, type Recording } from "./recording-contract.ts";

const STEPS_MAX = 2_000;
const BYTES_MAX = 64 * 1024 * 1024;

/** @public Declarations of the published package name it. */
export interface BotRequest {
	readonly method: string;
	readonly path: string;
	/** The interaction whose token the request has. */
	readonly interactionId: string | undefined;
	/** JSON. */
	readonly body: string | undefined;
	readonly files: readonly UploadedFile[];
}

/** @public Declarations of the published package name it. */
export interface Action {
	readonly route: string;
	readonly userId?: string | undefined;
	readonly guildId?: string | undefined;
	readonly body?: unknown;
	/** The form of an upload, which has no body: recorded as it is, with its content in base64. */
	readonly upload?: { readonly filename: string; readonly bytes: Buffer };
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(simulator: Simulator, origin: () => string) {
	const placeholders = createPlaceholders(simulator, { origin, token: simulator.seed.botToken });
	let steps: RecordedStep[] = [];
	let bytes = 0;
	let isComplete = true;
	let isBotOnline = false;

	/** Adds a step unless the recording is full: then no further step is added. `size` counts the body only. */
	function add(step: RecordedStep, size: number): void {
		if (steps.length >= STEPS_MAX || bytes + size > BYTES_MAX) isComplete = false;
		if (!isComplete) return;
		bytes += size;
		steps.push(step);
	}

	/** Assigns placeholders to the ids that later actions may contain. */
	function handleEvent(event: SimulatorEvent): void {
		if (event.type === "presence") isBotOnline = event.online;
		if (!isComplete) return;
		if (event.type === "messageCreate") placeholders.assignNext(event.message.id, "message");
		if (event.type === "directChannel") placeholders.assignDirectChannel(event.userId);
		if (event.type === "threadCreate") placeholders.assignNext(event.thread.id, "thread");
		if (event.type === "entitlementCreate") placeholders.assignNext(event.entitlement.id, "purchase");
		if (event.type === "webhooks")
			for (const { id } of simulator.webhooks.inChannel(event.channelId)) placeholders.assignNext(id, "webhook");
	}
	simulator.events.listen(handleEvent);

	const placeholderOf = (id: string): string => `{{${placeholders.nameOf(id)}}}`;

	return {
		/** Records an action and performs it; removes it if it turns out to be invalid. */
		async perform<Result>(
			{ route, userId, guildId, body, upload }: Action,
			work: () => Result | Promise<Result>,
		): Promise<Result> {
			if (!isComplete) return await work();
			const json = JSON.stringify(body) as string | undefined;
			const content = upload?.bytes.toString("base64");
			const step: RecordedStep = {
				kind: "action",
				route,
				...(userId !== undefined && { user: placeholderOf(userId) }),
				...(guildId !== undefined && { guild: placeholderOf(guildId) }),
				body: upload
					? { filename: upload.filename, content }
					: placeholders.replaceInJson(json, placeholders.replaceInAction),
				...(!isBotOnline && { isBeforeBot: true }),
			};
			add(step, content?.length ?? json?.length ?? 0);
			try {
				return await work();
			} catch (error) {
				steps = steps.filter((each) => each !== step);
				throw error;
			}
		},
		/** Assigns a placeholder to an interaction or an upload before its first use. */
		assign(id: string, kind: "interaction" | "upload"): void {
			if (isComplete) placeholders.assignNext(id, kind);
		},
		request({ method, path, interactionId, body, files }: BotRequest): void {
			if (!isComplete) return;
			const step: RecordedStep = {
				kind: "request",
				interaction: interactionId === undefined ? null : placeholders.nameOf(interactionId),
				method,
				path: placeholders.replaceInRequest(path),
				body: placeholders.replaceInJson(body, placeholders.replaceInRequest),
				files: files.map(({ index, filename, bytes: content }) => ({
					field: `files[${index}]`,
					name: filename,
					bytes: content.byteLength,
					hash: createHash("sha256").update(content).digest("hex"),
				})),
			};
			add(step, body?.length ?? 0);
		},
		recording: (): Recording => ({ format: RECORDING_FORMAT, steps: [...steps], isComplete }),
		/** Replaces placeholders by ids. Throws for an unknown one. */
		resolve: (json: unknown): unknown => placeholders.resolve(json),
		/** Starts again with an empty recording. */
		clear(): void {
			placeholders.clear();
			steps = [];
			bytes = 0;
			isComplete = true;
		},
	};
}
