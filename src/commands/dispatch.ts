/** From an interaction to its command: the only place where what a command throws is caught, worded and logged. */
import { randomUUID } from "node:crypto";
import { MessageFlags, type ChatInputCommandInteraction, type Interaction } from "discord.js";
import type { Logger } from "pino";
import { say, type Saying } from "../services/messages/messages.ts";
import { CorruptDocument } from "../services/store/keyv-store.ts";
import { UserError } from "../services/user-error.ts";
import type { Command, Services } from "./command.ts";

/** Of one message; every sentence of ours is far below it, whatever it quotes. */
const CONTENT_CHARS_MAX = 2000;

interface DispatchDeps {
	readonly commands: readonly Command[];
	readonly services: Services;
	readonly logger: Logger;
}

/** Never rejects: a rejected listener would take the client, and with it every other server, down. */
export function createDispatch({
	commands,
	services,
	logger,
}: DispatchDeps): (interaction: Interaction) => Promise<void> {
	const byName = new Map(commands.map((command) => [command.definition.name, command]));

	async function execute(interaction: ChatInputCommandInteraction, interactionLogger: Logger): Promise<void> {
		try {
			const command = byName.get(interaction.commandName);
			if (!command) throw new Error("a command that is registered and not known");
			if (!interaction.inGuild()) throw new UserError({ key: "serverOnly" });
			await command.execute(interaction, services, interactionLogger);
		} catch (error) {
			await tell(interaction, sayingOf(error, interactionLogger), interactionLogger);
		}
	}

	return async (interaction) => {
		const interactionLogger = logger.child({
			interactionId: interaction.id,
			guildId: interaction.guildId,
			command: "commandName" in interaction ? interaction.commandName : null,
		});
		if (interaction.isChatInputCommand()) {
			interactionLogger.info("command received");
			await execute(interaction, interactionLogger);
		} else if (interaction.isAutocomplete()) {
			try {
				await byName.get(interaction.commandName)?.autocomplete?.(interaction, services);
			} catch (error) {
				// The person sees no choices and can still type; a late answer is the usual cause.
				interactionLogger.warn({ err: error }, "autocomplete failed");
			}
		}
	};
}

function sayingOf(error: unknown, logger: Logger): Saying {
	if (error instanceof UserError) {
		logger.info({ refusal: error.saying.key }, "command refused");
		return error.saying;
	}
	const incidentId = randomUUID().slice(0, 8);
	logger.error({ err: error, incidentId }, "command failed");
	return { key: error instanceof CorruptDocument ? "booksDamaged" : "unexpected", params: { incidentId } };
}

async function tell(interaction: ChatInputCommandInteraction, saying: Saying, logger: Logger): Promise<void> {
	const content = say(interaction.locale, saying).slice(0, CONTENT_CHARS_MAX);
	try {
		if (interaction.deferred || interaction.replied) await interaction.editReply({ content });
		else await interaction.reply({ content, flags: MessageFlags.Ephemeral });
	} catch (error) {
		logger.error({ err: error }, "the person could not be told");
	}
}
