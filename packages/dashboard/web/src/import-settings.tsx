/** Imports settings from a file: shows what would change, and asks. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ImportPreview } from "../../src/schemas/settings.ts";
import { useApp, useServer } from "./app-context.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { useNotifiedAction } from "./load-data.tsx";
import { MentionText } from "./mention-text.tsx";

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
	const reading = useNotifiedAction();
	const preview = async (file: File): Promise<void> => {
		lastFile.current = file;
		const text = await file.text();
		const changes = await call("previewImport", { params, body: { text } });
		// The reader may have chosen another file meanwhile.
		if (file === lastFile.current) asked.value = { fileName: file.name, text, ...changes };
	};
	const run = async ({ text, revision }: Asked): Promise<void> => {
		settingsStore.adopt(await call("importSettings", { params, body: { text, revision } }));
		notify(t("dashboard.imported"));
	};
	const { value: open } = asked;
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
					if (file) void reading.run(() => preview(file));
				}}
			/>
			{open && (
				<ConfirmDialog
					title={t("dashboard.importTitle", { name: open.fileName })}
					text={t("dashboard.importText", { count: open.changes.length })}
					action={t("dashboard.import")}
					run={() => run(open)}
					onClose={() => (asked.value = null)}
				>
					{open.changes.length > 0 && (
						<ul class="rows import-changes">
							{open.changes.map((text, at) => (
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
