/** Shows how many members would be over changed limits, before they are saved. */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { LimitsPreview as Preview } from "../../src/schemas/settings.ts";
import { useApp, useServer } from "./app-context.ts";

const PREVIEW_DELAY_MS = 500;

export function LimitsPreview() {
	const { t, call } = useApp();
	const { settingsStore, params } = useServer();
	const preview = useSignal<Preview | null>(null);
	const areLimitsChanged = useComputed(() =>
		settingsStore.changes.value.some(([group]) => group === "allowance" || group === "timeZone"),
	);
	useSignalEffect(() => {
		const draft = settingsStore.draft.value;
		if (!draft || !areLimitsChanged.value) {
			preview.value = null;
			return undefined;
		}
		let isCurrent = true;
		const load = async (): Promise<void> => {
			const { allowance, timeZone } = draft;
			const counted = await call("previewLimits", { params, body: { allowance, timeZone } });
			if (isCurrent) preview.value = counted;
		};
		// Without a preview the limits can be saved all the same.
		const timer = setTimeout(() => void load().catch(() => null), PREVIEW_DELAY_MS);
		return () => {
			isCurrent = false;
			clearTimeout(timer);
		};
	});
	if (!preview.value) return null;
	const { membersOver, membersUnknown } = preview.value;
	const per = settingsStore.draft.value?.allowance.per ?? "day";
	return (
		<p class={membersOver + membersUnknown > 0 ? "warn-text" : "figure-notes"}>
			{t("dashboard.previewOver", { count: membersOver, per })}{" "}
			{membersUnknown > 0 && t("dashboard.previewUnknown", { count: membersUnknown })}
		</p>
	);
}
