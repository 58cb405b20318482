/**
 * Requests that wait for a decision of their member: they cost more than the server allows without a confirmation, have an improved
 * prompt, or were denied for their prompt, which the member may edit. They have no task yet.
 */
import { moneyOf } from "../credits/credit-price.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { TaskButton } from "../delivery/task-buttons.ts";
import type { GenerationRequest } from "../generation/request.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quote, quoteName } from "../../i18n/quote.ts";
import type { Store } from "@atelier/store/store";
import { UserError } from "../user-error.ts";
import type { TaskRequest } from "./task-service.ts";

/** Prices may change, so a confirmation is possible for a limited time. */
const VALID_MS = 24 * 60 * 60_000;
const KEY_PREFIX = "confirmation:";
const PROMPT_CHARS_SHOWN = 280;

/** A request that waits for its member, as stored. */
export interface UnconfirmedRequest {
	readonly request: TaskRequest;
	/** The text model's version of the prompt. */
	readonly improvedPrompt?: string;
	/** Time at which the member was asked. */
	readonly askedAtMs: number;
	/** Absent until the member decides. */
	readonly decision?: Decision;
}

type Member = Pick<TaskRequest, "guildId" | "userId">;

/** The member's decision. */
type Decision = "confirm" | "decline";

export interface UnconfirmedRequests {
	/** Stores a request until its member decides. */
	add(request: TaskRequest, improvedPrompt?: string): Promise<void>;
	/** Reads a request. Throws a denial if it has expired or belongs to another member. */
	read(
		guildId: string,
		userId: string,
		taskId: string,
	): Promise<Pick<UnconfirmedRequest, "request" | "improvedPrompt">>;
	/**
	 * Records the decision. Throws a denial if the member decided otherwise before, or if the request has expired or belongs to
	 * another member.
	 */
	decide(guildId: string, userId: string, taskId: string, decision: Decision): Promise<TaskRequest>;
	/** Removes a decision that had no effect, so that the member can decide again. */
	reopen(taskId: string): Promise<void>;
	remove(taskId: string): Promise<void>;
	/** Reads all requests of a member in a guild. */
	readOf(member: Member): Promise<readonly UnconfirmedRequest[]>;
	/** Removes all requests of a member in a guild. Resolves to their number. */
	removeOf(member: Member): Promise<number>;
	/** Removes the requests that have expired. */
	removeOld(logger: Logger): Promise<void>;
}

interface UnconfirmedRequestsDeps {
	readonly store: Pick<Store, "get" | "set" | "delete" | "scan" | "compareAndSet">;
	readonly clock: Clock;
}

export function createUnconfirmedRequests({ store, clock }: UnconfirmedRequestsDeps): UnconfirmedRequests {
	const hasExpired = ({ askedAtMs }: UnconfirmedRequest): boolean => clock.nowMs() > askedAtMs + VALID_MS;

	async function tryWrite(taskId: string, raw: string, next: UnconfirmedRequest): Promise<boolean> {
		return (await store.compareAndSet(KEY_PREFIX + taskId, raw, next)) !== undefined;
	}

	async function find(guildId: string, userId: string, taskId: string) {
		const stored = await store.get<UnconfirmedRequest>(KEY_PREFIX + taskId);
		if (!stored || hasExpired(stored.value) || stored.value.request.guildId !== guildId) {
			throw new UserError({ key: "request.confirmationGone" });
		}
		if (stored.value.request.userId !== userId) throw new UserError({ key: "permission.othersConfirmation" });
		return stored;
	}

	async function decide(guildId: string, userId: string, taskId: string, decision: Decision): Promise<TaskRequest> {
		const stored = await find(guildId, userId, taskId);
		const { request, decision: before = decision } = stored.value;
		if (before !== decision) throw new UserError({ key: "request.confirmationGone" });
		const isWritten = await tryWrite(taskId, stored.raw, { ...stored.value, decision });
		// After a concurrent write, check again: it may have recorded the same decision.
		return isWritten ? request : await decide(guildId, userId, taskId, decision);
	}

	async function* findAll(isFound: (unconfirmed: UnconfirmedRequest) => boolean) {
		for await (const stored of store.scan<UnconfirmedRequest>(KEY_PREFIX, { onCorrupt: () => {} })) {
			if (isFound(stored.value)) yield stored;
		}
	}

	async function removeWhere(isRemoved: (unconfirmed: UnconfirmedRequest) => boolean): Promise<number> {
		let count = 0;
		for await (const { key } of findAll(isRemoved)) {
			await store.delete(key);
			count++;
		}
		return count;
	}

	return {
		add: (request, improvedPrompt) =>
			store.set(KEY_PREFIX + request.id, {
				request,
				...(improvedPrompt !== undefined && { improvedPrompt }),
				askedAtMs: clock.nowMs(),
			} satisfies UnconfirmedRequest),
		read: async (guildId, userId, taskId) => (await find(guildId, userId, taskId)).value,
		decide,
		async reopen(taskId) {
			const stored = await store.get<UnconfirmedRequest>(KEY_PREFIX + taskId);
			if (!stored) return;
			const { decision: _undone, ...undecided } = stored.value;
			await tryWrite(taskId, stored.raw, undecided);
		},
		remove: (taskId) => store.delete(KEY_PREFIX + taskId),
		readOf: async (member) => (await Array.fromAsync(findAll(isOf(member)))).map(({ value }) => value),
		removeOf: (member) => removeWhere(isOf(member)),
		async removeOld(logger) {
			const count = await removeWhere(hasExpired);
			if (count > 0) logger.info({ requests: count }, "old unconfirmed requests removed");
		},
	};
}

function isOf({ guildId, userId }: Member) {
	return ({ request }: UnconfirmedRequest): boolean => request.guildId === guildId && request.userId === userId;
}

/** Renders the question before an expensive request. */
export function renderConfirmation(
	{ mediaType, modelName, costCredits, creditPrice, prompt }: GenerationRequest,
	locale: string,
): { readonly question: MessageDescriptor; readonly buttons: readonly TaskButton[] } {
	const params = {
		mediaType,
		model: quoteName(modelName),
		costCredits,
		money: moneyOf(costCredits, creditPrice),
		prompt: quote(prompt, PROMPT_CHARS_SHOWN),
	};
	return {
		question: { key: "request.confirmCost", params },
		buttons: [
			{ action: "confirm", label: t(locale, { key: "button.confirm", params: { costCredits } }) },
			{ action: "decline", label: t(locale, { key: "button.decline" }) },
		],
	};
}
