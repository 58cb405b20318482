/**
 * Delivers the final reply of a task: tries the routes in order, and by each route the forms of the reply, until Discord accepts
 * one. A retry looks for the message of the earlier attempt. It cannot find an ephemeral follow-up, which may then appear twice.
 */
import { RESTJSONErrorCodes, DiscordAPIError, Routes } from "discord.js";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "@atelier/common/clock";
import { availableRoutes, canBotFindReply, isEdit, type DeliveryRoute } from "../services/delivery/delivery-routes.ts";
import type { FinalReply, ReplyFile } from "../services/delivery/final-reply.ts";
import { UnusableResponseError, type DeliveryResult, type FilesRejected } from "../services/delivery/reply-client.ts";
import type { ReplyTarget } from "../services/delivery/reply-target.ts";
import { originalReplyPath, replyPathOf, type DiscordCalls, type EditRoute } from "./call-discord.ts";
import type { NextAction } from "./next-action.ts";
import { findPostedReply } from "./find-posted-reply.ts";
import { nonceOf } from "./nonce.ts";
import { listForms, type MessageForm } from "./message-forms.ts";
import { messagesIn, requireBody, requireMessage, type PostedMessage } from "./read-message.ts";

/** Number of messages searched for a reply whose response was lost. */
const MESSAGES_SEARCHED = 50;

const DirectChannel = z.object({ id: z.string().regex(/^\d{1,20}$/) });

interface Delivery {
	readonly target: ReplyTarget;
	readonly finalReply: FinalReply;
	readonly signal: AbortSignal;
}

/** The message that shows the reply. */
interface ShownMessage extends Pick<PostedMessage, "id" | "filenames"> {
	/** True if an earlier attempt had posted it. */
	readonly wasAlreadyPosted?: boolean;
}

interface FinalReplyDeliveryDeps {
	readonly calls: DiscordCalls;
	readonly botUserId: () => string;
	readonly clock: Clock;
	readonly logger: Logger;
}

