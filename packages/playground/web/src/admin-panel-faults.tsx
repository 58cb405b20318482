import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Action, NumberField, Section, type SectionProps, SelectField } from "./admin-panel-fields.tsx";
import { useApp } from "./app-context.ts";

const SECOND_MS = 1_000;
const FAULTS = {
	delay: "late response",
	"429": "429, too many requests",
	"500": "500, Discord is broken",
	"503": "503, Discord is down",
	"413": "413, too large",
	"403": "403, no access",
	hangUp: "connection cut",
	lost: "done, response lost",
};

/** Faults that the next requests of the bot meet. */
export function FaultSection({ state, change }: SectionProps) {
	const { api } = useApp();
	const routes = useSignal<readonly string[]>([]);
	const route = useSignal("");
	const fault = useSignal("delay");
	const times = useSignal(1);
	const seconds = useSignal(2);
	useEffect(() => {
		// Without the list, faults for any request still work.
		api.admin.routes().then(
			(answer) => (routes.value = answer.routes),
			() => undefined,
		);
	}, []);

	const inject = (): void =>
		change("POST", "/faults", {
			...(route.value !== "" && { route: route.value }),
			times: times.value,
			...faultOf(fault.value, seconds.value),
		});
	return (
		<Section title="Faults">
			<SelectField
				label="Request"
				value={route.value}
				options={{ "": "any", ...Object.fromEntries(routes.value.map((name) => [name, name])) }}
				onChange={(value) => (route.value = value)}
			/>
			<div class="panel-line">
				<SelectField label="Fault" value={fault.value} options={FAULTS} onChange={(value) => (fault.value = value)} />
				<NumberField
					label="Times"
					min={1}
					max={1_000}
					value={times.value}
					onChange={(value) => (times.value = value)}
				/>
				<NumberField
					label="Seconds"
					min={0}
					max={3_600}
					value={seconds.value}
					onChange={(value) => (seconds.value = value)}
				/>
			</div>
			<div class="panel-line">
				<Action label="Inject" run={inject} />
				<Action label="Clear all" run={() => change("DELETE", "/faults")} />
			</div>
			<ul class="panel-list" aria-label="Injected faults">
				{state.faults.map(({ route: met = "any request", times: left, answer, delayMs = 0 }, at) => (
					<li key={at}>
						{met}: {answer?.kind ?? `${delayMs / SECOND_MS} s late`}
						{left ? `, ${left} ×` : ""}
					</li>
				))}
			</ul>
		</Section>
	);
}

function faultOf(fault: string, seconds: number): object {
	switch (fault) {
		case "delay":
			return { delayMs: seconds * SECOND_MS };
		case "429":
			return { answer: { kind: "rateLimit", retryAfterS: seconds } };
		case "hangUp":
			return { answer: { kind: "hangUp" } };
		case "lost":
			return { acts: true, answer: { kind: "hangUp" } };
		default: {
			const codes: Readonly<Record<string, number>> = { "413": 40_005, "403": 50_001 };
			return { answer: { kind: "error", status: Number(fault), code: codes[fault] ?? 0 } };
		}
	}
}
