/** Labeled fields of forms. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { useApp, useServer } from "./app-context.ts";
import { Icon } from "./icon.tsx";
import { LIMIT_CREDITS_MAX } from "../../src/schemas.ts";
import { parseLimit } from "./parse-limit.ts";

type Options<Value extends string> = readonly (readonly [value: Value, name: string])[];

interface FieldProps {
	readonly label: string;
	readonly hint?: string | undefined;
}

interface SelectFieldProps<Value extends string> extends FieldProps {
	readonly value: Value;
	readonly options: Options<Value>;
	readonly onChange: (value: Value) => void;
	readonly isLabelHidden?: boolean;
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
	const { label, hint, value, options, onChange, isLabelHidden = false } = props;
	const id = useId();
	return (
		<div class="field">
			<label for={id} class={isLabelHidden ? "sr-only" : "field-label"}>
				{label}
			</label>
			<select
				id={id}
				class="input"
				value={value}
				aria-describedby={hint === undefined ? undefined : `${id}-hint`}
				onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
			>
				{options.map(([each, name]) => (
					<option key={each} value={each}>
						{name}
					</option>
				))}
			</select>
			<Hint id={id} text={hint} />
		</div>
	);
}

/** A few options side by side, of which one is chosen. */
export function Choice<Value extends string>({ label, value, options, onChange }: SelectFieldProps<Value>) {
	const name = useId();
	return (
		<fieldset class="choice">
			<legend class="sr-only">{label}</legend>
			{options.map(([each, text]) => (
				<label key={each}>
					<input type="radio" name={name} value={each} checked={each === value} onChange={() => onChange(each)} />
					<span>{text}</span>
				</label>
			))}
		</fieldset>
	);
}

interface CheckFieldProps extends FieldProps {
	readonly isOn: boolean;
	readonly onChange: (isOn: boolean) => void;
}

export function CheckField({ label, hint, isOn, onChange }: CheckFieldProps) {
	const id = useId();
	return (
		<div class="check">
			<input
				id={id}
				type="checkbox"
				checked={isOn}
				aria-describedby={hint === undefined ? undefined : `${id}-hint`}
				onChange={({ currentTarget }) => onChange(currentTarget.checked)}
			/>
			<div>
				<label for={id}>{label}</label>
				<Hint id={id} text={hint} />
			</div>
		</div>
	);
}

interface FieldNoteProps {
	/** The id of the field, which refers to the note by `aria-describedby`. */
	readonly id: string;
	readonly text: string | undefined;
}

export function Hint({ id, text }: FieldNoteProps) {
	return text === undefined ? null : (
		<p id={`${id}-hint`} class="hint">
			{text}
		</p>
	);
}

export function FieldError({ id, text }: FieldNoteProps) {
	return text === undefined ? null : (
		<p id={`${id}-error`} class="field-error">
			{text}
		</p>
	);
}

interface TextFieldProps extends FieldProps {
	readonly value: string;
	readonly onInput: (value: string) => void;
	readonly error?: string | undefined;
	readonly isLabelHidden?: boolean;
	readonly isReadOnly?: boolean;
	readonly inputMode?: "numeric" | "text";
	readonly placeholder?: string | undefined;
	readonly maxLength?: number;
	/** Values to choose from, with their names. Other texts stay possible. */
	readonly suggestions?: Options<string>;
	/** Runs for the Enter key. */
	readonly onEnter?: () => void;
}

export function TextField(props: TextFieldProps) {
	const { label, hint, value, onInput, error, isLabelHidden = false, isReadOnly = false, suggestions, onEnter } = props;
	const id = useId();
	const described = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
		.filter(Boolean)
		.join(" ");
	return (
		<div class="field">
			<label for={id} class={isLabelHidden ? "sr-only" : "field-label"}>
				{label}
			</label>
			<input
				id={id}
				class="input"
				type="text"
				autocomplete="off"
				inputMode={props.inputMode ?? "text"}
				placeholder={props.placeholder}
				maxLength={props.maxLength}
				readOnly={isReadOnly}
				value={value}
				list={suggestions && `${id}-list`}
				aria-invalid={error !== undefined}
				aria-describedby={described || undefined}
				onInput={({ currentTarget }) => onInput(currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key !== "Enter" || !onEnter) return;
					event.preventDefault();
					onEnter();
				}}
			/>
			{suggestions && (
				<datalist id={`${id}-list`}>
					{suggestions.map(([each, name]) => (
						<option key={each} value={each}>
							{name}
						</option>
					))}
				</datalist>
			)}
			<Hint id={id} text={hint} />
			<FieldError id={id} text={error} />
		</div>
	);
}

interface TimeFieldProps extends FieldProps {
	/** A time of the reader's time zone, as `2026-11-30T18:00`; empty for none. */
	readonly value: string;
	readonly onInput: (value: string) => void;
	readonly error?: string | undefined;
	/** Chooses a day, without the time. */
	readonly isDay?: boolean;
}

