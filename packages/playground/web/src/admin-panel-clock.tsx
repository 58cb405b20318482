import { Action, Section, type SectionProps } from "./admin-panel-fields.tsx";

const SECOND_MS = 1_000;
const STEPS = { "+3 s": 3_000, "+15 min": 900_000, "+1 day": 86_400_000 };

/** The clock of the playground, which can be moved forward. */
export function ClockSection({ state: { nowMs }, change }: SectionProps) {
	const aheadMs = nowMs - Date.now();
	const ahead = aheadMs > SECOND_MS ? `, ${Math.round(aheadMs / SECOND_MS).toLocaleString()} s ahead` : "";
	return (
		<Section title="Clock">
			<output class="panel-now">{new Date(nowMs).toLocaleTimeString() + ahead}</output>
			<div class="panel-line">
				{Object.entries(STEPS).map(([label, advanceMs]) => (
					<Action key={label} label={label} run={() => change("POST", "/clock", { advanceMs })} />
				))}
			</div>
		</Section>
	);
}
