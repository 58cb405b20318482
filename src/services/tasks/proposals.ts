/** What waits for a word of whoever asked for it, because it costs more than a server lets anybody spend in passing. */
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { TaskButton } from "../delivery/messenger.ts";
import type { Order } from "../generation/order.ts";
import { say, type Saying } from "../messages/messages.ts";
import { quote, quoteName } from "../messages/quote.ts";
import type { Store } from "../store/store.ts";
import { UserError } from "../user-error.ts";
import type { TaskRequest } from "./task-service.ts";

/** Prices and minds change. */
const VALID_MS = 24 * 60 * 60_000;
const PROPOSAL = "proposal:";
const PROMPT_CHARS_SHOWN = 280;

interface Proposal {
	readonly request: TaskRequest;
	readonly atMs: number;
}

export interface Proposals {
	keep(request: TaskRequest): Promise<void>;
	/** Refuses in words where there is none any more, or it is somebody else's. */
	find(guildId: string, userId: string, taskId: string): Promise<TaskRequest>;
	remove(taskId: string): Promise<void>;
	removeOld(logger: Logger): Promise<void>;
}

interface ProposalsDeps {
	readonly store: Pick<Store, "get" | "set" | "delete" | "scan">;
	readonly clock: Clock;
}

export function createProposals({ store, clock }: ProposalsDeps): Proposals {
	const isOver = ({ atMs }: Proposal): boolean => clock.nowMs() > atMs + VALID_MS;

	return {
		keep: (request) => store.set(PROPOSAL + request.id, { request, atMs: clock.nowMs() } satisfies Proposal),
		async find(guildId, userId, taskId) {
			const stored = await store.get<Proposal>(PROPOSAL + taskId);
			if (!stored || isOver(stored.value) || stored.value.request.guildId !== guildId) {
				throw new UserError({ key: "proposalGone" });
			}
			if (stored.value.request.userId !== userId) throw new UserError({ key: "othersProposal" });
			return stored.value.request;
		},
		remove: (taskId) => store.delete(PROPOSAL + taskId),
		async removeOld(logger) {
			let count = 0;
			for await (const { key, value } of store.scan<Proposal>(PROPOSAL, { onCorrupt: () => {} })) {
				if (!isOver(value)) continue;
				await store.delete(key);
				count++;
			}
			if (count > 0) logger.info({ proposals: count }, "old proposals removed");
		},
	};
}

/** What is asked before it is made. */
export function composeProposal(
	{ mediaType, modelName, costCredits, prompt }: Order,
	locale: string,
): { readonly saying: Saying; readonly buttons: readonly TaskButton[] } {
	const what = { mediaType, model: quoteName(modelName), costCredits, prompt: quote(prompt, PROMPT_CHARS_SHOWN) };
	return {
		saying: { key: "confirmCost", params: what },
		buttons: [
			{ action: "confirm", label: say(locale, { key: "buttonConfirm", params: { costCredits } }) },
			{ action: "decline", label: say(locale, { key: "buttonDecline" }) },
		],
	};
}
