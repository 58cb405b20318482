import { isoTime } from "./envelope.ts";
import { mediaExpiresAtMs, recordExpiresAtMs } from "./data-retention.ts";
import type { MediaLinks } from "./media-links.ts";
import type { Catalog } from "./model-catalog.ts";
import { costOfOutputs } from "@atelier/media-protocol/price";
import type { QueueState } from "./queue-runner.ts";
import type { ResponseData, TaskResponse } from "./response-schemas.ts";
import type { StudioContext } from "./studio-context.ts";
import { isEnded, type StudioTask } from "./studio-task.ts";

export type TaskDto = ResponseData<typeof TaskResponse>;

/** Returns a task as `GET /api/v1/task/{taskId}` shows it, with the live state of an open task. */
export type ToTaskDto = (task: StudioTask, queueState?: QueueState) => TaskDto;

/** Missing values are `null`; no field is absent. docs/studio-api.md describes the fields. */
export function createTaskDtoMapper(
	deps: StudioContext & { readonly catalog: Catalog; readonly links: MediaLinks },
): ToTaskDto {
	const { catalog, links, limits, clock } = deps;

	function outputDtos(task: StudioTask): TaskDto["outputs"] {
		if (task.state !== "success") return [];
		const expiresAtMs = mediaExpiresAtMs(task, limits);
		const expired = expiresAtMs <= clock.nowMs();
		const linkExpiresAtMs = links.linkExpiresAtMs(expiresAtMs);
		return task.outputs.map(({ file, ...output }, index) => ({
			...output,
			index,
			url: expired ? null : links.urlOf(file, linkExpiresAtMs),
			urlExpiresAt: expired ? null : isoTime(linkExpiresAtMs),
			expired,
		}));
	}

	/**
	 * Estimates the seconds until the end by the model's typical duration: one for each round of tasks before this one, and the
	 * rest of its own. At least a second; `null` for a model that is no longer offered.
	 */
	function estimatedSeconds(task: StudioTask, queueState: QueueState | undefined): number | null {
		const typicalSeconds = catalog.find(task.request.model)?.typicalSeconds;
		if (typicalSeconds === undefined) return null;
		const roundsBefore = queueState?.queuePosition ? Math.ceil(queueState.queuePosition / queueState.concurrency) : 0;
		return Math.max(1, Math.ceil(typicalSeconds * (roundsBefore + 1 - progressOf(task) / 100)));
	}

	return (task, queueState) => {
		const { request } = task;
		const isOpen = !isEnded(task);
		const charged =
			task.state === "success" ? costOfOutputs(request.priceCredits, request.options, task.outputs.length) : 0;
		return {
			taskId: task.taskId,
			mediaType: request.mediaType,
			model: request.model,
			scene: request.scene,
			prompt: request.prompt,
			options: { ...request.options, ...request.inputs },
			status: task.state,
			progress: progressOf(task),
			queuePosition: task.state === "processing" ? task.enginePosition : (queueState?.queuePosition ?? null),
			estimatedSeconds: isOpen ? estimatedSeconds(task, queueState) : null,
			attempt: task.attempt,
			maxAttempts: limits.attemptsMax + task.refusals,
			cancelRequested: task.cancelRequested,
			outputs: outputDtos(task),
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
			completedAt: isEnded(task) ? isoTime(task.completedAtMs) : null,
			expiresAt: isEnded(task) ? isoTime(recordExpiresAtMs(task, limits)) : null,
		};
	};
}

function progressOf(task: StudioTask): number {
	if (task.state === "success") return 100;
	return task.state === "processing" ? task.progressPercent : 0;
}