export function TimeField({ label, value, onInput, error, isDay = false }: TimeFieldProps) {
	const id = useId();
	return (
		<div class="field">
			<label for={id} class="field-label">
				{label}
			</label>
			<input
				id={id}
				class="input"
				type={isDay ? "date" : "datetime-local"}
				value={value}
				aria-invalid={error !== undefined}
				aria-describedby={error === undefined ? undefined : `${id}-error`}
				onInput={({ currentTarget }) => onInput(currentTarget.value)}
			/>
			<FieldError id={id} text={error} />
		</div>
	);
}

interface LimitFieldProps extends FieldProps {
	/** `null`: no limit. */
	readonly value: number | null;
	readonly onChange: (value: number | null) => void;
	readonly isLabelHidden?: boolean;
	/** Shown in an empty field. */
	readonly placeholder?: string;
	readonly min?: number;
	readonly max?: number;
	/** The field may be empty. */
	readonly isOptional?: boolean;
}

/** A field of the settings for a number of credits. Keeps the typed text; the Save bar waits until it is a limit. */
export function LimitField(props: LimitFieldProps) {
	const { value, onChange, min = 0, max = Infinity, isOptional = true, ...field } = props;
	const { t, formats } = useApp();
	const { settings } = useServer();
	const id = useId();
	const isAllowed = (limit: number | null | undefined): limit is number | null =>
		limit === null ? isOptional : limit !== undefined && limit >= min && limit <= max;
	const text = useSignal(value === null ? "" : formats.number(value));
	const isInvalid = !isAllowed(parseLimit(text.value));
	useEffect(() => {
		// The value changed elsewhere, such as by Discard.
		if (parseLimit(text.value) !== value) text.value = value === null ? "" : formats.number(value);
	}, [value, settings.resets.value]);
	useEffect(() => {
		settings.setInvalid(id, isInvalid);
		return () => settings.setInvalid(id, false);
	}, [isInvalid]);
	return (
		<TextField
			placeholder={isOptional ? t("dashboard.noLimit") : undefined}
			{...field}
			inputMode="numeric"
			value={text.value}
			error={isInvalid ? t("dashboard.limitInvalid", { min, max: Math.min(max, LIMIT_CREDITS_MAX) }) : undefined}
			onInput={(typed) => {
				text.value = typed;
				const limit = parseLimit(typed);
				if (isAllowed(limit)) onChange(limit);
			}}
		/>
	);
}

interface IdListProps extends FieldProps {
	readonly ids: readonly string[];
	readonly options: Options<string>;
	readonly onChange: (ids: string[]) => void;
}

/** A list of channels, roles or models: remove them one by one, or add one from a menu. */
export function IdList({ label, hint, ids, options, onChange }: IdListProps) {
	const { t } = useApp();
	const names = new Map(options);
	const rest = options.filter(([id]) => !ids.includes(id));
	return (
		<fieldset class="field">
			<legend class="field-label">{label}</legend>
			{hint !== undefined && <p class="hint">{hint}</p>}
			{ids.length > 0 && (
				<ul class="chips">
					{ids.map((id) => (
						<Chip key={id} name={names.get(id) ?? id} onRemove={() => onChange(ids.filter((each) => each !== id))} />
					))}
				</ul>
			)}
			<AddSelect label={t("dashboard.addTo", { name: label })} options={rest} onAdd={(id) => onChange([...ids, id])} />
		</fieldset>
	);
}

interface ChipProps {
	readonly name: string;
	readonly onRemove: () => void;
	/** Shown instead of the name. */
	readonly children?: ComponentChildren;
}

export function Chip({ name, onRemove, children }: ChipProps) {
	const { t } = useApp();
	return (
		<li class="chip">
			<span class="ellipsis">{children ?? name}</span>
			<button type="button" class="icon-button" aria-label={t("dashboard.removeName", { name })} onClick={onRemove}>
				<Icon name="close" />
			</button>
		</li>
	);
}

interface AddSelectProps {
	readonly label: string;
	readonly options: Options<string>;
	readonly onAdd: (id: string) => void;
}

/** A menu that adds its choice at once. */
export function AddSelect({ label, options, onAdd }: AddSelectProps) {
	const { t } = useApp();
	return (
		<select
			class="input add"
			aria-label={label}
			disabled={options.length === 0}
			value=""
			onChange={({ currentTarget }) => {
				const id = currentTarget.value;
				currentTarget.value = "";
				if (id !== "") onAdd(id);
			}}
		>
			<option value="">{t("dashboard.addOne")}</option>
			{options.map(([id, name]) => (
				<option key={id} value={id}>
					{name}
				</option>
			))}
		</select>
	);
}
