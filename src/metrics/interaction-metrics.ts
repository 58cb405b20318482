import type { Interaction } from "discord.js";
import type { Clock } from "@atelier/common/clock";
import { NO_LABELS, type Metrics } from "./metrics.ts";

interface InteractionMetricsDeps {
	readonly commands: readonly { readonly definition: { readonly name: string } }[];
	readonly clock: Clock;
}

/** In seconds. Discord waits three seconds for the first response; later edits are possible. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 10] as const;

/** Runs `work`, the handling of an interaction, and measures it. */
type InteractionTimer = (interaction: Interaction, work: () => Promise<void>) => Promise<void>;

/** Measures the duration of interactions and their age at arrival. */
export function createInteractionMetrics(
	{ commands, clock }: InteractionMetricsDeps,
	metrics: Metrics,
): InteractionTimer {
	const names = commands.map(({ definition }) => definition.name);
	const label = { command: [...names, "autocomplete", "component"] };
	const seconds = metrics.histogram(
		"atelier_command_seconds",
		"From the arrival of an interaction to the end of its handling.",
		label,
		BUCKETS,
	);
	const age = metrics.histogram(
		"atelier_interaction_age_seconds",
		"Age of interactions at their arrival: above three seconds, Discord has failed them.",
		NO_LABELS,
		BUCKETS,
	);
	async function time(interaction: Interaction, arrivedAtMs: number, work: () => Promise<void>): Promise<void> {
		await work();
		seconds.observe({ command: nameOf(interaction) }, (clock.nowMs() - arrivedAtMs) / 1000);
	}

	// Throws synchronously for a malformed id: such an interaction cannot be handled.
	return (interaction, work) => {
		const arrivedAtMs = clock.nowMs();
		age.observe({}, (arrivedAtMs - interaction.createdTimestamp) / 1000);
		return time(interaction, arrivedAtMs, work);
	};
}

function nameOf(interaction: Interaction): string {
	if (interaction.isAutocomplete()) return "autocomplete";
	return interaction.isCommand() ? interaction.commandName : "component";
}
