/** Formats withheld results for the moderators, and for their member. No I/O. */
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import { quoteName, quotePrompt } from "../../i18n/quote.ts";
import { toTimestampS } from "../../i18n/message-param-values.ts";
import { isWithheld, type Task, type WithheldResult } from "../tasks/task.ts";
import type { WithheldDecision } from "./withheld-decisions.ts";

/** Formats a withheld result for the moderators, with their decision. */
export function formatWithheld(task: Task, locale: string, decision?: Omit<WithheldDecision, "task">): string {
	if (!isWithheld(task)) throw new TypeError("the result is not withheld");
	const { id, userId, request, reply, createdAtMs, outcome } = task;
	const { cause, categories } = outcome.withheld;
	const lines = [
		t(locale, {
			key: "withheld.head",
			params: { userId, channelId: reply.channelId, atS: toTimestampS(createdAtMs), cause: causeVariantOf(cause) },
		}),
		...(categories.length > 0
			? [
					t(locale, {
						key: "withheld.categories",
						params: { categories: categories.map((category) => ({ key: `category.${category}` as const })) },
					}),
				]
			: []),
		t(locale, {
			key: "withheld.about",
			params: { prompt: quotePrompt(request.prompt), model: quoteName(request.modelName), taskId: id },
		}),
	];
	if (decision) {
		const { action, byUserId, atS } = decision;
		lines.push(
			t(locale, { key: "withheld.done", params: { action: action === "show" ? action : "other", byUserId, atS } }),
		);
	}
	return lines.join("\n");
}

/** Tells the member why there is no result. */
export function messageOfWithheld(cause: WithheldResult["cause"], isForModerators: boolean): MessageDescriptor {
	return { key: "service.resultWithheld", params: { cause: causeVariantOf(cause), isForModerators } };
}

/** Selects the variant of a message: `other` for flagged and for illegal content, which members are not told apart. */
function causeVariantOf(cause: WithheldResult["cause"]): "unchecked" | "ageRestricted" | "other" {
	return cause === "unchecked" || cause === "ageRestricted" ? cause : "other";
}
