/** Delivers a result in a thread of its own, which starts from the reply. */
import { DiscordAPIError, RESTJSONErrorCodes, Routes } from "discord.js";
import { canBotFindReply } from "../services/delivery/delivery-routes.ts";
import type { FinalReply } from "../services/delivery/final-reply.ts";
import type { DeliveryResult } from "../services/delivery/reply-client.ts";
import type { ReplyTarget } from "../services/delivery/reply-target.ts";
import type { DiscordCalls } from "./call-discord.ts";
import type { FinalReplyDelivery } from "./deliver-final-reply.ts";

interface ThreadDeliveryDeps {
	readonly calls: Pick<DiscordCalls, "callDiscord" | "request">;
	readonly delivery: Pick<FinalReplyDelivery, "deliverBy" | "editReply">;
}

export function createThreadDelivery({ calls: { callDiscord, request }, delivery }: ThreadDeliveryDeps) {
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

	/** Replaces the progress in the reply. */
	async function editReply(
		target: ReplyTarget,
		finalReply: FinalReply,
		text: string,
		signal: AbortSignal,
	): Promise<void> {
		const form = { text, files: [], rows: [] };
		for (const route of ["tokenEdit", "botEdit"] as const) {
			const outcome = await callDiscord(route, signal, () =>
				delivery.editReply(route, target, finalReply, form, signal),
			);
			if (outcome.kind === "ok") return;
		}
	}

	/** Resolves to `undefined` if the result cannot be in a thread: the caller then tries the usual routes. */
	return async function deliverInThread(
		target: ReplyTarget,
		finalReply: FinalReply,
		signal: AbortSignal,
	): Promise<DeliveryResult | undefined> {
		const { thread } = finalReply;
		if (!thread || !canBotFindReply(target)) return undefined;
		const opening = await callDiscord("botPost", signal, () => openThread(target, thread.name, signal));
		if (opening.kind !== "ok") return undefined;
		// A thread has the id of the message that it starts from.
		const threadId = target.messageId;
		const result = await delivery.deliverBy("botPost", { ...target, channelId: threadId }, finalReply, signal);
		if (result?.kind !== "delivered") return result;
		await editReply(target, finalReply, thread.pointer, signal);
		return { ...result, threadId };
	};
}