export function createFinalReplyDelivery({ calls, botUserId, clock, logger }: FinalReplyDeliveryDeps) {
	const { callDiscord, sendMessage, request } = calls;
	/**
	 * Set once Discord rejects a card and accepts its classic form, or omits the files of a card: every result is classic until the
	 * next start.
	 */
	let areCardsRejected = false;

	/** Edits the reply. */
	async function editReply(route: EditRoute, delivery: Delivery, form: MessageForm): Promise<ShownMessage> {
		const { target, finalReply, signal } = delivery;
		const { guildId } = finalReply;
		const options = { guildId, signal, ...(route === "tokenEdit" && { authorizedBy: target }) };
		return requireMessage(await sendMessage("patch", replyPathOf(route, target), form, options));
	}

	async function readRecentMessages(channelId: string, signal: AbortSignal): Promise<readonly PostedMessage[]> {
		const query = new URLSearchParams({ limit: String(MESSAGES_SEARCHED) });
		try {
			return messagesIn(await request("get", Routes.channelMessages(channelId), signal, { query }));
		} catch (error) {
			// Without permission to read the channel, only the nonce prevents a duplicate.
			if (error instanceof DiscordAPIError && error.status === 403) return [];
			throw error;
		}
	}

	/** Posts a message unless the channel already has it: an earlier attempt may have arrived although its response was lost. */
	async function postIfMissing(channelId: string, delivery: Delivery, form: MessageForm): Promise<ShownMessage> {
		const { finalReply, signal } = delivery;
		const criteria = { botUserId: botUserId(), finalReply, text: form.text };
		const found = findPostedReply(await readRecentMessages(channelId, signal), criteria);
		if (found) return { ...found, wasAlreadyPosted: true };
		// The nonce merges a post with one that is too recent for the search.
		const { taskId, guildId } = finalReply;
		const nonce = nonceOf(channelId, taskId);
		const path = Routes.channelMessages(channelId);
		const response = await sendMessage("post", path, { ...form, nonce }, { guildId, signal });
		return requireMessage(response);
	}

	/** Replaces the public reply by an ephemeral message. */
	async function followUp({ target, signal }: Delivery, form: MessageForm): Promise<ShownMessage> {
		// A first follow-up would replace a deferred reply and inherit its visibility.
		await deleteReply(target, signal);
		const path = Routes.webhook(target.applicationId, target.token);
		const options = { authorizedBy: target, signal };
		return requireMessage(await sendMessage("post", path, { ...form, isEphemeral: true }, options));
	}

	async function deleteReply(target: ReplyTarget, signal: AbortSignal): Promise<void> {
		try {
			await request("delete", originalReplyPath(target), signal, { auth: false });
		} catch (error) {
			const isGone = error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage;
			if (!isGone) throw error;
		}
	}

	/** Opens the direct message channel of the recipient and resolves to its id. */
	async function openDirectChannel({ finalReply, signal }: Delivery): Promise<string> {
		const body = { recipient_id: finalReply.recipientId };
		return requireBody(DirectChannel, await request("post", Routes.userChannels(), signal, { body })).id;
	}

	async function sendForm(route: DeliveryRoute, delivery: Delivery, form: MessageForm): Promise<ShownMessage> {
		switch (route) {
			case "tokenEdit":
			case "botEdit":
				return await editReply(route, delivery, form);
			case "botPost":
				return await postIfMissing(delivery.target.channelId, delivery, form);
			case "ephemeralFollowUp":
				return await followUp(delivery, form);
			case "directMessage":
				return await postIfMissing(await openDirectChannel(delivery), delivery, form);
		}
	}

	/** Tries the forms of a reply by one route, best first. Resolves to `undefined` if Discord accepts none of them. */
	async function deliverBy(route: DeliveryRoute, delivery: Delivery): Promise<DeliveryResult | undefined> {
		const { finalReply, signal } = delivery;
		const { files } = finalReply;
		let blockedText: string | undefined;
		let rejectedCardText: string | undefined;
		for (const form of listForms(route, finalReply, !areCardsRejected)) {
			const isCard = form.tone !== undefined;
			if (form.text === blockedText) continue;
			const outcome = await callDiscord(route, signal, () => sendForm(route, delivery, form));
			switch (outcome.kind) {
				case "ok": {
					const { id: messageId, filenames, wasAlreadyPosted } = outcome.result;
					const areFilesMissing = filenames.length < form.files.length;
					const hasCardLostFiles = isCard && areFilesMissing;
					const isClassicOfRejectedCard = !areFilesMissing && form.text === rejectedCardText;
					if (hasCardLostFiles || isClassicOfRejectedCard) giveUpCards();
					// Another route has to show the files: an edit cannot make a card a classic message. A classic message can lose its files
					// too; that says nothing about cards.
					if (areFilesMissing) return undefined;
					const withFiles = files.length > 0;
					return { kind: "delivered", route, messageId, withFiles, ...(wasAlreadyPosted && { wasAlreadyPosted }) };
				}
				case "nextRoute":
					return undefined;
				case "withoutPrompt":
					blockedText = form.text;
					break;
				case "otherForm":
					if (isCard) rejectedCardText = form.text;
					break;
				case "smallerFiles":
				case "withoutFiles":
					// The message has no files, so files are not the reason: this route does not work.
					return files.length === 0 ? undefined : filesRejected(route, outcome, files);
			}
		}
		return undefined;
	}

	function giveUpCards(): void {
		areCardsRejected = true;
		logger.warn("Discord rejects cards or their files: results are classic messages until the next start");
	}

	/** Replaces the text of the reply by the first of these routes that works; the reply keeps its text if none does. */
	async function replaceText(routes: readonly EditRoute[], delivery: Delivery, text: string): Promise<void> {
		const form = { text, files: [], rows: [] };
		for (const route of routes) {
			try {
				const outcome = await callDiscord(route, delivery.signal, () => editReply(route, delivery, form));
				if (outcome.kind === "ok") return;
			} catch (error) {
				if (!(error instanceof UnusableResponseError)) throw error;
			}
		}
	}

	/** Starts a thread from the reply unless it has one. */
	async function openThread({ channelId, messageId }: ReplyTarget, name: string, signal: AbortSignal): Promise<void> {
		try {
			await request("post", Routes.threads(channelId, messageId), signal, { body: { name } });
		} catch (error) {
			const { ThreadAlreadyCreatedForMessage } = RESTJSONErrorCodes;
			const isOpen = error instanceof DiscordAPIError && error.code === ThreadAlreadyCreatedForMessage;
			if (!isOpen) throw error;
		}
	}

	/** Delivers a result in a thread of its own. Resolves to `undefined` if that is impossible. */
	async function deliverInThread(delivery: Delivery): Promise<DeliveryResult | undefined> {
		const { target, finalReply, signal } = delivery;
		const { thread, isEditOnly = false } = finalReply;
		if (!thread || isEditOnly || !canBotFindReply(target)) return undefined;
		const opening = await callDiscord("botPost", signal, () => openThread(target, thread.name, signal));
		if (opening.kind !== "ok") return undefined;
		// A thread has the id of the message that it starts from.
		const threadId = target.messageId;
		const result = await deliverBy("botPost", { ...delivery, target: { ...target, channelId: threadId } });
		if (result?.kind !== "delivered") return result;
		// The reply still shows the progress.
		await replaceText(["tokenEdit", "botEdit"], delivery, thread.pointer);
		return { ...result, threadId };
	}

	return async function deliverFinalReply(delivery: Delivery): Promise<DeliveryResult> {
		const inThread = await deliverInThread(delivery);
		if (inThread) return inThread;
		const { target, finalReply } = delivery;
		const { publicText } = finalReply;
		let unusableResponse: UnusableResponseError | undefined;
		for (const route of availableRoutes(target, finalReply, clock.nowMs())) {
			// Discord may have performed the edit: another edit is harmless, but a new message would show the reply twice.
			if (unusableResponse && !isEdit(route)) break;
			// The public reply still shows the progress, unless the ephemeral follow-up has deleted it before its post failed.
			if (route === "directMessage" && publicText !== undefined && canBotFindReply(target))
				await replaceText(["botEdit"], delivery, publicText);
			try {
				const result = await deliverBy(route, delivery);
				if (result) return result;
			} catch (error) {
				if (!(error instanceof UnusableResponseError) || !isEdit(route)) throw error;
				unusableResponse = error;
			}
		}
		if (unusableResponse) throw unusableResponse;
		return { kind: "undelivered" };
	};
}

export function filesRejected(
	route: DeliveryRoute,
	{ kind }: Extract<NextAction, { kind: "smallerFiles" | "withoutFiles" }>,
	files: readonly ReplyFile[],
): FilesRejected {
	const largestBytes = Math.max(...files.map(({ content }) => content.sizeBytes));
	return { kind: "filesRejected", route, isForSize: kind === "smallerFiles", largestBytes };
}
