import { Action, Section, type SectionProps } from "./admin-panel-fields.tsx";
import { usePage } from "./app-context.ts";

/** Purchases and refunds of the items that the application sells. */
export function ShopSection({ state: { skus, entitlements }, change }: SectionProps) {
	const userId = usePage().me.user.id;
	return (
		<Section title="Shop">
			<div class="panel-line">
				{skus.map(({ id, name }) => (
					<Action key={id} label={`Buy ${name}`} run={() => change("POST", "/purchases", { userId, skuId: id })} />
				))}
			</div>
			<ul class="panel-list" aria-label="Purchases">
				{entitlements.toReversed().map(({ id, sku_id: skuId, consumed, deleted }) => (
					<li key={id}>
						{skus.find((item) => item.id === skuId)?.name ?? "An item"},{" "}
						{deleted ? "refunded" : consumed ? "consumed" : "not consumed yet"}{" "}
						{!deleted && <Action label="Refund" run={() => change("DELETE", `/purchases/${id}`)} />}
					</li>
				))}
			</ul>
		</Section>
	);
}
