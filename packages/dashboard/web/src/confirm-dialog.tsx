/** A button that asks before an action in a dialog, and the dialog. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Form, SubmitButton, useIsMounted } from "./form.tsx";

interface ConfirmDialogProps {
	readonly title: string;
	readonly text: string;
	/** The verb on the button. */
	readonly action: string;
	readonly run: () => Promise<void>;
	readonly onClose: () => void;
	/** Fields, below the text. */
	readonly children?: ComponentChildren;
}

export function ConfirmDialog({ title, text, action, run, onClose, children }: ConfirmDialogProps) {
	const { t } = useApp();
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	useEffect(() => dialog.current?.showModal(), []);
	const confirm = async (): Promise<void> => {
		await run();
		dialog.current?.close();
	};
	return (
		<dialog
			ref={dialog}
			class="dialog"
			aria-labelledby={`${id}-title`}
			aria-describedby={`${id}-text`}
			onClose={onClose}
		>
			<Form run={confirm}>
				<h2 id={`${id}-title`}>{title}</h2>
				<p id={`${id}-text`}>{text}</p>
				{children}
				<div class="form-foot">
					<button type="button" class="button" onClick={() => dialog.current?.close()}>
						{t("dashboard.goBack")}
					</button>
					<SubmitButton class="button danger">{action}</SubmitButton>
				</div>
			</Form>
		</dialog>
	);
}

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, "onClose"> {
	readonly class?: string;
	/** Runs when the dialog closes or has gone after the action, also after a failed one, which may have taken effect. */
	readonly reload?: () => void;
	/** The content of the button; the verb if none is given. */
	readonly label?: ComponentChildren;
}

export function ConfirmButton({ class: style = "button small", label, run, reload, ...dialog }: ConfirmButtonProps) {
	const isAsking = useSignal(false);
	const hasRun = useRef(false);
	const isMounted = useIsMounted();
	const confirm = async (): Promise<void> => {
		hasRun.current = true;
		try {
			await run();
		} finally {
			// A list that is read again meanwhile may remove the button; then the dialog does not close.
			if (!isMounted()) reload?.();
		}
	};
	const close = (): void => {
		isAsking.value = false;
		if (hasRun.current) reload?.();
		hasRun.current = false;
	};
	return (
		<>
			<button type="button" class={style} onClick={() => (isAsking.value = true)}>
				{label ?? dialog.action}
			</button>
			{isAsking.value && <ConfirmDialog {...dialog} run={confirm} onClose={close} />}
		</>
	);
}
