/** A dialog that asks before an action, and runs it. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";

export interface ConfirmProps {
	readonly title: string;
	readonly text: string;
	/** The verb on the button. */
	readonly action: string;
	readonly run: () => Promise<void>;
	readonly onClose: () => void;
}

export function Confirm({ title, text, action, run, onClose }: ConfirmProps) {
	const { t, errorText } = useApp();
	const dialog = useRef<HTMLDialogElement>(null);
	const isBusy = useSignal(false);
	const error = useSignal("");
	const id = useId();
	useEffect(() => dialog.current?.showModal(), []);

	const confirm = async (): Promise<void> => {
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
