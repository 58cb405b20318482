/**
 * The only writer to Discord for a task. Walks the rungs and stops at the first that holds: what a member typed pings
 * nobody, a repeated message is the same message, and no token or file leaves through an error.
 */
import { DiscordAPIError, MessageFlags, RateLimitError, RESTJSONErrorCodes, Routes, type REST } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import type { ByteBudget } from "../services/delivery/byte-budget.ts";
import { decideFault, type CallFault, type Decision } from "../services/delivery/decide-fault.ts";
import {
	MessengerUnavailable,
	type Answer,
	type FilesRefused,
	type Messenger,
	type OwnReply,
	type ReplyTarget,
	type Rung,
	type Showing,
} from "../services/delivery/messenger.ts";
import { isTokenAlive, openRungs } from "../services/delivery/open-rungs.ts";
import { fileForm } from "./file-form.ts";
import { createStreamingUploads } from "./streaming-upload.ts";
import { findAnswer, showsAnswer } from "./find-answer.ts";
import { inTime } from "./in-time.ts";
import { messageIn, messagesIn, NotAMessageError, requireMessage, type PostedMessage } from "./read-message.ts";
import { pictureMenuRow } from "./picture-menu.ts";
import { taskButtonRows } from "./task-buttons.ts";
import { topUpRow } from "./top-up-buttons.ts";

const CALL_TIMEOUT_MS = 15_000;
/** The slowest line that is waited for, beside the time that any call may take. */
const UPLOAD_BYTES_PER_MS_MIN = 100;
/** How far back an answer is looked for that may have been posted without our hearing of it. */
const LOOKED_BACK_AT = 50;

const DirectChannel = z.object({ id: z.string().regex(/^\d{1,20}$/) });

interface Version {
	readonly text: string;
	readonly files: Answer["files"];
	/** What stands under it; left as it is where it is not said. */
	readonly components?: readonly (ReturnType<typeof taskButtonRows>[number] | ReturnType<typeof pictureMenuRow>)[];
}

type Attempt =
	| { readonly kind: "done"; readonly messageId: string; readonly wasThere: boolean }
	| Exclude<Decision, { kind: "again" }>;

interface MessengerDeps {
	/** One that neither repeats calls nor waits: what to do about a fault is decided here. */
	readonly rest: REST;
	readonly uploads: ByteBudget;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createDiscordMessenger({ rest, uploads, clock, logger }: MessengerDeps): Messenger {
	const streaming = createStreamingUploads({ rest, uploads, clock });

	/** One call, or `undefined` and what its failure means; throws `MessengerUnavailable` where that is to come back later. */
	async function call<Result>(
		rung: Rung,
		signal: AbortSignal,
		work: () => Promise<Result>,
	): Promise<{ readonly result: Result } | Exclude<Decision, { kind: "again" }>> {
		try {
			return { result: await work() };
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof TokenOver) return { kind: "nextRung" };
			const fault = faultOf(error);
			const decision = decideFault(rung, fault);
			if (decision.kind === "again") throw new MessengerUnavailable(describe(rung, fault, error), decision.afterMs);
			logger.warn({ rung, decision: decision.kind, ...fault }, "delivery refused");
			return decision;
		}
	}

	/** Resolves to Discord's answer, which may be anything. */
	async function send(
		method: "patch" | "post",
		route: `/${string}`,
		sent: Sent,
		signal: AbortSignal,
	): Promise<unknown> {
		const { by } = sent;
		if (by) {
			const firstTimeoutMs = timeOf(sent);
			const answered = streaming.commit(by, sent.files, payloadOf(sent));
			if (answered) return await answerOf(firstTimeoutMs, signal, answered);
		}
		const giveBack = await uploads.take(sizeOf(sent), signal);
		try {
			// Its turn may have come minutes after the way was chosen.
			const timeoutMs = timeOf(sent);
			const request = { ...(await requestOf(sent)), auth: !by };
			return await answerOf(timeoutMs, signal, (over) => rest[method](route, { ...request, signal: over }));
		} finally {
			giveBack();
		}
	}

