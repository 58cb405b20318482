/** A form: checks its fields when the reader submits it, runs an action, and shows the error of the action. */
import { useSignal, type ReadonlySignal } from "@preact/signals";
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Callout } from "./card.tsx";
import { MentionText } from "./mention-text.tsx";
import { useAction } from "./use-action.ts";

interface FormState {
	/** True after an attempt to submit invalid fields: they then show what is wrong with them. */
	readonly isChecked: ReadonlySignal<boolean>;
	readonly isBusy: ReadonlySignal<boolean>;
}

const FormContext = createContext<FormState | null>(null);

/** The form around a field; `null` for a field that is saved with all settings. */
export const useForm = (): FormState | null => useContext(FormContext);

/** Returns a function that returns false once the reader has left the component, for actions that end later. */
export function useIsMounted(): () => boolean {
	const isMounted = useRef(true);
	useEffect(() => () => void (isMounted.current = false), []);
	return () => isMounted.current;
}

interface FormProps {
	readonly class?: string;
	/** Runs when all fields are valid. Its error is shown below the fields. */
	readonly run: () => Promise<void> | void;
	/** Runs for a button of the type `reset`. */
	readonly onReset?: () => void;
	/** Shown while there is no error. */
	readonly note?: string | undefined;
	readonly children: ComponentChildren;
}

export function Form({ class: style = "form", run, onReset, note, children }: FormProps) {
	const { notifyError, errorText } = useApp();
	const isMounted = useIsMounted();
	const form = useRef<HTMLFormElement>(null);
	const isChecked = useSignal(false);
	const failure = useSignal<unknown>(null);
	const action = useAction((cause) => (isMounted() ? (failure.value = cause) : notifyError(cause)));
	const text = failure.value === null ? note : errorText(failure.value);
	const submit = (): void => {
		if (!form.current || action.isBusy.value) return;
		isChecked.value = !form.current.checkValidity();
		if (isChecked.value) form.current.querySelector<HTMLElement>("input:invalid")?.focus();
		else {
			failure.value = null;
			void action.run(run);
		}
	};
	return (
		<FormContext.Provider value={{ isChecked, isBusy: action.isBusy }}>
			<form
				ref={form}
				class={style}
				noValidate
				onSubmit={(event) => {
					event.preventDefault();
					submit();
				}}
				onReset={(event) => {
					event.preventDefault();
					failure.value = null;
					isChecked.value = false;
					onReset?.();
				}}
			>
				{children}
				<div class="form-error" role="alert">
					{text !== undefined && (
						<Callout kind="danger">
							<MentionText text={text} />
						</Callout>
					)}
				</div>
			</form>
		</FormContext.Provider>
	);
}

interface SubmitButtonProps {
	readonly class?: string;
	readonly children: ComponentChildren;
}

/** A disabled button would lose the focus, so a busy one only says that it is. */
export function SubmitButton({ class: style = "button", children }: SubmitButtonProps) {
	return (
		<button type="submit" class={style} aria-disabled={useForm()?.isBusy.value ?? false}>
			{children}
		</button>
	);
}
