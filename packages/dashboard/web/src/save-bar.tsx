/** Saves or discards the changed settings of the open server. Appears when there are any, on every page. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useApp, useServer } from "./app-context.ts";
import { LimitsPreview } from "./limits-preview.tsx";
import { useAction } from "./use-action.ts";

export function SaveBar() {
	const { t, notify, dismiss } = useApp();
	const conflictId = useRef<number | null>(null);
	const { settingsStore } = useServer();
	const { changes, invalidFields, isSaving, hasConflict } = settingsStore;
	const { run } = useAction();
	const dismissConflict = (): void => {
		if (conflictId.current !== null) dismiss(conflictId.current);
	};
	useEffect(() => {
		if (!hasConflict.value) return;
		hasConflict.value = false;
		dismissConflict();
		conflictId.current = notify(t("dashboard.conflict"), { isError: true });
	}, [hasConflict.value]);
	const bar = useRef<HTMLElement>(null);
	/** Moves the focus from the bar, unless it stays for changes that were made during the save. */
	const leaveBar = (): void => {
		if (changes.value.length > 0) return;
		const { activeElement } = document;
		if (activeElement === document.body || bar.current?.contains(activeElement))
			document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
	};
	const cannotSave = isSaving.value || invalidFields.value.size > 0;
	const save = async (): Promise<void> => {
		const isSaved = await settingsStore.save();
		if (!isSaved) return;
		dismissConflict();
		leaveBar();
		notify(t("dashboard.saved"));
	};
	const discard = (): void => {
		if (isSaving.value) return;
		settingsStore.discard();
		dismissConflict();
		leaveBar();
	};
	useLayoutEffect(() => {
		const root = document.documentElement;
		// Notices are shown above the bar.
		const observer = new ResizeObserver(() =>
			root.style.setProperty("--save-bar-height", `${bar.current?.offsetHeight ?? 0}px`),
		);
		if (bar.current) observer.observe(bar.current);
		return () => {
			observer.disconnect();
			root.style.removeProperty("--save-bar-height");
		};
	}, []);
	const isShown = changes.value.length > 0 || invalidFields.value.size > 0;
	return (
		<section ref={bar} class="save-bar" aria-label={t("dashboard.unsaved")} hidden={!isShown}>
			<div role="status">
				<p>
					{invalidFields.value.size > 0
						? t("dashboard.invalidFields", { count: invalidFields.value.size })
						: t("dashboard.unsavedCount", { count: changes.value.length })}
				</p>
				<LimitsPreview />
			</div>
			<div class="save-actions">
				<button type="button" class="button" aria-disabled={isSaving.value} onClick={discard}>
					{t("dashboard.discard")}
				</button>
				<button
					type="button"
					class="button primary"
					aria-disabled={cannotSave}
					onClick={() => void (cannotSave || run(save))}
				>
					{t("dashboard.save")}
				</button>
			</div>
		</section>
	);
}
