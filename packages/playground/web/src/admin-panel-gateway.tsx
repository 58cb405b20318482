import { Action, Section, type SectionProps } from "./admin-panel-fields.tsx";

/** Faults of the gateway: connections that end, and events that are lost or repeated. */
export function GatewaySection({ state: { events }, change }: SectionProps) {
	const connection = (label: string, act: string) => (
		<Action label={label} run={() => change("POST", "/gateway", { act })} />
	);
	const interaction = (label: string, act: string) => (
		<Action label={label} run={() => change("POST", "/events", { act, event: "INTERACTION_CREATE", times: 1 })} />
	);
	return (
		<Section title="Gateway">
			<div class="panel-line">
				{connection("Close", "close")}
				{connection("Request a reconnect", "reconnect")}
				{connection("Invalidate the session", "invalidate")}
				{connection("Stop answering", "silence")}
			</div>
			<div class="panel-line">
				{interaction("Drop the next interaction", "drop")}
				{interaction("Send it twice", "repeat")}
			</div>
			<p class="panel-note">
				{events
					.map(({ act, event = "Every event", times }) => {
						const what = act === "drop" ? "is dropped" : "is sent twice";
						return `${event} ${what}${times === undefined ? "" : `, ${times} times`}`;
					})
					.join(" · ")}
			</p>
		</Section>
	);
}
