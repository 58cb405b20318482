/** Dispatches interactions to the bot, and enforces the three seconds for a response. */
import type { APIInteraction } from "discord-api-types/v10";
import { interactionPayload } from "./interaction-payload.ts";
import { ANSWER_WITHIN_MS, type Interaction } from "./interactions.ts";
import type { Simulator } from "./simulator.ts";

/** The messages of Discord's client for a missing response. */
const TIMEOUT_REASONS = {
	command: "The application did not respond",
	autocomplete: "Loading options failed",
	component: "This interaction failed",
	modal: "Something went wrong, try again",
} as const;

/** Sends an interaction to the bot; `false` without a gateway session. */
export type SendInteraction = (interaction: APIInteraction, guildId: string | null) => boolean;

/** Returns the interaction's id; events report its outcome. */
export type DispatchInteraction = (interaction: Interaction, did: Parameters<typeof interactionPayload>[2]) => string;

export function createInteractionDispatcher({
	simulator,
	send,
	stop,
}: {
	simulator: Simulator;
	send: SendInteraction;
	stop: AbortSignal;
}): DispatchInteraction {
	const { interactions, clock } = simulator;

	/** Fails the interaction after three seconds without a response. */
	async function watch({ id, kind, createdMs }: Interaction): Promise<void> {
		await clock.sleep(Math.max(0, createdMs + ANSWER_WITHIN_MS - clock.nowMs()), stop);
		interactions.fail(id, TIMEOUT_REASONS[kind]);
	}
	for (const interaction of interactions.unanswered()) watch(interaction).catch(simulator.ignoreStop);

	return (interaction, did) => {
		const isDelivered = send(interactionPayload(simulator, interaction, did), interaction.guildId);
		if (isDelivered) watch(interaction).catch(simulator.ignoreStop);
		// Delayed until the response with the id is on its way: the page must receive that first.
		else
			setImmediate(() =>
				interactions.fail(interaction.id, `${TIMEOUT_REASONS[interaction.kind]}: no bot is connected`),
			);
		return interaction.id;
	};
}
