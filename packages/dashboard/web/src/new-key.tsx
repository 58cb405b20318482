/** Shows a new key once, with a button that copies it. */
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Callout } from "./card.tsx";
import { TextField } from "./fields.tsx";

export function NewKey({ text }: { readonly text: string }) {
	const { t, notify } = useApp();
	const row = useRef<HTMLDivElement>(null);
	const select = (): void => row.current?.querySelector("input")?.select();
	// Readers who cannot copy by the button find the key selected.
	useEffect(select, [text]);
	const copy = async (): Promise<void> => {
		try {
			await navigator.clipboard.writeText(text);
			notify(t("dashboard.copied"));
		} catch {
			select();
		}
	};
	return (
		<Callout kind="info">
			<p role="status">{t("dashboard.keyOnce")}</p>
			<div class="field-row" ref={row}>
				<TextField label={t("dashboard.keyNew")} value={text} isReadOnly onInput={() => {}} />
				<button type="button" class="button" onClick={() => void copy()}>
					{t("dashboard.copy")}
				</button>
			</div>
		</Callout>
	);
}
