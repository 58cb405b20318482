import type { Logger } from "pino";
import { z } from "zod";
import type { GenerationRequest } from "../generation/request.ts";
import type { MessageRef } from "../../i18n/message-ref.ts";
import { quote } from "../../i18n/quote.ts";
import { USER_AGENT } from "@atelier/common/user-agent";

const TIMEOUT_MS = 5_000;
const RESPONSE_BYTES_MAX = 64 * 1024;
const REASON_CHARS_MAX = 200;

interface ReviewRequest {
	readonly guildId: string;
	readonly userId: string;
	readonly request: GenerationRequest;
}

/** The operator's moderation service, which reviews requests before credits are reserved. */
export interface ModerationClient {
	/** Resolves to the reason of a denial, or `undefined`. */
	review(judged: ReviewRequest, logger: Logger): Promise<MessageRef | undefined>;
}

interface ModerationDeps {
	readonly url: string;
	readonly apiKey: string | undefined;
	/** The decision if the service does not respond, or with an invalid response. */
	readonly failure: "allow" | "refuse";
	readonly timeoutMs?: number;
}

const answerSchema = z.object({ allow: z.boolean(), reason: z.string().nullish() });

export function createModerationClient({
	url,
	apiKey,
	failure,
	timeoutMs = TIMEOUT_MS,
}: ModerationDeps): ModerationClient {
	async function ask({ guildId, userId, request }: ReviewRequest): Promise<z.infer<typeof answerSchema>> {
		const { prompt, mediaType, model, options } = request;
		const response = await fetch(url, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				accept: "application/json",
				"user-agent": USER_AGENT,
				...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
			},
			body: JSON.stringify({
				text: prompt,
				negativePrompt: textOr(options["negative_prompt"]),
				lyrics: textOr(options["lyrics"]),
				mediaType,
				model,
				guildId,
				userId,
			}),
			// Prompts are sent to the configured URL only.
			redirect: "error",
			signal: AbortSignal.timeout(timeoutMs),
		});
		if (!response.ok) {
			await response.body?.cancel();
			throw new Error(`the moderation service responded with ${response.status}`);
		}
		return answerSchema.parse(JSON.parse(await boundedText(response)));
	}

	return {
		async review(judged, logger) {
			try {
				const { allow, reason } = await ask(judged);
				if (allow) return undefined;
				logger.info({ mediaType: judged.request.mediaType }, "moderation service refused");
				const shown = reason?.trim() ? quote(reason, REASON_CHARS_MAX) : null;
				return { key: "access.promptRejected", params: { reason: shown } };
			} catch (error) {
				logger.warn({ err: error, failure }, "moderation service did not respond");
				return failure === "allow" ? undefined : { key: "access.moderationDown" };
			}
		},
	};
}

function textOr(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

async function boundedText(response: Response): Promise<string> {
	const parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const part of response.body ?? []) {
		bytes += part.byteLength;
		if (bytes > RESPONSE_BYTES_MAX) throw new Error("the moderation service's response is too long");
		parts.push(part);
	}
	return Buffer.concat(parts).toString("utf8");
}