	/** Milliseconds that the call may take: never longer than the token lives that it needs. */
	function timeOf(sent: Sent): number {
		const { by } = sent;
		if (by && !isTokenAlive(by, clock.nowMs())) throw new TokenOver();
		return Math.min(timeoutMsOf(sizeOf(sent)), by ? by.tokenExpiresAtMs - clock.nowMs() : Infinity);
	}

	/** A new message, unless it is already there: an earlier try may have arrived, and only its answer been lost. */
	async function post(
		channelId: string,
		target: ReplyTarget,
		answer: Answer,
		sent: Sent,
		signal: AbortSignal,
	): Promise<Posted> {
		const wanted = { applicationId: target.applicationId, answer, text: sent.text };
		const found = findAnswer(await readBack(channelId, signal), wanted);
		if (found) return { id: found.id, wasThere: true };
		// Nearer together than a look back can see, the nonce makes two of them one.
		const nonce = { nonce: answer.nonce, enforce_nonce: true };
		const answered = await send("post", Routes.channelMessages(channelId), { ...sent, extra: nonce }, signal);
		const posted = messageIn(answered, sent.files.length) ?? findAnswer(await readBack(channelId, signal), wanted);
		return requireMessage(posted);
	}

	/** An edit of the reply. Where Discord's answer does not show that it was made, the reply is read. */
	async function editReply(
		rung: "tokenEdit" | "botEdit",
		target: ReplyTarget,
		sent: Sent,
		signal: AbortSignal,
	): Promise<Posted> {
		const edited = messageIn(await send("patch", routeOf(rung, target), sent, signal), sent.files.length);
		if (edited) return edited;
		const reply = await readReply(rung, target, signal);
		if (!showsAnswer(reply, sent, [sent.text])) throw new NotAMessageError("the reply does not show the answer");
		return reply;
	}

	async function readBack(channelId: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
		const query = new URLSearchParams({ limit: String(LOOKED_BACK_AT) });
		try {
			const read = (over: AbortSignal): Promise<unknown> =>
				rest.get(Routes.channelMessages(channelId), { query, signal: over });
			return messagesIn(await answerOf(CALL_TIMEOUT_MS, signal, read));
		} catch (error) {
			// Without the permission to read what was said the nonce alone has to do.
			if (error instanceof DiscordAPIError && error.status === 403) return [];
			throw error;
		}
	}

	async function put(
		rung: Rung,
		target: ReplyTarget,
		answer: Answer,
		sent: Version,
		signal: AbortSignal,
	): Promise<Posted> {
		switch (rung) {
			case "tokenEdit":
				return await editReply(rung, target, { ...sent, by: target }, signal);
			case "botEdit":
				return await editReply(rung, target, sent, signal);
			case "botPost":
				return await post(target.channelId, target, answer, sent, signal);
			case "directMessage": {
				const body = { recipient_id: answer.recipientId };
				const open = (over: AbortSignal): Promise<unknown> => rest.post(Routes.userChannels(), { body, signal: over });
				const { data } = DirectChannel.safeParse(await answerOf(CALL_TIMEOUT_MS, signal, open));
				if (!data) throw new NotAMessageError("Discord did not answer with the channel");
				// What a button does belongs to a server, and to the credits there.
				return await post(data.id, target, answer, { ...sent, components: [] }, signal);
			}
		}
	}

	async function attempt(
		rung: Rung,
		target: ReplyTarget,
		answer: Answer,
		version: Version,
		signal: AbortSignal,
	): Promise<Attempt> {
		const outcome = await call(rung, signal, () => put(rung, target, answer, version, signal));
		if (!("result" in outcome)) return outcome;
		return { kind: "done", messageId: outcome.result.id, wasThere: outcome.result.wasThere ?? false };
	}

	/** An edit of the reply by its token. False where that does not lead there. */
	async function edit(target: ReplyTarget, version: Version, signal: AbortSignal): Promise<boolean> {
		const sent = { ...version, by: target };
		const outcome = await call("tokenEdit", signal, async () =>
			requireMessage(await send("patch", originalOf(target), sent, signal)),
		);
		return "result" in outcome;
	}

	async function readReply(
		rung: "tokenEdit" | "botEdit",
		target: ReplyTarget,
		signal: AbortSignal,
	): Promise<PostedMessage> {
		const read = (over: AbortSignal): Promise<unknown> =>
			rest.get(routeOf(rung, target), { auth: rung !== "tokenEdit", signal: over });
		return requireMessage(await answerOf(CALL_TIMEOUT_MS, signal, read));
	}

