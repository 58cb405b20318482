/** Shows how many members would be over changed limits, before they are saved. */
import { useEffect, useMemo } from "preact/hooks";
import { useApp, useServer } from "./app-context.ts";
import { countMembersOver } from "./count-members-over.ts";
import { runLater } from "./run-later.ts";

export function LimitsPreview() {
	const { t, call } = useApp();
	const { settingsStore, params } = useServer();
	const { shown, stop } = useMemo(
		() =>
			countMembersOver(settingsStore, {
				count: (limits) => call("previewLimits", { params, body: limits }),
				later: runLater,
			}),
		[settingsStore],
	);
	useEffect(() => stop, [stop]);
	if (!shown.value) return null;
	const { membersOver, membersUnknown, per } = shown.value;
	return (
		<p class={membersOver + membersUnknown > 0 ? "warn-text" : "figure-notes"}>
			{t("dashboard.previewOver", { count: membersOver, per })}{" "}
			{membersUnknown > 0 && t("dashboard.previewUnknown", { count: membersUnknown })}
		</p>
	);
}
