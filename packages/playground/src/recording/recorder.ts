/** Records the actions of users and the requests of the bot from the start, for `replay.ts`. */
import type { UploadedFile } from "../simulator/build-message.ts";
import type { SeedGuild, SeedUser } from "../simulator/seed.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { createPlaceholders } from "./placeholders.ts";
import type { RecordedStep, Recording } from "./recording-contract.ts";

const STEPS_MAX = 2_000;
const BYTES_MAX = 64 * 1024 * 1024;

interface BotRequest {
	readonly method: string;
	readonly path: string;
	/** The interaction whose token the request has. */
	readonly interactionId: string | undefined;
	readonly body: unknown;
	readonly files: readonly UploadedFile[];
}

interface UserUpload {
	readonly id: string;
	readonly filename: string;
	readonly hash: string;
	readonly bytes: Buffer;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(simulator: Simulator, origin: () => string) {
	const placeholders = createPlaceholders(simulator, { origin, token: simulator.seed.botToken });
	let steps: RecordedStep[] = [];
	let bytes = 0;
	let isComplete = true;

	/** Adds a step unless the recording is full: then no further step is added. */
	function add(step: RecordedStep): void {
		const size = JSON.stringify(step).length;
		if (steps.length >= STEPS_MAX || bytes + size > BYTES_MAX) isComplete = false;
		if (!isComplete) return;
		bytes += size;
		steps.push(step);
	}

	simulator.events.listen((event) => {
		if (event.type === "messageCreate") placeholders.assignNext(event.message.id, "message");
	});

	return {
		/** Records an action, and returns the function that removes it if it turns out to be invalid. */
		action(method: string, route: string, user: SeedUser, body: unknown): () => void {
			const step = {
				kind: "action",
				method,
				route,
				user: `{{${placeholders.nameOf(user.id)}}}`,
				body: placeholders.replaceInJson(body),
			} as const;
			add(step);
			return () => (steps = steps.filter((each) => each !== step));
		},
		upload(user: SeedUser, guild: SeedGuild, { id, filename, hash, bytes: content }: UserUpload): void {
			placeholders.assignNext(id, "upload");
			const [userName, guildName] = [user.id, guild.id].map((each) => `{{${placeholders.nameOf(each)}}}`);
			if (userName === undefined || guildName === undefined) return;
			const text = isComplete ? content.toString("base64") : "";
			add({ kind: "upload", user: userName, guild: guildName, filename, hash, content: text });
		},
		/** Numbers an interaction before its first request. */
		interaction: (id: string): void => void placeholders.nameOf(id),
		request({ method, path, interactionId, body, files }: BotRequest): void {
			if (!isComplete) return;
			add({
				kind: "request",
				interaction: interactionId === undefined ? null : placeholders.nameOf(interactionId),
				method,
				path: placeholders.replaceIn(path),
				body: placeholders.replaceInJson(body),
				files: files.map(({ index, filename, bytes: content, hash }) => ({
					field: `files[${index}]`,
					name: filename,
					bytes: content.byteLength,
					hash,
				})),
			});
		},
		recording: (): Recording => ({ steps: [...steps], isComplete }),
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
