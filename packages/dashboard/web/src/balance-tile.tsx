/** The credits that are left, reserved and about to expire. */
import type { ComponentChildren } from "preact";
import type { Balance } from "../../src/schemas/credits.ts";
import type { Overview } from "../../src/schemas/overview.ts";
import { useApp } from "./app-context.ts";
import { Card } from "./card.tsx";

interface BalanceTileProps {
	readonly balance: Balance;
	readonly creditPrice?: Overview["creditPrice"];
	/** More notes, before the others. */
	readonly children?: ComponentChildren;
}

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
