/** Tiles with a figure. */
import type { ComponentChildren } from "preact";
import type { Balance, LimitUse } from "../../src/schemas/credits.ts";
import type { Overview } from "../../src/schemas/overview.ts";
import { useApp } from "./app-context.ts";
import { Card } from "./card.tsx";

interface BalanceTileProps {
	readonly balance: Balance;
	readonly creditPrice?: Overview["creditPrice"];
	/** More notes, before the others. */
	readonly children?: ComponentChildren;
}

/** The credits that are left, reserved and about to expire. */
export function BalanceTile({ balance, creditPrice, children }: BalanceTileProps) {
	const { t, formats } = useApp();
	return (
		<Card title={t("dashboard.creditsLeft")} class="tile">
			<p class="figure">{formats.number(balance.availableCredits)}</p>
			<ul class="figure-notes">
				{creditPrice && <li>{formats.money(balance.availableCredits * creditPrice.amount, creditPrice.currency)}</li>}
				{children}
				{balance.heldCredits > 0 && <li>{t("dashboard.creditsReserved", { credits: balance.heldCredits })}</li>}
				{balance.expiring.map(({ credits, expiresAtMs }) => (
					<li key={expiresAtMs}>{t("dashboard.creditsExpire", { credits, date: formats.date(expiresAtMs) })}</li>
				))}
			</ul>
		</Card>
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
	/** Notes below the figure. */
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
