/** Forms in dialogs: the modal that the bot opened, and forms of the page with the same fields. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { errorText } from "./api.ts";
import { useApp, useSnapshot } from "./app-context.ts";
import type { FieldInput, PageModal } from "./contract.ts";
import { IconButton } from "./icon.tsx";
import { MarkdownText } from "./markdown-text.tsx";
import { fieldError, type Field, type FieldValue, modalParts, readField } from "./modal-fields.ts";

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
	const values = useSignal<Readonly<Record<string, FieldValue>>>({});
	const fieldErrors = useSignal<Readonly<Record<string, string>>>({});
	const error = useSignal<string | null>(null);
	const isBusy = useSignal(false);
	const valueOf = (field: Field): FieldValue => values.value[field.customId] ?? field.initial;

	useLayoutEffect(() => {
		dialog.current?.showModal();
		if (fields[0]) focusField(fields[0].customId);
	}, []);

	function focusField(customId: string): void {
		const inputs = [...(dialog.current?.querySelectorAll<HTMLElement>("[data-field]") ?? [])];
		inputs.find((input) => input.dataset["field"] === customId)?.focus();
	}

	async function submit(): Promise<void> {
		error.value = null;
		fieldErrors.value = Object.fromEntries(fields.map((field) => [field.customId, fieldError(field, valueOf(field))]));
		const wrong = fields.find(({ customId }) => fieldErrors.value[customId]);
		if (wrong) return focusField(wrong.customId);
		isBusy.value = true;
		try {
			const sentFields = await Promise.all(
				fields.map((field) => readField(field, valueOf(field), (file) => api.upload(file, file.name))),
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
				onSubmit={(event) => {
					event.preventDefault();
					if (!isBusy.value) void submit();
				}}
			>
				<div class="modal-fields">
					{parts.map((part, at) =>
						part.kind === "text" ? (
							<div key={at} class="modal-text">
								<MarkdownText text={part.content} />
							</div>
						) : (
							<FormField
								key={part.customId}
								field={part}
								value={valueOf(part)}
								error={fieldErrors.value[part.customId] ?? ""}
								onChange={(value) => (values.value = { ...values.value, [part.customId]: value })}
							/>
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
					<button type="submit" class="button primary" disabled={isBusy.value}>
						{isBusy.value ? "Sending…" : submitLabel}
					</button>
				</div>
			</form>
		</dialog>
	);
}

interface FieldProps {
	readonly field: Field;
	readonly value: FieldValue;
	readonly error: string;
	readonly onChange: (value: FieldValue) => void;
}

function FormField(props: FieldProps) {
	const id = useId();
	const { kind, label, note, isRequired } = props.field;
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
			<FieldControl id={id} {...props} />
			<p class="field-error" id={`${id}-error`}>
				{props.error}
			</p>
		</Box>
	);
}

function FieldControl({ id, field, value, error, onChange }: FieldProps & { id: string }): ComponentChildren {
	const { customId, placeholder, isRequired, max } = field;
	const invalid = error !== "";
	const common = { "data-field": customId, "aria-describedby": `${id}-note ${id}-error`, "aria-invalid": invalid };
	const typed = {
		id,
		placeholder,
		autocomplete: "off",
		value: typeof value === "string" ? value : "",
		"aria-required": isRequired,
		...common,
	};
	const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
	switch (field.kind) {
		case "line":
			return <input {...typed} type="text" onInput={({ currentTarget }) => onChange(currentTarget.value)} />;
		case "paragraph":
			return <textarea {...typed} rows={4} onInput={({ currentTarget }) => onChange(currentTarget.value)} />;
		case "checkbox":
			return (
				<input
					{...common}
					id={id}
					type="checkbox"
					checked={value === true}
					onChange={({ currentTarget }) => onChange(currentTarget.checked)}
				/>
			);
		case "files":
			return (
				<input
					{...common}
					id={id}
					type="file"
					multiple={max > 1}
					accept={field.accept}
					aria-required={isRequired}
					onChange={({ currentTarget }) => onChange([...(currentTarget.files ?? [])])}
				/>
			);
		case "select":
			return (
				<select
					{...common}
					id={id}
					value={chosen[0] ?? ""}
					onChange={({ currentTarget }) => onChange(currentTarget.value === "" ? [] : [currentTarget.value])}
				>
					<option value="">{placeholder ?? "Make a selection"}</option>
					{field.choices.map((choice) => (
						<option key={choice.value} value={choice.value}>
							{choice.name}
						</option>
					))}
				</select>
			);
		case "radio":
		case "checkboxes":
			return (
				<div class="field-choices">
					{field.choices.map((choice) => (
						<label key={choice.value} class="field-choice">
							<input
								{...common}
								type={field.kind === "radio" ? "radio" : "checkbox"}
								name={id}
								checked={chosen.includes(choice.value)}
								onChange={({ currentTarget: { checked } }) => {
									const others = field.kind === "radio" ? [] : chosen.filter((one) => one !== choice.value);
									onChange(checked ? [...others, choice.value] : others);
								}}
							/>
							<span>
								{choice.name}
								{choice.note && <span class="note">{choice.note}</span>}
							</span>
						</label>
					))}
				</div>
			);
	}
}
