import { SUBMIT_OUTCOMES, type StudioEvents, type StudioStatus } from "@atelier/studio/studio-events";
import type { Metrics } from "./metrics.ts";

const STATES = ["pending", "processing", "success", "failed", "canceled"] as const;
/** The most engines that an engine file may list. */
const ENGINES = { max: 50 } as const;
const HEALTH = { up: 2, degraded: 1, down: 0 } as const;

/** Creates the metrics of the studio and its engines. A scrape calls `readStatus`. */
export function createStudioMetrics(metrics: Metrics, readStatus: () => Promise<StudioStatus>): StudioEvents {
	const submits = metrics.counter("atelier_studio_submits_total", "Submits at the studio, by outcome.", {
		outcome: SUBMIT_OUTCOMES,
	});
	const moves = metrics.counter("atelier_studio_tasks_total", "Tasks of the studio that entered a state.", {
		state: STATES,
	});
	metrics.value(
		"atelier_studio_tasks_open",
		"Waiting and running tasks, in all processes of the studio.",
		async () => (await readStatus()).openTasks,
	);
	const label = { engine: ENGINES };
	const ofEngines = (name: string, help: string, value: (engine: StudioStatus["engines"][number]) => number): void =>
		metrics.gauge(name, help, label, async () =>
			(await readStatus()).engines.map((engine) => ({ labels: { engine: engine.name }, value: value(engine) })),
		);
	ofEngines("atelier_studio_engine_running", "Tasks that this process runs at an engine.", ({ running }) => running);
	ofEngines("atelier_studio_engine_slots", "The limit of concurrent tasks.", ({ slots }) => slots);
	ofEngines("atelier_studio_engine_health", "2 up, 1 after a failure, 0 down.", ({ health }) => HEALTH[health]);
	return {
		submitted: (outcome) => submits.add({ outcome }),
		moved: (state) => moves.add({ state }),
	};
}
