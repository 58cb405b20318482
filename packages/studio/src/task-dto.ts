import { isoTime } from "./envelope.ts";
import { mediaExpiresAtMs, recordExpiresAtMs, type Retention } from "./retention.ts";
import type { MediaLinks } from "./media-links.ts";
import { chargeOf } from "./price.ts";
import type { Standing } from "./runner.ts";
import { isEnded, type StoredOutput, type Task } from "./task.ts";

export interface RecordContext {
	/** The state of an open task in this process. */
	readonly standing: Standing | undefined;
	/** Whether to show the engine's last report or the stored state. */
	readonly fresh: boolean;
	readonly typicalSeconds: number | undefined;
	readonly attemptsMax: number;
	readonly retention: Retention;
	readonly nowMs: number;
	readonly links: Pick<MediaLinks, "endMs" | "urlOf">;
}

export type TaskRecord = ReturnType<typeof taskRecord>;

/**
 * Returns a task as `GET /api/v1/task/{taskId}` shows it. The specification defines none of it, so every field is our
 * choice. Missing values are `null`; no field is absent.
 */
export function taskRecord(task: Task, context: RecordContext) {
	const { order } = task;
	const open = task.state === "pending" || task.state === "processing";
	const charged = task.state === "success" ? chargeOf(order, task.outputs.length) : 0;
	return {
		taskId: task.taskId,
		mediaType: order.mediaType,
		model: order.model,
		scene: order.scene,
		prompt: order.prompt,
		options: { ...order.options, ...order.inputs },
		status: task.state,
		progress: progressOf(task, context),
		queuePosition: open ? (context.standing?.queuePosition ?? context.standing?.enginePosition ?? null) : null,
		estimatedSeconds: open ? estimatedSeconds(task, context) : null,
		attempt: task.attempt,
		maxAttempts: context.attemptsMax,
		cancelRequested: task.cancelRequested,
		stale: false,
		outputs: outputRecords(task, context),
		warnings: order.warnings,
		error: task.state === "failed" ? { ...task.fault, providerCode: null } : null,
		costCredits: open ? order.priceCredits : charged,
		credits: {
			reserved: open ? order.priceCredits : 0,
			charged,
			refunded: open ? 0 : order.priceCredits - charged,
		},
		priceVersion: order.priceVersion,
		createdAt: isoTime(task.createdAtMs),
		startedAt: task.startedAtMs === null ? null : isoTime(task.startedAtMs),
		updatedAt: isoTime(task.updatedAtMs),
		completedAt: "completedAtMs" in task ? isoTime(task.completedAtMs) : null,
		expiresAt: isEnded(task) ? isoTime(recordExpiresAtMs(task, context.retention)) : null,
	};
}

function outputRecords(task: Task, { retention, nowMs, links }: RecordContext) {
	if (task.state !== "success") return [];
	const expiresAtMs = mediaExpiresAtMs(task, retention);
	// True from the expiry on, not only after the sweep.
	const expired = task.mediaRemovedAtMs !== null || expiresAtMs <= nowMs;
	const endMs = links.endMs(expiresAtMs);
	return task.outputs.map((output: StoredOutput, index) => {
		const { type, file, contentType, sizeBytes, sha256, width, height, durationSeconds, seed } = output;
		return {
			index,
			type,
			url: expired ? null : links.urlOf(file, endMs),
			urlExpiresAt: expired ? null : isoTime(endMs),
			contentType,
			sizeBytes,
			sha256,
			width,
			height,
			durationSeconds,
			thumbnailUrl: null,
			seed,
			expired,
		};
	});
}

function progressOf(task: Task, { standing, fresh }: RecordContext): number {
	if (task.state === "success") return 100;
	if (task.state !== "processing") return 0;
	return Math.max(task.progressPercent, fresh ? (standing?.progressPercent ?? 0) : 0);
}

/** Estimates by the model's typical duration; at least a second while the task is open. */
function estimatedSeconds(task: Task, context: RecordContext): number | null {
	const { standing, typicalSeconds } = context;
	if (typicalSeconds === undefined) return null;
	const roundsBefore = standing?.queuePosition ? Math.ceil(standing.queuePosition / standing.concurrency) : 0;
	const left = typicalSeconds * (roundsBefore + 1 - progressOf(task, context) / 100);
	return Math.max(1, Math.ceil(left));
}
