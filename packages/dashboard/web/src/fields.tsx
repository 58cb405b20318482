/** Labeled fields of forms. */
import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Directory } from "../../src/schemas/directory.ts";
import { useApp, useServer } from "./app-context.ts";
import { RemoveButton } from "./card.tsx";
import { useForm } from "./form.tsx";
import { LIMIT_CREDITS_MAX, LIST_ENTRIES_MAX } from "../../src/limits.ts";
import { parseWholeNumber } from "../../src/parse-typed.ts";
import { valueAt } from "../../src/setting-paths.ts";
import { MentionText } from "./mention-text.tsx";
import { useSettings } from "./settings-form.tsx";

type Options<Value extends string> = readonly (readonly [value: Value, name: string])[];

interface FieldProps {
	readonly label: string;
	readonly hint?: string | undefined;
	/** Shown at once. */
	readonly error?: string | undefined;
	readonly isLabelHidden?: boolean | undefined;
}

interface FieldFrameProps extends FieldProps {
	readonly class?: string;
	/** Renders the field with these attributes, which connect it to its label and notes. */
	readonly children: (attributes: {
		readonly id: string;
		readonly class: string;
		readonly "aria-invalid": boolean;
		readonly "aria-describedby": string | undefined;
	}) => ComponentChildren;
}

/** A field with its label above it, and its hint and error below. */
export function Field({ label, hint, error, isLabelHidden = false, class: extra = "", children }: FieldFrameProps) {
	const id = useId();
	const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
	return (
		<div class={`field ${extra}`}>
			<label for={id} class={isLabelHidden ? "sr-only" : "field-label"}>
				{label}
			</label>
			{children({
				id,
				class: "input",
				"aria-invalid": error !== undefined,
				"aria-describedby": notes.join(" ") || undefined,
			})}
			<Hint id={id} text={hint} />
			{error !== undefined && (
				<p id={`${id}-error`} class="field-error" role="alert">
					<MentionText text={error} />
				</p>
			)}
		</div>
	);
}

function Hint({ id, text }: { readonly id: string; readonly text: string | undefined }) {
	return text === undefined ? null : (
		<p id={`${id}-hint`} class="hint">
			{text}
		</p>
	);
}

/** Keeps the form from being submitted while there is a problem. Returns it from the first attempt on. */
export function useFieldProblem(problem: string | undefined) {
	const form = useForm();
	const input = useRef<HTMLInputElement>(null);
	useLayoutEffect(() => input.current?.setCustomValidity(problem ?? ""));
	return { input, shownProblem: form?.isChecked.value ? problem : undefined };
}

interface SelectFieldProps<Value extends string> extends FieldProps {
	readonly value: Value;
	readonly options: Options<Value>;
	readonly onChange: (value: Value) => void;
}

/** Also offers a value that is no longer among the options, so that the menu shows it. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
	const { value, options, onChange, ...field } = props;
	const isKnown = options.some(([each]) => each === value);
	return (
		<Field {...field}>
			{(attributes) => (
				<select {...attributes} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
					{(isKnown ? options : [...options, [value, value] as const]).map(([each, name]) => (
						<option key={each} value={each}>
							{name}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

/** The options of a menu of channels, with their categories: several channels may have the same name. */
export function channelOptions(channels: Directory["channels"]): Options<string> {
	return channels.map(({ id, name, category }) => [id, category === null ? `#${name}` : `${category} / #${name}`]);
}

interface ChannelFieldProps extends Pick<FieldProps, "label" | "hint"> {
	/** The setting that the field changes. */
	readonly path: readonly ["warnChannelId" | "logChannelId" | "reportChannelId"] | readonly ["showcase", "channelId"];
}

