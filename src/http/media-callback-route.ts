import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { Webhook } from "standardwebhooks";
import type { Clock } from "@atelier/common/clock";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { createThrottledLogger } from "@atelier/common/throttled-logger";

interface MediaCallbackRouteDeps {
	/** Resolves to the Standard Webhooks secret of the bot's account at the media service. Rejects while the service is down. */
	readonly secret: () => Promise<string>;
	/** Polls a task of the bot. Must not throw. */
	readonly wakeTask: (taskId: string) => void;
	readonly clock: Clock;
	readonly logger: Logger;
}

const PATH = "/callbacks/media";
/** A task of the studio with its longest prompt, and options of the same length. */
const BODY_BYTES_MAX = 128 * 1024;
/** Bodies are read before their signature can be verified. */
const CONCURRENT_MAX = 64;
/** Rejects callbacks outside of this window, because they may be replays. */
const TOLERANCE_MS = 5 * 60_000;
const TASK_ID = /^[\w-]{1,64}$/;

/** Returns the URL to which the media service reports that a task has ended. */
export function mediaCallbackUrl(origin: string, taskId: string): string {
	return `${origin}${PATH}/${taskId}`;
}

/**
 * `POST /callbacks/media/{taskId}`: a hint to poll a task now. The bot trusts only the poll, so a forged, repeated or
 * late callback costs one poll at most.
 */
export async function registerMediaCallbackRoute(app: FastifyInstance, deps: MediaCallbackRouteDeps): Promise<void> {
	const secretErrorLogger = createThrottledLogger({ ...deps, message: "callback secret not read" });
	let webhook: Promise<Webhook> | undefined;

	/** Reads the secret with the first callback. A failed read is repeated. */
	async function readWebhook(): Promise<Webhook> {
		try {
			return new Webhook(await deps.secret());
		} catch (error) {
			webhook = undefined;
			throw error;
		}
	}

	/** Uses the app's clock, which the library does not know. */
	async function isGenuine(headers: Readonly<Record<string, unknown>>, body: Buffer): Promise<boolean> {
		const [id, seconds, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
			(name) => headers[name],
		);
		if (typeof id !== "string" || typeof seconds !== "string" || typeof signatures !== "string") return false;
		if (!/^\d{1,12}$/.test(seconds)) return false;
		const sentAtMs = Number(seconds) * 1000;
		if (Math.abs(deps.clock.nowMs() - sentAtMs) > TOLERANCE_MS) return false;
		const expected = (await (webhook ??= readWebhook())).sign(id, new Date(sentAtMs), body);
		return signatures.split(" ").some((each) => isSameSecret(each, expected));
	}

	await app.register(
		async (scope) => {
			let concurrent = 0;
			scope.addHook("onRequest", async (_request, reply) => {
				if (concurrent >= CONCURRENT_MAX) return await reply.code(503).send({ error: "busy: send this again" });
				concurrent += 1;
				reply.raw.once("close", () => (concurrent -= 1));
			});
			scope.removeAllContentTypeParsers();
			scope.addContentTypeParser(
				"*",
				{ parseAs: "buffer", bodyLimit: BODY_BYTES_MAX },
				async (_request: unknown, body: Buffer) => body,
			);
			scope.post<{ Params: { taskId: string } }>("/:taskId", async (request, reply) => {
				const { taskId } = request.params;
				const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
				let isAccepted: boolean;
				try {
					isAccepted = TASK_ID.test(taskId) && (await isGenuine(request.headers, body));
				} catch (error) {
					secretErrorLogger.add(error);
					// The service sends it again; polls continue meanwhile.
					return await reply
						.code(503)
						.send({ error: "the secret of the media service cannot be read: send this again" });
				}
				if (!isAccepted) {
					// Not logged above debug: anyone can send invalid callbacks at any rate.
					deps.logger.debug("media callback rejected");
					return await reply.code(401).send({ error: "not signed by the media service, or too old" });
				}
				deps.logger.debug({ taskId }, "media callback");
				deps.wakeTask(taskId);
				return await reply.code(204).send();
			});
		},
		{ prefix: PATH },
	);
}
