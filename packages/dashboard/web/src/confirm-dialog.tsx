/** A dialog that asks before an action, and runs it. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";

export interface ConfirmDialogProps {
	readonly title: string;
	readonly text: string;
	/** The verb on the button. */
	readonly action: string;
	/** Returns `false` if a field of the dialog must be filled in first. */
	readonly canRun?: () => boolean;
	readonly run: () => Promise<void>;
	readonly onClose: () => void;
	/** Fields, below the text. */
	readonly children?: ComponentChildren;
}

export function ConfirmDialog({ title, text, action, canRun, run, onClose, children }: ConfirmDialogProps) {
	const { t, errorText } = useApp();
	const dialog = useRef<HTMLDialogElement>(null);
	const isBusy = useSignal(false);
	const error = useSignal("");
	const id = useId();
	useEffect(() => dialog.current?.showModal(), []);

	const confirm = async (): Promise<void> => {
		if (canRun?.() === false) return;
		isBusy.value = true;
		error.value = "";
		try {
			await run();
			dialog.current?.close();
		} catch (cause) {
			error.value = errorText(cause);
		} finally {
			isBusy.value = false;
		}
	};
	return (
		<dialog
			ref={dialog}
			class="dialog"
			aria-labelledby={`${id}-title`}
			aria-describedby={`${id}-text`}
			onClose={onClose}
		>
			<h2 id={`${id}-title`}>{title}</h2>
			<p id={`${id}-text`}>{text}</p>
			{children}
			<p class="field-error" role="alert">
				{error.value}
			</p>
			<div class="dialog-foot">
				<button type="button" class="button" onClick={() => dialog.current?.close()}>
					{t("dashboard.goBack")}
				</button>
				<button type="button" class="button danger" disabled={isBusy.value} onClick={() => void confirm()}>
					{action}
				</button>
			</div>
		</dialog>
	);
}