/** A channel for posts of the bot, or none. */
export function ChannelField({ path, ...field }: ChannelFieldProps) {
	const { t } = useApp();
	const { settingsStore } = useServer();
	const { settings, directory, set } = useSettings();
	const channels = channelOptions(directory.channels.filter(({ canBePostedTo }) => canBePostedTo));
	return (
		<SelectField
			{...field}
			error={settingsStore.denialOf(path.join("."))}
			value={(valueAt(settings, path) as string | null) ?? ""}
			options={[["", t("dashboard.channelNone")], ...channels]}
			onChange={(id) => set(path, id || null)}
		/>
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

interface CheckFieldProps extends Pick<FieldProps, "label" | "hint"> {
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

interface UnlessListedProps<Value> {
	readonly label: string;
	readonly value: Value;
	/** The values that are off. */
	readonly off: readonly Value[];
	readonly onChange: (off: Value[]) => void;
}

/** Turns a value off by adding it to a list. */
export function UnlessListed<Value>({ label, value, off, onChange }: UnlessListedProps<Value>) {
	return (
		<CheckField
			label={label}
			isOn={!off.includes(value)}
			onChange={(isOn) => onChange(isOn ? off.filter((each) => each !== value) : [...off, value])}
		/>
	);
}

type InputAttributes = Pick<ComponentProps<"input">, "inputMode" | "onFocus" | "placeholder" | "readOnly">;

interface TextFieldProps extends FieldProps, InputAttributes {
	/** A day is `2026-11-30`, a time of the reader's time zone `2026-11-30T18:00`. */
	readonly value: string;
	readonly onInput: (value: string) => void;
	readonly type?: "text" | "date" | "datetime-local";
	/** The fewest and the most characters, without spaces around them. */
	readonly chars?: readonly [min: number, max: number];
	/** Says why a form with this value cannot be submitted. Shown after an attempt to do so. */
	readonly problem?: string | undefined;
	/** Offered while the reader types, who may enter another text. */
	readonly suggestions?: readonly string[];
}

export function TextField(props: TextFieldProps) {
	const {
		label,
		hint,
		error,
		isLabelHidden,
		value,
		onInput,
		type = "text",
		chars,
		problem,
		suggestions,
		...input
	} = props;
	const [charsMin, charsMax] = chars ?? [0, undefined];
	const { t } = useApp();
	const listId = useId();
	const isTooShort = value.trim().length < charsMin;
	const { input: ref, shownProblem } = useFieldProblem(
		problem ?? (isTooShort ? t("dashboard.lengthInvalid", { min: charsMin, max: charsMax ?? 0 }) : undefined),
	);
	return (
		<Field label={label} hint={hint} error={error ?? shownProblem} isLabelHidden={isLabelHidden}>
			{(attributes) => (
				<>
					<input
						{...attributes}
						{...input}
						ref={ref}
						type={type}
						list={suggestions && listId}
						autocomplete="off"
						maxLength={charsMax}
						value={value}
						onInput={({ currentTarget }) => onInput(currentTarget.value)}
					/>
					{suggestions && (
						<datalist id={listId}>
							{suggestions.map((each) => (
								<option key={each} value={each} />
							))}
						</datalist>
					)}
				</>
			)}
		</Field>
	);
}

type SignalFieldProps = Omit<TextFieldProps, "value" | "onInput"> & { readonly text: Signal<string> };

export function SignalField({ text, ...field }: SignalFieldProps) {
	return <TextField {...field} value={text.value} onInput={(typed) => (text.value = typed)} />;
}

interface ParsedFieldProps<Value> extends Pick<
	TextFieldProps,
	"label" | "hint" | "isLabelHidden" | "inputMode" | "placeholder" | "suggestions"
> {
	readonly value: Value;
	/** The value as the field shows it. */
	readonly valueText: string;
	/** Returns `undefined` for a text that is no allowed value. */
	readonly parse: (text: string) => Value | undefined;
	/** The error below such a text. */
	readonly invalidText: string;
	readonly onChange: (value: Value) => void;
}

/**
 * A field for a value that the reader types. Keeps the typed text; its form, or the Save bar, waits until it is a value. Meanwhile the
 * value is the one from before the reader typed: the beginning of a text such as `12,5` may be a value, too.
 */
export function ParsedField<Value>(props: ParsedFieldProps<Value>) {
	const { value, valueText, parse, invalidText, onChange, ...field } = props;
	const { settingsStore } = useServer();
	const isSetting = useForm() === null;
	const id = useId();
	/** The text, the value before the reader typed it, and the value that it has set. */
	const typed = useSignal<{ readonly text: string; readonly before: Value; readonly set: Value } | null>(null);
	// Another value was set elsewhere.
	const own = typed.value?.set === value ? typed.value : null;
	const text = own?.text ?? valueText;
	// A stored value that is no longer allowed must not block other changes.
	const isInvalid = text !== valueText && parse(text) === undefined;
	const error = isInvalid ? invalidText : undefined;
	useEffect(() => void (typed.value = null), [settingsStore.resets.value]);
	useEffect(() => {
		if (!isSetting) return undefined;
		settingsStore.setInvalid(id, isInvalid);
		return () => settingsStore.setInvalid(id, false);
	}, [isInvalid]);
	return (
		<TextField
			{...field}
			value={text}
			error={error}
			problem={error}
			onInput={(input) => {
				const before = own ? own.before : value;
				const parsed = parse(input);
				const set = parsed === undefined ? before : parsed;
				typed.value = { text: input, before, set };
				onChange(set);
			}}
			onFocus={() => (typed.value = own && { ...own, before: value })}
		/>
	);
}

interface NumberFieldProps extends Pick<TextFieldProps, "label" | "hint" | "isLabelHidden" | "placeholder"> {
	/** `null`: an empty field. */
	readonly value: number | null;
	readonly onChange: (value: number | null) => void;
	readonly min?: number;
	readonly max?: number;
	/** The field may be empty. */
	readonly isOptional?: boolean;
}

/** A field for a whole number; `null` if it is empty. */
export function NumberField({ min = 0, max = Infinity, isOptional = true, ...field }: NumberFieldProps) {
	const { t, formats } = useApp();
	return (
		<ParsedField
			placeholder={isOptional ? t("dashboard.noLimit") : undefined}
			{...field}
			inputMode="numeric"
			valueText={field.value === null ? "" : formats.number(field.value)}
			invalidText={t("dashboard.limitInvalid", { min, max: Math.min(max, LIMIT_CREDITS_MAX) })}
			parse={(text) => {
				const limit = parseWholeNumber(text, LIMIT_CREDITS_MAX);
				if (limit === undefined || limit === null) return isOptional ? limit : undefined;
				return limit >= min && limit <= max ? limit : undefined;
			}}
		/>
	);
}

interface UnlessFullProps {
	/** The present number of entries. */
	readonly count: number;
	readonly max: number;
	readonly children: ComponentChildren;
}

/** Shows what adds to a list while the list has room. */
export function UnlessFull({ count, max, children }: UnlessFullProps) {
	const { t } = useApp();
	return count < max ? (
		<>{children}</>
	) : (
		<p class="hint" role="alert">
			{t("dashboard.listFull", { max })}
		</p>
	);
}

interface IdListProps {
	readonly label: string;
	readonly ids: readonly string[];
	readonly options: Options<string>;
	readonly onChange: (ids: string[]) => void;
}

/** A list of channels, roles or models: remove them one by one, or add one from a menu. */
export function IdList({ label, ids, options, onChange }: IdListProps) {
	const { t } = useApp();
	const names = new Map(options);
	const rest = options.filter(([id]) => !ids.includes(id));
	return (
		<fieldset class="field">
			<legend class="field-label">{label}</legend>
			{ids.length > 0 && (
				<ul class="chips">
					{ids.map((id) => (
						<Chip key={id} name={names.get(id) ?? id} onRemove={() => onChange(ids.filter((each) => each !== id))} />
					))}
				</ul>
			)}
			<UnlessFull count={ids.length} max={LIST_ENTRIES_MAX}>
				<AddSelect
					label={t("dashboard.addTo", { name: label })}
					options={rest}
					onAdd={(id) => onChange([...ids, id])}
				/>
			</UnlessFull>
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
	return (
		<li class="chip">
			<span class="ellipsis">{children ?? name}</span>
			<RemoveButton name={name} onRemove={onRemove} />
		</li>
	);
}

interface AddSelectProps {
	readonly label: string;
	readonly options: Options<string>;
	readonly onAdd: (id: string) => void;
}

/** A menu and a button that adds its choice: the arrow keys already change the choice. */
export function AddSelect({ label, options, onAdd }: AddSelectProps) {
	const { t } = useApp();
	const chosen = useSignal("");
	// A choice that was added elsewhere is no longer offered.
	const value = options.some(([id]) => id === chosen.value) ? chosen.value : "";
	return (
		<div class="add-select">
			<SelectField
				label={label}
				isLabelHidden
				value={value}
				options={[["", t("dashboard.addOne")], ...options]}
				onChange={(id) => (chosen.value = id)}
			/>
			<button
				type="button"
				class="button"
				aria-disabled={value === ""}
				onClick={() => {
					if (value === "") return;
					chosen.value = "";
					onAdd(value);
				}}
			>
				{t("dashboard.add")}
			</button>
		</div>
	);
}