	/** Shows the answer on this rung, without its prompt where that is what Discord objects to; `undefined` where neither is taken. */
	async function climb(
		rung: Rung,
		target: ReplyTarget,
		answer: Answer,
		signal: AbortSignal,
	): Promise<Showing | undefined> {
		const { text: whole, textWithoutPrompt } = rung === "directMessage" ? answer.direct : answer;
		for (const text of new Set([whole, textWithoutPrompt])) {
			const components = [
				...taskButtonRows(answer.nonce, answer.buttons),
				...(answer.menu ? [pictureMenuRow(answer.nonce, answer.menu)] : []),
				...(answer.topUp ? [topUpRow(answer.topUp)] : []),
			];
			const result = await attempt(rung, target, answer, { text, files: answer.files, components }, signal);
			switch (result.kind) {
				case "done": {
					const { messageId, wasThere } = result;
					const shown = { kind: "shown", rung, messageId, withFiles: answer.files.length > 0 } as const;
					return wasThere ? { ...shown, wasThere } : shown;
				}
				case "nextRung":
					return undefined;
				case "withoutPrompt":
					break;
				case "smallerFiles":
				case "withoutFiles":
					// Nothing was in it that could be too large: this way is closed for some other reason.
					return answer.files.length === 0 ? undefined : filesRefused(rung, result, answer.files);
			}
		}
		return undefined;
	}

	/** Resolves to `undefined` where the token does not allow it: the usual ways follow then. */
	async function showPrivately(target: ReplyTarget, answer: Answer, signal: AbortSignal): Promise<Showing | undefined> {
		const { applicationId, token } = target;
		const components = answer.topUp ? [topUpRow(answer.topUp)] : [];
		for (const text of new Set([answer.text, answer.textWithoutPrompt])) {
			const sent = { text, files: [], components, by: target, isEphemeral: true };
			const outcome = await call("tokenEdit", signal, async () => {
				await removeReply(target, signal);
				return requireMessage(await send("post", Routes.webhook(applicationId, token), sent, signal));
			});
			if ("result" in outcome) {
				return { kind: "shown", rung: "tokenEdit", messageId: outcome.result.id, withFiles: false };
			}
			if (outcome.kind !== "withoutPrompt") return undefined;
		}
		return undefined;
	}

	/** A first follow-up would take the place of the deferral, and its visibility. */
	async function removeReply(target: ReplyTarget, signal: AbortSignal): Promise<void> {
		const remove = (over: AbortSignal): Promise<unknown> =>
			rest.delete(originalOf(target), { auth: false, signal: over });
		try {
			await inTime(CALL_TIMEOUT_MS, signal, remove);
		} catch (error) {
			const isGone = error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage;
			if (!isGone) throw error;
		}
	}

	return {
		startUpload(target, file, signal) {
			const isInTime = isTokenAlive(target, clock.nowMs());
			return isInTime ? streaming.start(target, originalOf(target), file, signal) : undefined;
		},
		async show(target, answer, signal) {
			if (answer.isPrivate && !target.ephemeral && isTokenAlive(target, clock.nowMs())) {
				const showing = await showPrivately(target, answer, signal);
				if (showing) return showing;
			}
			for (const rung of openRungs(target, clock.nowMs())) {
				const showing = await climb(rung, target, answer, signal);
				if (showing) return showing;
			}
			return { kind: "kept" };
		},
		tell: (target, text, signal) => edit(target, { text, files: [] }, signal),
		// Progress is told again; it must not cost an upload that is under way.
		report: async (target, { taskId, text, buttons }, signal) =>
			streaming.isOpen(target) ||
			(await edit(target, { text, files: [], components: taskButtonRows(taskId, buttons) }, signal)),
		async stands(target, answer, signal) {
			const rung = isTokenAlive(target, clock.nowMs()) ? "tokenEdit" : "botEdit";
			const outcome = await call(rung, signal, () => readReply(rung, target, signal));
			// What cannot be read, or is not there, is not made better by showing it again.
			return !("result" in outcome) || showsAnswer(outcome.result, answer, [answer.text, answer.textWithoutPrompt]);
		},
		async bring(reply, text, files, signal) {
			const sent = { text, files, by: reply };
			const outcome = await call("tokenEdit", signal, async () =>
				requireMessage(await send("patch", originalOf(reply), sent, signal), files.length),
			);
			if ("result" in outcome) return { kind: "brought" };
			switch (outcome.kind) {
				case "nextRung":
					return { kind: "gone" };
				case "smallerFiles":
				case "withoutFiles":
					return filesRefused("tokenEdit", outcome, files);
				case "withoutPrompt":
					throw new Error("Discord does not take the words beside the files");
			}
		},
	};
}

