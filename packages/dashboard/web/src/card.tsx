/** Parts that many pages share: headings, cards, callouts and times. */
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Icon } from "./icon.tsx";

interface PageHeadProps {
	readonly title: string;
	readonly lead?: string;
	/** Links and choices beside the heading. */
	readonly children?: ComponentChildren;
}

/** The heading of a page, which also names the tab of the browser. */
export function PageHead({ title, lead, children }: PageHeadProps) {
	const { t } = useApp();
	useEffect(() => {
		document.title = `${title} · ${t("dashboard.title")}`;
	}, [title]);
	return (
		<div class="page-head">
			<div>
				<h1 tabIndex={-1}>{title}</h1>
				{lead !== undefined && <p class="lead">{lead}</p>}
			</div>
			{children !== undefined && <div class="page-tools">{children}</div>}
		</div>
	);
}

interface CardProps {
	readonly title: string;
	readonly lead?: string | undefined;
	/** Beside the title. */
	readonly tools?: ComponentChildren;
	readonly class?: string;
	readonly children: ComponentChildren;
}

/** A part of a page with a heading. */
export function Card({ title, lead, tools, class: extra = "", children }: CardProps) {
	const id = useId();
	return (
		<section class={`card ${extra}`} aria-labelledby={id}>
			<div class="card-head">
				<h2 id={id}>{title}</h2>
				{tools}
			</div>
			{lead !== undefined && <p class="card-lead">{lead}</p>}
			{children}
		</section>
	);
}

interface RemoveProps {
	readonly name: string;
	readonly onRemove: () => void;
}

export function RemoveButton({ name, onRemove }: RemoveProps) {
	const { t } = useApp();
	return (
		<button type="button" class="icon-button" aria-label={t("dashboard.removeName", { name })} onClick={onRemove}>
			<Icon name="close" />
		</button>
	);
}

/** The heading of an entry that can be removed. */
export function RemovableHead({ name, onRemove }: RemoveProps) {
	return (
		<div class="card-head">
			<h3>{name}</h3>
			<RemoveButton name={name} onRemove={onRemove} />
		</div>
	);
}

interface CalloutProps {
	readonly kind: "warning" | "danger" | "info";
	readonly children: ComponentChildren;
}

export function Callout({ kind, children }: CalloutProps) {
	return (
		<div class={`callout ${kind}`}>
			<Icon name="alert" />
			<div>{children}</div>
		</div>
	);
}

interface TimeProps {
	readonly atMs: number;
	/** Shown instead of the time alone. */
	readonly text?: string | undefined;
}

/** A time, relative to now. Its title is exact. */
export function Time({ atMs, text }: TimeProps) {
	const { formats } = useApp();
	return (
		<time dateTime={new Date(atMs).toISOString()} title={formats.moment(atMs)}>
			{text ?? formats.age(atMs)}
		</time>
	);
}
