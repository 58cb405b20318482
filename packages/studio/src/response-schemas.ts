/** The responses of the operations, as the OpenAPI document shows them. Strict: a test validates every response. */
import { z } from "zod";
import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import type { DeepReadonly } from "@atelier/common/deep-readonly";
import { modelShape } from "./engines/catalog-model.ts";
import { CAP_PERIODS } from "./spend-cap.ts";
import { TASK_STATES } from "./studio-task.ts";

/** The `data` that an operation with this schema returns. */
export type ResponseData<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

const time = z.iso.datetime();
const count = z.int().min(0);
const mediaType = z.enum(MEDIA_TYPES);
const warnings = z.array(z.strictObject({ code: z.string(), message: z.string() }));

const Output = z.strictObject({
	index: count,
	type: z.enum(["image", "video", "audio"]),
	url: z.url().nullable(),
	urlExpiresAt: time.nullable(),
	contentType: z.string(),
	sizeBytes: count,
	sha256: z.string(),
	width: count.nullable(),
	height: count.nullable(),
	durationSeconds: z.number().nullable(),
	seed: z.int().nullable(),
	expired: z.boolean(),
});

export const TaskResponse = z.strictObject({
	taskId: z.string(),
	mediaType,
	model: z.string(),
	scene: z.string(),
	prompt: z.string(),
	options: z.record(z.string(), z.unknown()),
	status: z.enum(TASK_STATES),
	progress: z.int().min(0).max(100),
	queuePosition: z.int().min(1).nullable(),
	estimatedSeconds: z.int().min(1).nullable(),
	attempt: count,
	maxAttempts: count,
	cancelRequested: z.boolean(),
	outputs: z.array(Output),
	warnings,
	error: z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
	costCredits: count,
	credits: z.strictObject({ reserved: count, charged: count, refunded: count }),
	priceVersion: z.string(),
	createdAt: time,
	startedAt: time.nullable(),
	updatedAt: time,
	completedAt: time.nullable(),
	expiresAt: time.nullable(),
});

export const SubmitResponse = z.strictObject({ taskId: z.string() });

export const TasksResponse = z.strictObject({ tasks: z.array(TaskResponse), nextCursor: z.string().nullable() });

export const ModelsResponse = z.strictObject({
	models: z.array(
		z.strictObject({
			...modelShape,
			options: z.record(z.string(), z.record(z.string(), z.unknown())),
			health: z.enum(["up", "degraded", "down"]),
		}),
	),
});

export const QuoteResponse = z.strictObject({
	costCredits: count,
	priceVersion: z.string(),
	breakdown: z.strictObject({
		credits: z.number(),
		resolutionFactor: z.number(),
		seconds: z.number(),
		outputs: z.number(),
	}),
	warnings,
});

export const CreditsResponse = z.strictObject({
	available: z.int(),
	reserved: count,
	expiring: z.array(z.strictObject({ credits: count, expiresAt: time })),
	cap: z
		.strictObject({
			credits: count,
			per: z.enum(CAP_PERIODS),
			spent: count,
			reserved: count,
			available: count,
			resetsAt: time.nullable(),
		})
		.nullable(),
});

export const UploadResponse = z.strictObject({
	url: z.url(),
	type: z.enum(["image", "video", "audio"]),
	contentType: z.string(),
	sizeBytes: count,
	sha256: z.string(),
	expiresAt: time,
});

export const CallbacksResponse = z.strictObject({
	callbacks: z.array(
		z.strictObject({
			id: z.string(),
			url: z.url(),
			state: z.enum(["pending", "delivered", "failed"]),
			nextAttemptAt: time.nullable(),
			attempts: z.array(
				z.strictObject({
					at: time,
					durationMs: count,
					httpStatus: z.int().nullable(),
					error: z.string().nullable(),
				}),
			),
		}),
	),
});

export const SecretResponse = z.strictObject({ secret: z.string() });
