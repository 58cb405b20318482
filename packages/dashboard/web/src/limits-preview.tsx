/** Shows how many members would be over changed limits, before they are saved. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LimitsPreview as Count } from "../../src/schemas/settings.ts";
import { useApp, useServer } from "./app-context.ts";
import { runLater } from "./run-later.ts";

/** Members are counted when the reader stops typing. */
const COUNT_DELAY_MS = 500;

export function LimitsPreview() {
	const { t, call } = useApp();
	const { settingsStore, params } = useServer();
	const { draft, changes, invalidFields } = settingsStore;
	const counted = useSignal<(Count & { readonly key: string }) | null>(null);
	const areChanged = changes.value.some(([group]) => group === "allowance" || group === "timeZone");
	const limits =
		draft.value && areChanged && invalidFields.value.size === 0
			? { allowance: draft.value.allowance, timeZone: draft.value.timeZone }
			: null;
	const key = JSON.stringify(limits);
	useEffect(() => {
		if (!limits || counted.value?.key === key) return undefined;
		let isOld = false;
		const count = async (): Promise<void> => {
			const answer = await call("previewLimits", { params, body: limits });
			if (!isOld) counted.value = { ...answer, key };
		};
		// Without a count the limits can be saved all the same.
		const cancel = runLater(() => void count().catch(() => null), COUNT_DELAY_MS);
		return () => {
			isOld = true;
			cancel();
		};
	}, [key]);
	if (!limits || counted.value?.key !== key) return null;
	const { membersOver, membersUnknown } = counted.value;
	return (
		<p class={membersOver + membersUnknown > 0 ? "warn-text" : "figure-notes"}>
			{t("dashboard.previewOver", { count: membersOver, per: limits.allowance.per })}{" "}
			{membersUnknown > 0 && t("dashboard.previewUnknown", { count: membersUnknown })}
		</p>
	);
}
