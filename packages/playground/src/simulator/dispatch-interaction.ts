/** Dispatches interactions to the bot, and enforces the three seconds for a response. */
import type { APIInteraction } from "discord-api-types/v10";
import { interactionPayload } from "./interaction-payload.ts";
import { ANSWER_WITHIN_MS, type Interaction } from "./interactions.ts";
import type { Simulator } from "./simulator.ts";

/** The messages of Discord's client for a missing response. */
const NO_ANSWER = {
	command: "The application did not respond",
	autocomplete: "Loading options failed",
	component: "This interaction failed",
	modal: "Something went wrong, try again",
} as const;

/** Sends an interaction to the bot; `false` without a gateway session. */
export type Deliver = (interaction: APIInteraction, guildId: string | null) => boolean;

/** Returns the interaction's id; events report its outcome. */
export type Bring = (interaction: Interaction, did: Parameters<typeof interactionPayload>[2]) => string;

export function createBring({
	simulator,
	deliver,
	stop,
}: {
	simulator: Simulator;
	deliver: Deliver;
	stop: AbortSignal;
}): Bring {
	const { interactions, clock } = simulator;

	/** Fails the interaction after three seconds without a response. */
	async function watch({ id, kind, createdMs }: Interaction): Promise<void> {
		await clock.sleep(Math.max(0, createdMs + ANSWER_WITHIN_MS - clock.nowMs()), stop);
		interactions.fail(id, NO_ANSWER[kind]);
	}
	for (const interaction of interactions.waiting()) watch(interaction).catch(simulator.ignoreStop);

	return (interaction, did) => {
		const isDelivered = deliver(interactionPayload(simulator, interaction, did), interaction.guildId);
		if (isDelivered) watch(interaction).catch(simulator.ignoreStop);
		// Delayed until the response with the id is on its way: the page must receive that first.
		else setImmediate(() => interactions.fail(interaction.id, `${NO_ANSWER[interaction.kind]}: no bot is connected`));
		return interaction.id;
	};
}
