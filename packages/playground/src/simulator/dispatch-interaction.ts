/** Brings what a person did to the bot, and watches the three seconds in which it has to answer. */
import type { APIInteraction } from "discord-api-types/v10";
import { interactionPayload } from "./interaction-payload.ts";
import { ANSWER_WITHIN_MS, type Interaction } from "./interactions.ts";
import type { World } from "./simulator.ts";

/** What Discord's client says when there is no answer, by what the person did. */
const NO_ANSWER = {
	command: "The application did not respond",
	autocomplete: "Loading options failed",
	component: "This interaction failed",
	modal: "Something went wrong, try again",
} as const;

/** The way to the bot. `false` where no gateway session is there to hear of it. */
export type Deliver = (interaction: APIInteraction, guildId: string | null) => boolean;

/** Returns the interaction's id at once; what becomes of it is told by the world's events. */
export type Bring = (interaction: Interaction, did: Parameters<typeof interactionPayload>[2]) => string;

export function createBring({ world, deliver, stop }: { world: World; deliver: Deliver; stop: AbortSignal }): Bring {
	const { interactions, clock } = world;

	/** Ends the interaction when its three seconds are over and nobody answered. */
	async function watch({ id, kind, createdMs }: Interaction): Promise<void> {
		await clock.sleep(Math.max(0, createdMs + ANSWER_WITHIN_MS - clock.nowMs()), stop);
		interactions.fail(id, NO_ANSWER[kind]);
	}
	for (const interaction of interactions.waiting()) watch(interaction).catch(world.ignoreStop);

	return (interaction, did) => {
		const isDelivered = deliver(interactionPayload(world, interaction, did), interaction.guildId);
		if (isDelivered) watch(interaction).catch(world.ignoreStop);
		// After the answer with the id is on its way: a page hears first what it asked for.
		else setImmediate(() => interactions.fail(interaction.id, `${NO_ANSWER[interaction.kind]}: no bot is connected`));
		return interaction.id;
	};
}
