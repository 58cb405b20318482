/** Saves or discards the changed settings of the open server. Appears when there are any, on every page. */
import { useApp, useServer } from "./app-context.ts";
import { Icon } from "./icon.tsx";
import { settingName } from "./setting-names.ts";

export function SaveBar() {
	const { t, formats, notify, errorText } = useApp();
	const { settings } = useServer();
	const { changes, hasConflict, overlaps, invalidFields, isSaving } = settings;
	const attempt = (run: () => Promise<unknown>): void => {
		run().catch((error: unknown) => notify(errorText(error), true));
	};
	const save = async (): Promise<void> => {
		if (await settings.save()) notify(t("dashboard.saved"));
	};
	const loadNew = async (): Promise<void> => {
		await settings.load();
		notify(t("dashboard.conflictLoaded"));
	};
	const overlapNames = [...new Set(overlaps.value.map((path) => settingName(path, t)))];
	const isShown = changes.value.length > 0 || invalidFields.value.size > 0 || hasConflict.value;
	return (
		<section class={`save-bar ${isShown ? "shown" : ""}`} aria-label={t("dashboard.unsaved")} hidden={!isShown}>
			<div role="status">
				{hasConflict.value ? (
					<p class="save-conflict">
						<Icon name="alert" />
						{t("dashboard.conflict")}
					</p>
				) : (
					<p>
						{invalidFields.value.size > 0
							? t("dashboard.invalidFields", { count: invalidFields.value.size })
							: t("dashboard.unsavedCount", { count: changes.value.length })}
					</p>
				)}
				{overlapNames.length > 0 && (
					<p class="hint">{t("dashboard.conflictBoth", { name: formats.list(overlapNames) })}</p>
				)}
			</div>
			<div class="save-actions">
				<button type="button" class="button" disabled={isSaving.value} onClick={settings.discard}>
					{t("dashboard.discard")}
				</button>
				{hasConflict.value ? (
					<button type="button" class="button primary" onClick={() => attempt(loadNew)}>
						{t("dashboard.loadNew")}
					</button>
				) : (
					<button
						type="button"
						class="button primary"
						disabled={isSaving.value || invalidFields.value.size > 0}
						onClick={() => attempt(save)}
					>
						{t("dashboard.save")}
					</button>
				)}
			</div>
		</section>
	);
}
