/**
 * Drafts: requests that are not submitted yet, because their member has to confirm the price, choose between their own and an improved
 * prompt, or edit a denied prompt.
 */
import type { Member } from "../access/member.ts";
import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { retryChange } from "@atelier/store/retry-change";
import type { Store } from "@atelier/store/store";
import { UserError } from "../user-error.ts";
import type { Submission } from "./submission-service.ts";

/** Prices may change, so a confirmation is possible for a limited time. */
const VALID_MS = 24 * 60 * 60_000;
/** Longer than the text model may take. A process that stopped before the new draft cannot undo the decision. */
const EDIT_MS_MAX = 60_000;
const KEY_PREFIX = "draft:";

/** A draft, as stored. */
export interface RequestDraft {
	readonly submission: Submission;
	/** The text model's version of the prompt. */
	readonly improvedPrompt?: string;
	/** The member asked for an improved prompt, and has not seen one: their own was denied. */
	readonly isToBeImproved?: true;
	/** Time at which the member was asked. */
	readonly askedAtMs: number;
	/** Absent until the member decides. */
	readonly decision?: Decision;
	readonly decidedAtMs?: number;
}

type PromptVersions = Pick<RequestDraft, "improvedPrompt" | "isToBeImproved">;

/** The member's decision. `edit`: another draft, with the edited prompt, replaces this one within a minute; else it is undecided. */
type Decision = "confirm" | "decline" | "edit";

export type RequestDrafts = ReturnType<typeof createRequestDrafts>;

interface RequestDraftsDeps {
	readonly store: Pick<Store, "get" | "set" | "delete" | "scan" | "compareAndSet">;
	readonly clock: Clock;
}

export function createRequestDrafts({ store, clock }: RequestDraftsDeps) {
	const hasExpired = ({ askedAtMs }: RequestDraft): boolean => clock.nowMs() > askedAtMs + VALID_MS;

	async function tryWrite(draftId: string, raw: string, next: RequestDraft): Promise<boolean> {
		return (await store.compareAndSet(KEY_PREFIX + draftId, raw, next)) !== undefined;
	}

	async function find({ guildId, userId }: Member, draftId: string) {
		const stored = await store.get<RequestDraft>(KEY_PREFIX + draftId);
		if (!stored || hasExpired(stored.value) || stored.value.submission.guildId !== guildId) {
			throw new UserError({ key: "request.confirmationGone" });
		}
		if (stored.value.submission.userId !== userId) throw new UserError({ key: "permission.othersConfirmation" });
		return stored;
	}

	async function tryDecide(member: Member, draftId: string, decision: Decision): Promise<Submission | "conflict"> {
		const stored = await find(member, draftId);
		const { submission, decision: before, decidedAtMs = 0 } = stored.value;
		const nowMs = clock.nowMs();
		// A repeated confirmation finds the task of the first one. An edit has an id of its own.
		const isRepeatable = before === "edit" ? nowMs > decidedAtMs + EDIT_MS_MAX : before === decision;
		if (before !== undefined && !isRepeatable) throw new UserError({ key: "request.confirmationGone" });
		const isWritten = await tryWrite(draftId, stored.raw, { ...stored.value, decision, decidedAtMs: nowMs });
		// After a concurrent write, the decision is checked again: that write may have recorded the same one.
		return isWritten ? submission : "conflict";
	}

	async function* findAll(isFound: (draft: RequestDraft) => boolean) {
		for await (const stored of store.scan<RequestDraft>(KEY_PREFIX, { onCorrupt: () => {} })) {
			if (isFound(stored.value)) yield stored;
		}
	}

	async function removeWhere(isRemoved: (draft: RequestDraft) => boolean): Promise<number> {
		let count = 0;
		for await (const { key } of findAll(isRemoved)) {
			await store.delete(key);
			count++;
		}
		return count;
	}

	return {
		/** Stores a submission until its member decides. */
		add: (submission: Submission, prompt: PromptVersions = {}): Promise<void> =>
			store.set(KEY_PREFIX + submission.id, {
				submission,
				...prompt,
				askedAtMs: clock.nowMs(),
			} satisfies RequestDraft),
		/** Reads a draft. Throws a denial if it has expired or belongs to another member. */
		read: async (member: Member, draftId: string): Promise<RequestDraft> => (await find(member, draftId)).value,
		/**
		 * Records the decision. Throws a denial if the member decided otherwise or edited it before, or if the draft has expired or belongs
		 * to another member.
		 */
		decide: (member: Member, draftId: string, decision: Decision): Promise<Submission> =>
			retryChange(`the draft ${draftId}`, () => tryDecide(member, draftId, decision)),
		/** Removes a decision that had no effect, so that the member can decide again. */
		async reopen(draftId: string): Promise<void> {
			const stored = await store.get<RequestDraft>(KEY_PREFIX + draftId);
			if (!stored) return;
			const { decision: _undone, decidedAtMs: _, ...undecided } = stored.value;
			await tryWrite(draftId, stored.raw, undecided);
		},
		remove: (draftId: string) => store.delete(KEY_PREFIX + draftId),
		/** Reads all drafts of a member in a server. */
		readOf: async (member: Member): Promise<readonly RequestDraft[]> =>
			(await Array.fromAsync(findAll(isOf(member)))).map(({ value }) => value),
		/** Removes all drafts of a member in a server. Resolves to their number. */
		removeOf: (member: Member): Promise<number> => removeWhere(isOf(member)),
		/** Yields the server of each draft. */
		async *guildIds(): AsyncGenerator<string> {
			for await (const { value } of findAll(() => true)) yield value.submission.guildId;
		},
		/** Removes the drafts that have expired. */
		async removeOld(logger: Logger): Promise<void> {
			const count = await removeWhere(hasExpired);
			if (count > 0) logger.info({ drafts: count }, "old drafts removed");
		},
	};
}

function isOf({ guildId, userId }: Member) {
	return ({ submission }: RequestDraft): boolean => submission.guildId === guildId && submission.userId === userId;
}
