import { Events, type Interaction } from "discord.js";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { createPendingWork } from "@atelier/common/pending-work";
import type { CommandServices } from "../commands/command-services.ts";
import { createFirstResponseBarrier } from "../commands/generation/first-response-barrier.ts";
import type { SubmittedValues } from "../commands/framework/form-fields.ts";
import { createDispatch } from "../commands/framework/dispatch.ts";
import { commands, components } from "../commands/index.ts";
import { createInteractionMetrics } from "../metrics/interaction-metrics.ts";
import type { BotContext } from "./app-context.ts";
import type { Services } from "./create-services.ts";
import type { DiscordConnection } from "./discord-connection.ts";

/** Time for commands that were received before the stop. The tasks that they created are waited for after that. */
const COMMANDS_DRAIN_MS = 5_000;
const DENIED_FORMS_MAX = 1_000;

/** Dispatches interactions until shutdown, then waits for the running ones. */
export function handleInteractions(
	context: BotContext,
	{ client, cluster }: Pick<DiscordConnection, "client" | "cluster">,
	services: Services,
): void {
	const { clock, logger, metrics, disposables } = context;
	const ofInteractions = {
		sendFirstResponse: createFirstResponseBarrier({ clock }),
		deniedForms: new LRUCache<string, SubmittedValues>({ max: DENIED_FORMS_MAX }),
	};
	const servicesWith = (child: Logger): CommandServices => ({ ...services, ...ofInteractions, logger: child });
	const dispatch = createDispatch({ commands, components, servicesWith, claim: cluster.claimInteraction, logger });
	const withMetrics = createInteractionMetrics({ commands, clock }, metrics);
	const pending = createPendingWork({ clock });
	const handle = (interaction: Interaction): void => {
		// An event listener is not awaited: a rejection would end the process.
		const handled = withMetrics(interaction, () => dispatch(interaction)).catch((error: unknown) => {
			logger.error({ err: error }, "interaction failed");
		});
		pending.add(handled);
	};
	client.on(Events.InteractionCreate, handle);
	disposables.defer(async () => {
		client.off(Events.InteractionCreate, handle);
		const unfinished = await pending.drain(COMMANDS_DRAIN_MS);
		if (unfinished > 0) logger.warn({ commands: unfinished }, "commands interrupted");
	});
}
