import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { Webhook } from "standardwebhooks";
import type { Clock } from "@atelier/common/clock";
import { isSameSecret } from "@atelier/common/constant-time-equal";

interface MediaWebhookDeps {
	/** Of the account that the bot has at the media service, in the form of Standard Webhooks. */
	readonly secret: string;
	/** Looks at a task of the bot's. Must not throw. */
	readonly wake: (taskId: string) => void;
	readonly clock: Clock;
	readonly logger: Logger;
}

const PATH = "/callbacks/media";
const BODY_BYTES_MAX = 1024 * 1024;
/** Older and newer ones may be somebody's recording. */
const TOLERANCE_MS = 5 * 60_000;
const TASK_ID = /^[\w-]{1,64}$/;

/** Where the media service tells that a task of the bot's has ended. */
export function mediaCallbackUrl(origin: string, taskId: string): string {
	return `${origin}${PATH}/${taskId}`;
}

/**
 * `POST /callbacks/media/{taskId}`: only says that it is worth to look at a task now. Nothing that it carries is believed:
 * what the service says when it is asked counts, so a forged, repeated or late callback could do no more than cost a look.
 */
export async function registerMediaWebhook(app: FastifyInstance, deps: MediaWebhookDeps): Promise<void> {
	const webhook = new Webhook(deps.secret);

	/** By the house's clock, which the library does not know. */
	function isGenuine(headers: Readonly<Record<string, unknown>>, body: Buffer): boolean {
		const [id, seconds, given] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers[name]);
		if (typeof id !== "string" || typeof seconds !== "string" || typeof given !== "string") return false;
		if (!/^\d{1,12}$/.test(seconds)) return false;
		const sentAtMs = Number(seconds) * 1000;
		if (Math.abs(deps.clock.nowMs() - sentAtMs) > TOLERANCE_MS) return false;
		const right = webhook.sign(id, new Date(sentAtMs), body);
		return given.split(" ").some((each) => isSameSecret(each, right));
	}

	await app.register(
		async (scope) => {
			scope.removeAllContentTypeParsers();
			scope.addContentTypeParser(
				"*",
				{ parseAs: "buffer", bodyLimit: BODY_BYTES_MAX },
				async (_request: unknown, body: Buffer) => body,
			);
			scope.post<{ Params: { taskId: string } }>("/:taskId", async (request, reply) => {
				const { taskId } = request.params;
				const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
				if (!TASK_ID.test(taskId) || !isGenuine(request.headers, body)) {
					// Anybody can send one, as often as they like; the sender has a log of its own.
					deps.logger.debug("media callback refused");
					return await reply.code(401).send({ error: "not signed by the media service, or too old" });
				}
				deps.logger.debug({ taskId }, "media callback");
				deps.wake(taskId);
				return await reply.code(204).send();
			});
		},
		{ prefix: PATH },
	);
}
