/** Delivers a result in a thread of its own, which starts from the reply. */
import { DiscordAPIError, RESTJSONErrorCodes, Routes } from "discord.js";
import { canBotFindReply } from "../services/delivery/delivery-routes.ts";
import type { DeliveryResult } from "../services/delivery/reply-client.ts";
import type { ReplyTarget } from "../services/delivery/reply-target.ts";
import type { DiscordCalls } from "./call-discord.ts";
import type { Delivery, FinalReplyDelivery } from "./deliver-final-reply.ts";

interface ThreadDeliveryDeps {
	readonly calls: Pick<DiscordCalls, "callDiscord" | "request">;
	readonly replies: Pick<FinalReplyDelivery, "deliverBy" | "replaceText">;
}

export function createThreadDelivery({ calls: { callDiscord, request }, replies }: ThreadDeliveryDeps) {
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

	/** Resolves to `undefined` if the result cannot be in a thread: the caller then tries the usual routes. */
	return async function deliverInThread(delivery: Delivery): Promise<DeliveryResult | undefined> {
		const { target, finalReply, signal } = delivery;
		const { thread, isEditOnly = false } = finalReply;
		if (!thread || isEditOnly || !canBotFindReply(target)) return undefined;
		const opening = await callDiscord("botPost", signal, () => openThread(target, thread.name, signal));
		if (opening.kind !== "ok") return undefined;
		// A thread has the id of the message that it starts from.
		const threadId = target.messageId;
		const result = await replies.deliverBy("botPost", { ...delivery, target: { ...target, channelId: threadId } });
		if (result?.kind !== "delivered") return result;
		// The reply still shows the progress.
		await replies.replaceText(["tokenEdit", "botEdit"], delivery, thread.pointer);
		return { ...result, threadId };
	};
}
