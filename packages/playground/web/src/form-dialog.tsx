/** Forms in dialogs: the modal that the bot opened, and forms of the page with the same fields. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { errorText } from "./api.ts";
import { useApp, useSnapshot } from "./app-context.ts";
import type { FieldInput, PageModal } from "./contract.ts";
import { IconButton } from "./icon.tsx";
import { MarkdownText } from "./markdown-text.tsx";
import { fieldError, type Field, fieldName, fieldValue, modalParts, readField } from "./modal-fields.ts";

export function Modal() {
	const { state, submitModal } = useApp();
	const opened = state.modal.value;
	if (!opened) return null;
	return (
		<FormDialog
			key={opened.interactionId}
			title={opened.title}
			components={opened.components}
			submitLabel="Submit"
			onSubmit={(fields) => submitModal(opened.interactionId, fields)}
			onClose={() => {
				if (state.modal.value === opened) state.modal.value = null;
			}}
		/>
	);
}

interface FormDialogProps extends Pick<PageModal, "title" | "components"> {
	readonly submitLabel: string;
	/** Rejects with the reason why the form could not be sent. */
	readonly onSubmit: (fields: readonly FieldInput[]) => Promise<void>;
	readonly onClose: () => void;
}

/**
 * A form in a dialog of the browser, which keeps the focus inside, closes on Escape, and returns the focus. A form that could not be
 * sent stays open with its values.
 */
export function FormDialog({ title, components, submitLabel, onSubmit, onClose }: FormDialogProps) {
	const { api, showToast } = useApp();
	const snapshot = useSnapshot();
	const dialog = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	const parts = useRef(modalParts(components, snapshot)).current;
	const fields = parts.filter((part) => part.kind !== "text");
	const error = useSignal<string | null>(null);
	const isBusy = useSignal(false);

	useLayoutEffect(() => {
		dialog.current?.showModal();
		const first = dialog.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>("[name]");
		first?.focus();
		if (fields[0] && "initial" in fields[0]) first?.setSelectionRange(first.value.length, first.value.length);
	}, []);

	async function submit(form: HTMLFormElement): Promise<void> {
		error.value = null;
		const data = new FormData(form);
		for (const field of fields) setError(form, field, fieldError(field, fieldValue(field, data)));
		if (!form.reportValidity()) return;
		isBusy.value = true;
		try {
			const sentFields = await Promise.all(
				fields.map((field) => readField(field, fieldValue(field, data), (file) => api.upload(file, file.name))),
			);
			await onSubmit(sentFields);
			dialog.current?.close();
		} catch (cause) {
			// The user may have closed the form while it was being sent.
			if (dialog.current) error.value = errorText(cause);
			else showToast(errorText(cause));
		} finally {
			isBusy.value = false;
		}
	}

	return (
		<dialog ref={dialog} class="modal" aria-labelledby={titleId} onClose={onClose}>
			<header class="row modal-head">
				<h2 id={titleId}>{title}</h2>
				<IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
			</header>
			<form
				class="modal-form"
				noValidate
				aria-busy={isBusy.value}
				onInput={({ currentTarget }) => {
					for (const field of fields) setError(currentTarget, field, "");
				}}
				onSubmit={(event) => {
					event.preventDefault();
					if (!isBusy.value) void submit(event.currentTarget);
				}}
			>
				<div class="modal-fields">
					{parts.map((part, at) =>
						part.kind === "text" ? (
							<div key={at} class="modal-text">
								<MarkdownText text={part.content} />
							</div>
						) : (
							<FormField key={part.customId} field={part} />
						),
					)}
				</div>
				<p class="modal-error" role="alert">
					{error}
				</p>
				<div class="modal-foot">
					<button type="button" class="button" onClick={() => dialog.current?.close()}>
						Cancel
					</button>
					<button type="submit" class="button primary" aria-disabled={isBusy.value}>
						{isBusy.value ? "Sending…" : submitLabel}
					</button>
				</div>
			</form>
		</dialog>
	);
}

/** Sets what the browser reports about a field, or about the first control of a group. */
function setError(form: HTMLFormElement, field: Field, message: string): void {
	const name = CSS.escape(fieldName(field));
	form.querySelector<HTMLInputElement>(`[name=${name}]`)?.setCustomValidity(message);
}

function FormField({ field }: { field: Field }) {
	const id = useId();
	const { kind, label, note, isRequired } = field;
	const isGroup = kind === "radio" || kind === "checkboxes";
	const [Box, Label] = isGroup ? (["fieldset", "legend"] as const) : (["div", "label"] as const);
	return (
		<Box class="field">
			<Label class="field-label" for={isGroup ? undefined : id}>
				{label}
				{isRequired && (
					<span class="required" aria-hidden="true" title="Required">
						{" *"}
					</span>
				)}
			</Label>
			{note && (
				<p class="note" id={`${id}-note`}>
					{note}
				</p>
			)}
			<FieldControl id={id} field={field} />
		</Box>
	);
}

function FieldControl({ id, field }: { id: string; field: Field }): ComponentChildren {
	const { placeholder, isRequired } = field;
	const common = { name: fieldName(field), "aria-describedby": `${id}-note` };
	switch (field.kind) {
		case "line":
		case "paragraph": {
			const Input = field.kind === "line" ? "input" : "textarea";
			return (
				<Input
					{...common}
					id={id}
					placeholder={placeholder}
					autocomplete="off"
					defaultValue={field.initial}
					aria-required={isRequired}
				/>
			);
		}
		case "checkbox":
			return <input {...common} id={id} type="checkbox" defaultChecked={field.isInitiallyOn} />;
		case "files": {
			const { max, accept } = field;
			return <input {...common} id={id} type="file" multiple={max > 1} accept={accept} aria-required={isRequired} />;
		}
		case "select":
			return (
				<select {...common} id={id}>
					<option value="">{placeholder ?? "Make a selection"}</option>
					{field.choices.map(({ value, name, isDefault }) => (
						<option key={value} value={value} selected={isDefault}>
							{name}
						</option>
					))}
				</select>
			);
		case "radio":
		case "checkboxes":
			return (
				<div class="field-choices">
					{field.choices.map(({ value, name, note, isDefault }) => (
						<label key={value} class="field-choice">
							<input
								{...common}
								type={field.kind === "radio" ? "radio" : "checkbox"}
								value={value}
								defaultChecked={isDefault}
							/>
							<span>
								{name}
								{note && <span class="note">{note}</span>}
							</span>
						</label>
					))}
				</div>
			);
	}
}
