/**
 * The life of an interaction. open -> answered, by the one callback it may have within three seconds; or open -> failed.
 * Once answered, its token edits and follows up until fifteen minutes after the person acted.
 */
import type { Clock } from "@atelier/common/clock";
import { isSameSecret } from "@atelier/common/constant-time-equal";
import type { Table } from "../document-store.ts";
import type { WorldEvents } from "./events.ts";
import { type ApiError, faults } from "./api-error.ts";
import type { RandomBytes } from "./seed.ts";
import type { Snowflakes } from "./snowflake.ts";
import type { MessageOrigin } from "./stored-message.ts";
import type { Modal } from "./modal.ts";

export const ANSWER_WITHIN_MS = 3_000;
const TOKEN_LIFE_MS = 15 * 60_000;
/** Long after every token is dead, so that a late call still gets the true reason. */
const FORGET_AFTER_MS = 24 * 60 * 60_000;
const REMEMBERED_MAX = 20_000;

export type Origin = MessageOrigin | { readonly kind: "autocomplete"; readonly commandName: string };

interface InteractionBase {
	readonly id: string;
	readonly token: string;
	readonly createdMs: number;
	readonly userId: string;
	readonly channelId: string;
	readonly guildId: string | null;
	readonly state: "open" | "answered" | "failed";
	/** What @original names, once there is such a message: the reply, or the message whose component was pressed. */
	readonly originalId: string | null;
	/** The modal that its callback opened, and the interaction by which it was sent last. */
	readonly modal?: Modal & { readonly sentAsId?: string };
	/** Whether somebody ended its token before its time. */
	readonly isExpired?: boolean;
}

export type Interaction = InteractionBase & Origin;

export interface Interactions {
	readonly open: (order: Pick<InteractionBase, "userId" | "channelId" | "guildId"> & Origin) => Interaction;
	readonly find: (id: string) => Interaction | undefined;
	readonly findByToken: (token: string) => Interaction | undefined;
	/** The interaction that this callback may answer now; throws Discord's refusal otherwise. */
	readonly answerable: (id: string, token: string) => Interaction;
	/** The interaction whose token may edit and follow up now; throws Discord's refusal otherwise. */
	readonly editable: (applicationId: string, token: string) => Interaction;
	/** With the message that @original names from now on, or with the modal that opens; tells the person who acted. */
	readonly answer: (interaction: Interaction, outcome: { originalId?: string | null; modal?: Modal }) => Interaction;
	/** Notes by which interaction the modal of this one was sent. */
	readonly sent: (opener: Interaction, sentAsId: string) => void;
	/** Ends an interaction that nobody answered, and tells the person who acted; `false` where somebody answered. */
	readonly fail: (id: string, reason: string) => boolean;
	/** Ends a token before its time; `false` where there is no such interaction. */
	readonly expire: (id: string) => boolean;
	/** Those that wait for their answer, as after a restart. */
	readonly waiting: () => readonly Interaction[];
}

/** The message whose component all this began with; undefined where it began with a command. */
export function pressedMessageId(origin: Origin): string | undefined {
	if (origin.kind === "component") return origin.messageId;
	return origin.kind === "modal" ? pressedMessageId(origin.opener) : undefined;
}

/** The command all this began with; empty where it began with a component. */
export function commandNameOf(origin: Origin): string {
	if (origin.kind === "modal") return commandNameOf(origin.opener);
	return origin.kind === "component" ? "" : origin.commandName;
}

export function callbackFault(found: Interaction | undefined, token: string, nowMs: number): ApiError | undefined {
	if (!found || !isSameSecret(token, found.token)) return faults.unknownInteraction();
	if (found.state === "answered") return faults.alreadyAcknowledged();
	const isLate = nowMs - found.createdMs >= ANSWER_WITHIN_MS;
	return found.state === "failed" || isLate ? faults.unknownInteraction() : undefined;
}

function tokenFault(found: Interaction | undefined, nowMs: number): ApiError | undefined {
	if (!found || found.isExpired || nowMs - found.createdMs >= TOKEN_LIFE_MS) return faults.invalidWebhookToken();
	return found.state === "answered" ? undefined : faults.unknownWebhook();
}

export function createInteractions(deps: {
	clock: Clock;
	snowflakes: Snowflakes;
	random: RandomBytes;
	events: WorldEvents;
	applicationId: string;
	records: Table<Interaction>;
}): Interactions {
	const { clock, snowflakes, random, events, records } = deps;
	const idByToken = new Map([...records.values()].map(({ id, token }) => [token, id]));

	/** The oldest come first out of the table, so forgetting stops at the first that is still wanted. */
	function forgetOld(): void {
		const beforeMs = clock.nowMs() - FORGET_AFTER_MS;
		for (const { id, token, createdMs } of records.values()) {
			if (createdMs >= beforeMs && records.size <= REMEMBERED_MAX) return;
			records.delete(id);
			idByToken.delete(token);
		}
	}

	return {
		open(order) {
			forgetOld();
			const id = snowflakes.next();
			const secret = Buffer.from(random(24)).toString("base64url");
			const token = Buffer.from(`interaction:${id}:${secret}`).toString("base64url");
			const interaction: Interaction = {
				...order,
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
		answerable(id, token) {
			const found = records.get(id);
			const fault = callbackFault(found, token, clock.nowMs());
			if (fault || !found) throw fault ?? faults.unknownInteraction();
			return found;
		},
		editable(applicationId, token) {
			if (applicationId !== deps.applicationId) throw faults.unknownWebhook();
			const found = records.get(idByToken.get(token) ?? "");
			const fault = tokenFault(found, clock.nowMs());
			if (fault || !found) throw fault ?? faults.invalidWebhookToken();
			return found;
		},
		answer(interaction, { originalId = null, modal }) {
			const answered: Interaction = { ...interaction, state: "answered", originalId, ...(modal && { modal }) };
			records.set(interaction.id, answered);
			const { id: interactionId, userId } = interaction;
			if (interaction.kind !== "autocomplete")
				events.emit({ type: "interactionAnswered", interactionId, userId, messageId: originalId, modal });
			return answered;
		},
		sent(opener, sentAsId) {
			if (opener.modal) records.set(opener.id, { ...opener, modal: { ...opener.modal, sentAsId } });
		},
		fail(id, reason) {
			const found = records.get(id);
			if (found?.state !== "open") return false;
			records.set(id, { ...found, state: "failed" });
			if (found.kind !== "autocomplete")
				events.emit({ type: "interactionFailed", kind: found.kind, interactionId: id, userId: found.userId, reason });
			return true;
		},
		expire(id) {
			const found = records.get(id);
			if (found) records.set(id, { ...found, isExpired: true });
			return found !== undefined;
		},
		waiting: () => [...records.values()].filter(({ kind, state }) => kind !== "autocomplete" && state === "open"),
	};
}
