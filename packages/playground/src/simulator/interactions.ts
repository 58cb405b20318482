/**
 * The states of an interaction. open -> answered, by its only callback within three seconds; or open -> failed. Once
 * answered, its token edits and follows up until fifteen minutes after the interaction.
 */
import type { Clock } from "@atelier/common/clock";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import type { Table } from "../document-store.ts";
import type { SimulatorEvents } from "./events.ts";
import { type ApiError, apiErrors } from "./api-error.ts";
import type { RandomBytes } from "./seed.ts";
import type { Snowflakes } from "./discord-values.ts";
import type { MessageOrigin, Modal } from "./documents.ts";

export const RESPONSE_TIMEOUT_MS = 3_000;
const TOKEN_TTL_MS = 15 * 60_000;
/** Long after every token has expired, so that a late call gets the right error. */
const RECORD_TTL_MS = 24 * 60 * 60_000;
const INTERACTIONS_MAX = 20_000;

export type Origin = MessageOrigin | { readonly kind: "autocomplete"; readonly commandName: string };

export interface Interaction {
	readonly id: string;
	readonly token: string;
	readonly createdMs: number;
	readonly origin: Origin;
	readonly userId: string;
	readonly channelId: string;
	readonly guildId: string | null;
	readonly state: "open" | "answered" | "failed";
	/** The message of @original, if it exists: the reply, or the component's message. */
	readonly originalId: string | null;
	/** The modal that the callback opened, and the interaction of its last submit. */
	readonly modal?: Modal & { readonly submitId?: string };
	/** Whether the token was expired by the admin API. */
	readonly isExpired?: boolean;
}

export interface Interactions {
	readonly create: (fields: Pick<Interaction, "origin" | "userId" | "channelId" | "guildId">) => Interaction;
	readonly find: (id: string) => Interaction | undefined;
	readonly findByToken: (token: string) => Interaction | undefined;
	/** Returns the interaction that the callback may answer. Throws Discord's error otherwise. */
	readonly findAnswerable: (id: string, token: string) => Interaction;
	/** Returns the interaction whose token may edit and follow up. Throws Discord's error otherwise. */
	readonly findEditable: (applicationId: string, token: string) => Interaction;
	/** Records the response, with the message of @original or the modal, and notifies the user. */
	readonly answer: (interaction: Interaction, outcome: { originalId?: string | null; modal?: Modal }) => Interaction;
	/** Records the interaction that submitted the modal. */
	readonly recordSubmit: (opener: Interaction, sentAsId: string) => void;
	/** Fails an unanswered interaction and notifies the user; `false` if it was answered. */
	readonly fail: (id: string, reason: string) => boolean;
	/** Expires a token early; `false` for an unknown interaction. */
	readonly expire: (id: string) => boolean;
	/** Returns unanswered interactions, for a restart. */
	readonly unanswered: () => readonly Interaction[];
}

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

export function callbackError(found: Interaction | undefined, token: string, nowMs: number): ApiError | undefined {
	if (!found || !isSameSecret(token, found.token)) return apiErrors.unknownInteraction();
	if (found.state === "answered") return apiErrors.alreadyAcknowledged();
	const isLate = nowMs - found.createdMs >= RESPONSE_TIMEOUT_MS;
	return found.state === "failed" || isLate ? apiErrors.unknownInteraction() : undefined;
}

function tokenError(found: Interaction | undefined, nowMs: number): ApiError | undefined {
	if (!found || found.isExpired || nowMs - found.createdMs >= TOKEN_TTL_MS) return apiErrors.invalidWebhookToken();
	return found.state === "answered" ? undefined : apiErrors.unknownWebhook();
}

export function createInteractions(deps: {
	clock: Clock;
	snowflakes: Snowflakes;
	random: RandomBytes;
	events: SimulatorEvents;
	applicationId: string;
	records: Table<Interaction>;
}): Interactions {
	const { clock, snowflakes, random, events, records } = deps;
	const idByToken = new Map([...records.values()].map(({ id, token }) => [token, id]));

	/** The table yields the oldest first, so removal stops at the first that is still needed. */
	function removeExpired(): void {
		const beforeMs = clock.nowMs() - RECORD_TTL_MS;
		for (const { id, token, createdMs } of records.values()) {
			if (createdMs >= beforeMs && records.size <= INTERACTIONS_MAX) return;
			records.delete(id);
			idByToken.delete(token);
		}
	}

	return {
		create(fields) {
			removeExpired();
			const id = snowflakes.next();
			const secret = Buffer.from(random(24)).toString("base64url");
			const token = Buffer.from(`interaction:${id}:${secret}`).toString("base64url");
			const interaction: Interaction = {
				...fields,
				id,
				token,
				createdMs: clock.nowMs(),
				state: "open",
				originalId: null,
			};
			records.set(id, interaction);
			idByToken.set(token, id);
			return interaction;
		},
		find: (id) => records.get(id),
		findByToken: (token) => records.get(idByToken.get(token) ?? ""),
		findAnswerable(id, token) {
			const found = records.get(id);
			const error = callbackError(found, token, clock.nowMs());
			if (error || !found) throw error ?? apiErrors.unknownInteraction();
			return found;
		},
		findEditable(applicationId, token) {
			if (applicationId !== deps.applicationId) throw apiErrors.unknownWebhook();
			const found = records.get(idByToken.get(token) ?? "");
			const error = tokenError(found, clock.nowMs());
			if (error || !found) throw error ?? apiErrors.invalidWebhookToken();
			return found;
		},
		answer(interaction, { originalId = null, modal }) {
			const answered: Interaction = { ...interaction, state: "answered", originalId, ...(modal && { modal }) };
			records.set(interaction.id, answered);
			const { id: interactionId, userId } = interaction;
			if (interaction.origin.kind !== "autocomplete")
				events.emit({ type: "interactionAnswered", interactionId, userId, messageId: originalId, modal });
			return answered;
		},
		recordSubmit(opener, submitId) {
			if (opener.modal) records.set(opener.id, { ...opener, modal: { ...opener.modal, submitId } });
		},
		fail(id, reason) {
			const found = records.get(id);
			if (found?.state !== "open") return false;
			records.set(id, { ...found, state: "failed" });
			const { origin, userId } = found;
			if (origin.kind !== "autocomplete")
				events.emit({ type: "interactionFailed", kind: origin.kind, interactionId: id, userId, reason });
			return true;
		},
		expire(id) {
			const found = records.get(id);
			if (found) records.set(id, { ...found, isExpired: true });
			return found !== undefined;
		},
		unanswered: () =>
			[...records.values()].filter(({ origin, state }) => origin.kind !== "autocomplete" && state === "open"),
	};
}
