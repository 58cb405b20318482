/**
 * The states of an interaction. open -> answered, by its only callback within three seconds; or open -> failed. Once
 * answered, its token edits and follows up until fifteen minutes after the interaction.
 */
import { InteractionType } from "discord-api-types/v10";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import { apiErrors } from "./api-error.ts";
import type { Core } from "./core.ts";
import type { Interaction, Modal, Origin } from "./documents.ts";

export type { Interaction } from "./documents.ts";

export const RESPONSE_TIMEOUT_MS = 3_000;
const TOKEN_TTL_MS = 15 * 60_000;
/** Long after every token has expired, so that a late call gets the right error. */
const RECORD_TTL_MS = 24 * 60 * 60_000;
const INTERACTIONS_MAX = 20_000;

export const INTERACTION_TYPES = {
	command: InteractionType.ApplicationCommand,
	autocomplete: InteractionType.ApplicationCommandAutocomplete,
	component: InteractionType.MessageComponent,
	modal: InteractionType.ModalSubmit,
} as const;

/** Returns the message of the component that started the interaction; `undefined` for a command. */
export function componentMessageId(origin: Origin): string | undefined {
	if (origin.kind === "component") return origin.messageId;
	return origin.kind === "modal" ? componentMessageId(origin.opener) : undefined;
}

/** Returns the name of the command that started the interaction; empty for a component. */
export function commandNameOf(origin: Origin): string {
	if (origin.kind === "modal") return commandNameOf(origin.opener);
	return origin.kind === "component" ? "" : origin.commandName;
}

export function createInteractions({ clock, snowflakes, random, events, seed, tables }: Core) {
	const records = tables.interactions;

	/** The table yields the oldest first, so removal stops at the first that is still needed. */
	function removeExpired(): void {
		const beforeMs = clock.nowMs() - RECORD_TTL_MS;
		for (const { id, createdMs } of records.values()) {
			if (createdMs >= beforeMs && records.size <= INTERACTIONS_MAX) return;
			records.delete(id);
		}
	}

	/** A token contains the id of its interaction. */
	function findByToken(token: string): Interaction | undefined {
		const [, id = ""] = Buffer.from(token, "base64url").toString().split(":");
		const found = records.get(id);
		return found && isSameSecret(token, found.token) ? found : undefined;
	}

	return {
		create(fields: Pick<Interaction, "origin" | "userId" | "channelId" | "guildId">): Interaction {
			removeExpired();
			const id = snowflakes.next();
			const secret = Buffer.from(random(24)).toString("base64url");
			const token = Buffer.from(`interaction:${id}:${secret}`).toString("base64url");
			const createdMs = clock.nowMs();
			const interaction: Interaction = { ...fields, id, token, createdMs, state: "open", originalId: null };
			records.set(id, interaction);
			return interaction;
		},
		find: (id: string): Interaction | undefined => records.get(id),
		findByToken,
		/** Returns the interaction that the callback may answer. Throws Discord's error otherwise. */
		findAnswerable(id: string, token: string): Interaction {
			const found = records.get(id);
			if (!found || !isSameSecret(token, found.token)) throw apiErrors.unknownInteraction();
			if (found.state === "answered") throw apiErrors.alreadyAcknowledged();
			const isLate = clock.nowMs() - found.createdMs >= RESPONSE_TIMEOUT_MS;
			if (found.state === "failed" || isLate) throw apiErrors.unknownInteraction();
			return found;
		},
		/** Returns the interaction whose token may edit and follow up. Throws Discord's error otherwise. */
		findEditable(applicationId: string, token: string): Interaction {
			if (applicationId !== seed.application.id) throw apiErrors.unknownWebhook();
			const found = findByToken(token);
			if (!found || found.isExpired || clock.nowMs() - found.createdMs >= TOKEN_TTL_MS)
				throw apiErrors.invalidWebhookToken();
			if (found.state !== "answered") throw apiErrors.unknownWebhook();
			return found;
		},
		/** Records the response, with the message of @original or the modal, and notifies the user. */
		answer(
			interaction: Interaction,
			{ originalId = null, modal }: { originalId?: string | null; modal?: Modal } = {},
		): void {
			records.set(interaction.id, { ...interaction, state: "answered", originalId, ...(modal && { modal }) });
			const { id: interactionId, userId } = interaction;
			if (interaction.origin.kind !== "autocomplete")
				events.emit({ type: "interactionAnswered", interactionId, userId, messageId: originalId, modal });
		},
		/** Records the interaction that submitted the modal. */
		recordSubmit(opener: Interaction, submitId: string): void {
			if (opener.modal) records.set(opener.id, { ...opener, modal: { ...opener.modal, submitId } });
		},
		/** Fails an unanswered interaction and notifies the user. */
		fail(id: string, reason: string): void {
			const found = records.get(id);
			if (found?.state !== "open") return;
			records.set(id, { ...found, state: "failed" });
			const { origin, userId } = found;
			if (origin.kind !== "autocomplete")
				events.emit({ type: "interactionFailed", kind: origin.kind, interactionId: id, userId, reason });
		},
		/** Expires a token early; `false` for an unknown interaction. */
		expire(id: string): boolean {
			const found = records.get(id);
			if (found) records.set(id, { ...found, isExpired: true });
			return found !== undefined;
		},
		/** Returns unanswered interactions, for a restart. */
		unanswered: (): readonly Interaction[] =>
			[...records.values()].filter(({ origin, state }) => origin.kind !== "autocomplete" && state === "open"),
	};
}
