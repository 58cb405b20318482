/** Parts that many pages share: cards, callouts, tiles and times. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { LimitUse } from "../../src/schemas/credits.ts";
import type { Overview } from "../../src/schemas/overview.ts";
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

interface LimitTileProps {
	readonly title: string;
	readonly limit: LimitUse | null;
	/** Shows the credits that are left instead of the used ones. */
	readonly showsLeft?: boolean;
}

/** A limit with its use: in numbers, and as a bar that says the same. */
export function LimitTile({ title, limit, showsLeft = false }: LimitTileProps) {
	const { t, formats } = useApp();
	if (!limit)
		return (
			<Card title={title} class="tile">
				<p class="figure quiet">{t("dashboard.noLimit")}</p>
			</Card>
		);
	const { credits: limitCredits, usedCredits, per, resetsAtMs } = limit;
	const figure = showsLeft ? Math.max(0, limitCredits - usedCredits) : usedCredits;
	const share = limitCredits === 0 ? 1 : Math.min(1, usedCredits / limitCredits);
	const level = share >= 1 ? "full" : share >= 0.8 ? "high" : "";
	return (
		<Card title={title} class="tile">
			<p class="figure">
				{formats.number(figure)} <small>/ {formats.number(limitCredits)}</small>
			</p>
			<div
				class={`meter ${level}`}
				role="meter"
				aria-label={title}
				aria-valuemin={0}
				aria-valuemax={limitCredits}
				aria-valuenow={Math.min(usedCredits, limitCredits)}
			>
				<div class="meter-bar" style={{ width: `${share * 100}%` }} />
			</div>
			<ul class="figure-notes">
				<li>{t("dashboard.limitUsed", { usedCredits, limitCredits, per })}</li>
				<li>{t("dashboard.limitResets", { time: formats.age(resetsAtMs) })}</li>
			</ul>
		</Card>
	);
}

interface SpentTileProps {
	readonly month: Overview["month"];
	/** 0 without monthly credits. */
	readonly monthlyCredits: number;
	readonly creditPrice: Overview["creditPrice"];
	/** More notes. */
	readonly children?: ComponentChildren;
}

/** The credits that were spent in the month, and the forecast. */
export function SpentTile({ month, monthlyCredits, creditPrice, children }: SpentTileProps) {
	const { t, formats } = useApp();
	const { spentCredits, forecastCredits } = month;
	const isOver = monthlyCredits > 0 && forecastCredits !== null && forecastCredits > monthlyCredits;
	return (
		<Card title={t("dashboard.spentThisMonth")} class="tile">
			<p class="figure">{formats.number(spentCredits)}</p>
			<ul class="figure-notes">
				{creditPrice && <li>{formats.money(spentCredits * creditPrice.amount, creditPrice.currency)}</li>}
				<li class={isOver ? "warn-text" : ""}>
					{forecastCredits === null
						? t("dashboard.forecastNone")
						: isOver
							? t("dashboard.forecastOver", { credits: forecastCredits, monthlyCredits })
							: t("dashboard.forecast", { credits: forecastCredits })}
				</li>
				{children}
			</ul>
		</Card>
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
