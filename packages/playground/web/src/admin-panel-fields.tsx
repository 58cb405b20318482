/** The parts of the panels: their frame, sections, buttons and labeled fields. */
import type { Locale } from "discord-api-types/v10";
import type { ComponentChildren } from "preact";
import { useApp } from "./app-context.ts";
import type { AdminClient, AdminState } from "./contract.ts";
import { languageName } from "./display-names.ts";

/** Changes the playground by the admin API. */
export type Change = (action: (admin: AdminClient) => Promise<AdminState>) => void;

export interface SectionProps {
	readonly state: AdminState;
	readonly change: Change;
}

const LANGUAGES = ["en-US", "de", "fr", "es-ES", "pt-BR", "ja", "ko", "zh-CN"];

/** A panel beside the conversation, or over it on a narrow page. Only the open one is mounted. */
export function Panel({ title, children }: { title: string; children: ComponentChildren }) {
	const { closeDrawer } = useApp();
	return (
		<aside class="side panel" aria-label={title} tabIndex={-1} data-drawer>
			<header class="row panel-head">
				<h2>{title}</h2>
				<Action label="Close" run={closeDrawer} />
			</header>
			<div class="panel-body" tabIndex={-1}>
				{children}
			</div>
		</aside>
	);
}

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
	return (
		<section class="panel-section" aria-label={title}>
			<h3>{title}</h3>
			{children}
		</section>
	);
}

/** A button. Without `run`, it submits its form. */
export function Action({ label, run }: { label: string; run?: () => void }) {
	return (
		<button type={run ? "button" : "submit"} class="button small" onClick={run}>
			{label}
		</button>
	);
}

interface SelectFieldProps {
	readonly label: string;
	readonly value: string;
	/** Values and their names. */
	readonly options: Readonly<Record<string, string>>;
	readonly onChange: (value: string) => void;
}

export function SelectField({ label, value, options, onChange }: SelectFieldProps) {
	return (
		<label class="panel-field">
			<span>{label}</span>
			<select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
				{Object.entries(options).map(([each, name]) => (
					<option key={each} value={each}>
						{name}
					</option>
				))}
			</select>
		</label>
	);
}

interface LanguageFieldProps extends Pick<SelectFieldProps, "label" | "value"> {
	readonly onChange: (locale: `${Locale}`) => void;
}

export function LanguageField({ label, value, onChange }: LanguageFieldProps) {
	const options = Object.fromEntries(LANGUAGES.map((locale) => [locale, languageName(locale)]));
	return (
		<SelectField label={label} value={value} options={options} onChange={(locale) => onChange(locale as `${Locale}`)} />
	);
}

interface CheckFieldProps {
	readonly label: string;
	readonly isOn: boolean;
	readonly onChange: (isOn: boolean) => void;
}

export function CheckField({ label, isOn, onChange }: CheckFieldProps) {
	return (
		<label class="row panel-check">
			<input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
			<span>{label}</span>
		</label>
	);
}

interface NumbersFormProps {
	/** `numberOf` returns the number of a field, which the browser has checked. */
	readonly onSubmit: (numberOf: (name: string) => number) => void;
	readonly children: ComponentChildren;
}

/** A form of fields for numbers. */
export function NumbersForm({ onSubmit, children }: NumbersFormProps) {
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				const fields = new FormData(event.currentTarget);
				onSubmit((name) => Number(fields.get(name)));
			}}
		>
			{children}
		</form>
	);
}

interface NumberFieldProps {
	readonly label: string;
	readonly name: string;
	readonly min: number;
	readonly max: number;
	readonly initial: number;
}

export function NumberField({ label, initial, ...attributes }: NumberFieldProps) {
	return (
		<label class="panel-field">
			<span>{label}</span>
			<input type="number" required defaultValue={String(initial)} {...attributes} />
		</label>
	);
}