function filesRefused(
	rung: Rung,
	refusal: Extract<Decision, { kind: "smallerFiles" | "withoutFiles" }>,
	files: Answer["files"],
): FilesRefused {
	const largestBytes = Math.max(...files.map(({ content }) => content.sizeBytes));
	const isForSize = refusal.kind === "smallerFiles";
	return { kind: "filesRefused", rung, isForSize, isPerFile: isForSize && refusal.isPerFile, largestBytes };
}

/** What was to be sent by a token waited for its turn until the token was about to expire. */
class TokenOver extends Error {
	override readonly name = "TokenOver";
}

interface Posted {
	readonly id: string;
	/** Found, and not sent anew. */
	readonly wasThere?: boolean;
}

interface Sent extends Version {
	/** Whose token allows it; the bot's own rights where absent. */
	readonly by?: OwnReply;
	readonly isEphemeral?: boolean;
	readonly extra?: Readonly<Record<string, unknown>>;
}

function originalOf({ applicationId, token }: OwnReply): `/${string}` {
	return Routes.webhookMessage(applicationId, token, "@original");
}

function routeOf(rung: "tokenEdit" | "botEdit", target: ReplyTarget): `/${string}` {
	return rung === "tokenEdit" ? originalOf(target) : Routes.channelMessage(target.channelId, target.messageId);
}

/** Resolves to `undefined` for an answer that is not the JSON that it says to be: it is as good as none. */
async function answerOf(...call: Parameters<typeof inTime<unknown>>): Promise<unknown> {
	try {
		return await inTime(...call);
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}

/** `attachments` lists what the message has afterwards; without `allowed_mentions` each edit would ping anew. */
function payloadOf({ text, files, components, extra, isEphemeral = false }: Sent) {
	return {
		...extra,
		content: text,
		attachments: files.map(({ name, description, isSpoiler }, index) => ({
			id: String(index),
			filename: name,
			description,
			...(isSpoiler && { is_spoiler: true }),
		})),
		...(components && { components }),
		allowed_mentions: { parse: [] },
		flags: MessageFlags.SuppressEmbeds | (isEphemeral ? MessageFlags.Ephemeral : 0),
	};
}

async function requestOf(sent: Sent) {
	const body = payloadOf(sent);
	if (sent.files.length === 0) return { body };
	return { ...(await fileForm(body, sent.files)), passThroughBody: true };
}

function sizeOf({ files }: Version): number {
	return files.reduce((sum, { content }) => sum + content.sizeBytes, 0);
}

function timeoutMsOf(bytes: number): number {
	return CALL_TIMEOUT_MS + Math.ceil(bytes / UPLOAD_BYTES_PER_MS_MIN);
}

function faultOf(error: unknown): CallFault {
	if (error instanceof RateLimitError) {
		return { kind: "rateLimited", retryAfterMs: Math.max(error.retryAfter, error.timeToReset) };
	}
	if (error instanceof DiscordAPIError) return { kind: "refused", status: error.status, code: error.code };
	if (error instanceof NotAMessageError) return { kind: "noMessage" };
	return { kind: "noAnswer" };
}

/** discord.js errors hold the files and, in their address, the token: only these words of them go on. */
function describe(rung: Rung, fault: CallFault, error: unknown): string {
	if (fault.kind === "refused") return `${rung}: ${fault.status}, code ${fault.code}`;
	if (fault.kind === "rateLimited") return `${rung}: rate limited for ${fault.retryAfterMs} ms`;
	return `${rung}: ${error instanceof Error ? error.name : "unknown failure"}`;
}
