/** Imports settings from a file: shows what would change, and asks. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { SETTINGS_FILE_BYTES_MAX } from "../../src/limits.ts";
import type { ImportPreview } from "../../src/schemas/settings.ts";
import { ApiError, isConflict } from "./api-error.ts";
import { useApp, useServer } from "./app-context.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { MentionText } from "./mention-text.tsx";
import { useAction } from "./use-action.ts";

interface Asked extends ImportPreview {
	readonly fileName: string;
	readonly text: string;
}

export function ImportSettings() {
	const { t, call, notify } = useApp();
	const { params, settingsStore } = useServer();
	const input = useRef<HTMLInputElement>(null);
	const asked = useSignal<Asked | null>(null);
	const lastFile = useRef<File | null>(null);
	const reading = useAction();
	const preview = async (fileName: string, text: string): Promise<Asked> => ({
		fileName,
		text,
		...(await call("previewImport", { params, body: { text } })),
	});
	const open = async (file: File): Promise<void> => {
		lastFile.current = file;
		if (file.size > SETTINGS_FILE_BYTES_MAX) {
			const sizeMaxKiB = SETTINGS_FILE_BYTES_MAX / 1024;
			throw new ApiError(null, "invalid", t("dashboard.importTooLarge", { sizeMaxKiB }));
		}
		const opened = await preview(file.name, await file.text());
		// The reader may have chosen another file meanwhile.
		if (file === lastFile.current) asked.value = opened;
	};
	const run = async ({ fileName, text, revision }: Asked): Promise<void> => {
		try {
			settingsStore.adopt(await call("importSettings", { params, body: { text, revision } }));
		} catch (error) {
			// The reader confirms the changes to the newer settings.
			if (isConflict(error)) asked.value = await preview(fileName, text);
			throw error;
		}
		notify(t("dashboard.imported"));
	};
	const { value: shown } = asked;
	return (
		<>
			<button type="button" class="button" onClick={() => input.current?.click()}>
				{t("dashboard.import")}
			</button>
			<input
				ref={input}
				type="file"
				accept="application/json,.json"
				aria-label={t("dashboard.import")}
				hidden
				onChange={({ currentTarget }) => {
					const [file] = currentTarget.files ?? [];
					// The same file can be chosen again.
					currentTarget.value = "";
					if (file) void reading.run(() => open(file));
				}}
			/>
			{shown && (
				<ConfirmDialog
					title={t("dashboard.importTitle", { name: shown.fileName })}
					text={t("dashboard.importText", { count: shown.changes.length })}
					action={t("dashboard.import")}
					run={() => run(shown)}
					onClose={() => (asked.value = null)}
				>
					{shown.changes.length > 0 && (
						<ul class="rows import-changes">
							{shown.changes.map((text, at) => (
								<li key={at}>
									<MentionText text={text} />
								</li>
							))}
						</ul>
					)}
				</ConfirmDialog>
			)}
		</>
	);
}
