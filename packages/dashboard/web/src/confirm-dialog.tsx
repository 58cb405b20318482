/** A button that asks before an action in a dialog, and the dialog. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { useAction } from "./load-data.tsx";
import { MentionText } from "./mention-text.tsx";

interface ConfirmDialogProps {
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

export function ConfirmDialog({ title, text, action: verb, canRun, run, onClose, children }: ConfirmDialogProps) {
	const { t, notify, errorText } = useApp();
	const dialog = useRef<HTMLDialogElement>(null);
	const action = useAction();
	const id = useId();
	useEffect(() => dialog.current?.showModal(), []);
	const confirm = (): void => {
		if (action.isBusy.value || canRun?.() === false) return;
		void action.run(async () => {
			try {
				await run();
				dialog.current?.close();
			} catch (error) {
				if (dialog.current) throw error;
				// The reader went back meanwhile.
				notify(errorText(error), { isError: true });
			}
		});
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
				{action.error.value !== null && <MentionText text={errorText(action.error.value)} />}
			</p>
			<div class="dialog-foot">
				<button type="button" class="button" onClick={() => dialog.current?.close()}>
					{t("dashboard.goBack")}
				</button>
				{/* A disabled button would lose the focus, which then goes on to the list that the action changed. */}
				<button type="button" class="button danger" aria-disabled={action.isBusy.value} onClick={confirm}>
					{verb}
				</button>
			</div>
		</dialog>
	);
}

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, "onClose"> {
	readonly class?: string;
	/** The content of the button; the verb if none is given. */
	readonly label?: ComponentChildren;
}

export function ConfirmButton({ class: style = "button small", label, ...dialog }: ConfirmButtonProps) {
	const isAsking = useSignal(false);
	return (
		<>
			<button type="button" class={style} onClick={() => (isAsking.value = true)}>
				{label ?? dialog.action}
			</button>
			{isAsking.value && <ConfirmDialog {...dialog} onClose={() => (isAsking.value = false)} />}
		</>
	);
}
