/** Parts that many pages share: cards, callouts, meters and times. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Icon } from "./icon.tsx";

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

/** The heading of an entry that can be removed. */
export function RemovableHead({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
	const { t } = useApp();
	return (
		<div class="card-head">
			<h3>{name}</h3>
			<button type="button" class="icon-button" aria-label={t("dashboard.removeName", { name })} onClick={onRemove}>
				<Icon name="close" />
			</button>
		</div>
	);
}

export function Callout({
	kind,
	children,
}: {
	readonly kind: "warning" | "danger" | "info";
	readonly children: ComponentChildren;
}) {
	return (
		<div class={`callout ${kind}`}>
			<Icon name="alert" />
			<div>{children}</div>
		</div>
	);
}

interface UseMeterProps {
	readonly label: string;
	readonly usedCredits: number;
	readonly limitCredits: number;
}

/** A bar with the used credits of a limit; the words beside it say the same. */
export function UseMeter({ label, usedCredits, limitCredits }: UseMeterProps) {
	const share = limitCredits === 0 ? 1 : Math.min(1, usedCredits / limitCredits);
	const level = share >= 1 ? "full" : share >= 0.8 ? "high" : "";
	return (
		<div
			class={`meter ${level}`}
			role="meter"
			aria-label={label}
			aria-valuemin={0}
			aria-valuemax={limitCredits}
			aria-valuenow={Math.min(usedCredits, limitCredits)}
		>
			<div class="meter-bar" style={{ width: `${share * 100}%` }} />
		</div>
	);
}

/** A time, relative to now. Its title is exact. */
export function Time({ atMs }: { readonly atMs: number }) {
	const { formats } = useApp();
	return (
		<time dateTime={new Date(atMs).toISOString()} title={formats.moment(atMs)}>
			{formats.age(atMs)}
		</time>
	);
}
