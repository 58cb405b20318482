import type { Clock } from "@atelier/common/clock";
import { isoTime } from "./envelope.ts";
import { mediaExpiresAtMs, recordExpiresAtMs, type RetentionLimits } from "./data-retention.ts";
import type { StudioLimits } from "./limits.ts";
import type { MediaLinks } from "./media-links.ts";
import type { Catalog } from "./model-catalog.ts";
import { costOfOutputs } from "./price.ts";
import type { LiveState } from "./queue-runner.ts";
import { isEnded, type StoredOutput, type Task } from "./task.ts";

interface TaskDtoContext {
	readonly liveState: LiveState | undefined;
	readonly typicalSeconds: number | undefined;
	readonly attemptsMax: number;
	readonly retention: RetentionLimits;
	readonly nowMs: number;
	readonly links: Pick<MediaLinks, "linkExpiresAtMs" | "urlOf">;
}

export type TaskDto = ReturnType<typeof toTaskDto>;

/** Returns a task as `GET /api/v1/task/{taskId}` shows it, with the state of an open task in this process. */
export type ToTaskDto = (task: Task, liveState?: LiveState) => TaskDto;

export function createTaskDtoMapper(deps: {
	readonly catalog: Catalog;
	readonly links: TaskDtoContext["links"];
	readonly limits: RetentionLimits & Pick<StudioLimits, "attemptsMax">;
	readonly clock: Clock;
}): ToTaskDto {
	const { catalog, links, limits, clock } = deps;
	return (task, liveState) =>
		toTaskDto(task, {
			liveState,
			typicalSeconds: catalog.find(task.request.model)?.typicalSeconds,
			attemptsMax: limits.attemptsMax,
			retention: limits,
			nowMs: clock.nowMs(),
			links,
		});
}

/** Missing values are `null`; no field is absent. docs/studio-api.md describes the fields. */
function toTaskDto(task: Task, context: TaskDtoContext) {
	const { request } = task;
	const isOpen = task.state === "pending" || task.state === "processing";
	const charged = task.state === "success" ? costOfOutputs(request, task.outputs.length) : 0;
	return {
		taskId: task.taskId,
		mediaType: request.mediaType,
		model: request.model,
		scene: request.scene,
		prompt: request.prompt,
		options: { ...request.options, ...request.inputs },
		status: task.state,
		progress: progressOf(task),
		queuePosition: task.state === "processing" ? task.enginePosition : (context.liveState?.queuePosition ?? null),
		estimatedSeconds: isOpen ? estimatedSeconds(task, context) : null,
		attempt: task.attempt,
		maxAttempts: context.attemptsMax,
		cancelRequested: task.cancelRequested,
		outputs: outputDtos(task, context),
		warnings: request.warnings,
		error: task.state === "failed" ? task.failure : null,
		costCredits: isOpen ? request.priceCredits : charged,
		credits: {
			reserved: isOpen ? request.priceCredits : 0,
			charged,
			refunded: isOpen ? 0 : request.priceCredits - charged,
		},
		priceVersion: request.priceVersion,
		createdAt: isoTime(task.createdAtMs),
		startedAt: task.startedAtMs === null ? null : isoTime(task.startedAtMs),
		updatedAt: isoTime(task.updatedAtMs),
		completedAt: "completedAtMs" in task ? isoTime(task.completedAtMs) : null,
		expiresAt: isEnded(task) ? isoTime(recordExpiresAtMs(task, context.retention)) : null,
	};
}

function outputDtos(task: Task, { retention, nowMs, links }: TaskDtoContext) {
	if (task.state !== "success") return [];
	const expiresAtMs = mediaExpiresAtMs(task, retention);
	const expired = expiresAtMs <= nowMs;
	const linkExpiresAtMs = links.linkExpiresAtMs(expiresAtMs);
	return task.outputs.map((output: StoredOutput, index) => {
		const { type, file, contentType, sizeBytes, sha256, width, height, durationSeconds, seed } = output;
		return {
			index,
			type,
			url: expired ? null : links.urlOf(file, linkExpiresAtMs),
			urlExpiresAt: expired ? null : isoTime(linkExpiresAtMs),
			contentType,
			sizeBytes,
			sha256,
			width,
			height,
			durationSeconds,
			seed,
			expired,
		};
	});
}

function progressOf(task: Task): number {
	if (task.state === "success") return 100;
	return task.state === "processing" ? task.progressPercent : 0;
}

/**
 * Estimates the seconds until the end by the model's typical duration: one for each round of tasks before this one, and the
 * rest of its own. At least a second; `null` for a model that is no longer offered.
 */
function estimatedSeconds(task: Task, context: TaskDtoContext): number | null {
	const { liveState, typicalSeconds } = context;
	if (typicalSeconds === undefined) return null;
	const roundsBefore = liveState?.queuePosition ? Math.ceil(liveState.queuePosition / liveState.concurrency) : 0;
	const remainingSeconds = typicalSeconds * (roundsBefore + 1 - progressOf(task) / 100);
	return Math.max(1, Math.ceil(remainingSeconds));
}
