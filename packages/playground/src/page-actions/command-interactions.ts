/**
 * Sends commands, typed or from a context menu, to the bot, after validating them as Discord's client does. This folder has
 * the actions on the page, with errors for its users.
 */
import {
	type APIApplicationCommand,
	type APIApplicationCommandInteractionDataBasicOption,
	type APIApplicationCommandOption,
	type APIApplicationCommandOptionChoice,
	ApplicationCommandType,
} from "discord-api-types/v10";
import { isArchived } from "../simulator/channels.ts";
import type { BodyOf } from "../page/page-contract.ts";
import { type InteractionDispatcher, usableChannel } from "./dispatch-interaction.ts";
import { RESPONSE_TIMEOUT_MS } from "../simulator/interactions.ts";
import { autocompleteValues, commandPath, commandValues, nestOptions } from "./option-values.ts";
import { createIdResolver, type IdResolver } from "./id-resolver.ts";
import { InvalidInputError } from "./invalid-input.ts";
import type { Channel, User } from "../simulator/documents.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { commandLabel, commandProblemIn, readableMessage } from "./user-access.ts";

const CONTEXT_MENU_TYPES = { user: ApplicationCommandType.User, message: ApplicationCommandType.Message } as const;

function dataOf(
	command: APIApplicationCommand,
	path: readonly APIApplicationCommandOption[],
	values: APIApplicationCommandInteractionDataBasicOption[],
	resolver: IdResolver,
): object {
	const options = nestOptions(path, values);
	return { ...nameOf(command), ...(options.length > 0 ? { options } : {}), ...resolver.data() };
}

function nameOf({ id, name, type, guild_id: guildId }: APIApplicationCommand): object {
	return { id, name, type, ...(guildId ? { guild_id: guildId } : {}) };
}

type Choices = readonly APIApplicationCommandOptionChoice[];

export type CommandInteractions = ReturnType<typeof createCommandInteractions>;

export function createCommandInteractions(
	simulator: Simulator,
	{ open, dispatch }: InteractionDispatcher,
	stop: AbortSignal,
) {
	const { interactions, serialize, clock } = simulator;
	const choiceReceivers = new Map<string, (choices: Choices) => void>();

	/** Finds the command of this type and name that this user may use. The guild's own one comes before a global one. */
	function findUsable(
		user: User,
		channelId: string,
		wanted: Pick<APIApplicationCommand, "type" | "name">,
	): { channel: Channel; command: APIApplicationCommand } {
		const channel = usableChannel(simulator, user, channelId);
		if (isArchived(channel)) throw new InvalidInputError("This thread is archived.");
		const available = simulator.commands.availableIn(channel.guildId);
		const named = available.filter(({ name, type }) => name === wanted.name && type === wanted.type);
		const problemOf = commandProblemIn(simulator, channel, user);
		const command = named.find((each) => problemOf(each) === undefined) ?? named[0];
		if (!command) throw new InvalidInputError(`Unknown command ${commandLabel(wanted)}.`);
		const problem = problemOf(command);
		if (problem !== undefined) throw new InvalidInputError(problem);
		return { channel, command };
	}

	function findCommand(user: User, request: BodyOf<"typeCommand">) {
		const [name = "", ...below] = request.command.replace(/^\//, "").trim().split(/\s+/);
		const wanted = { type: ApplicationCommandType.ChatInput, name };
		const { channel, command } = findUsable(user, request.channelId, wanted);
		const resolver = createIdResolver(simulator, user, channel);
		return { channel, command, resolver, ...commandPath(command, below) };
	}

	function targetOf(user: User, channel: Channel, { kind, id }: BodyOf<"useContextMenu">["target"]): object {
		if (kind === "user") {
			const resolver = createIdResolver(simulator, user, channel);
			if (!resolver.user(id)) throw new InvalidInputError("Unknown user.");
			return resolver.data();
		}
		const message = readableMessage(simulator, user, channel.id, id);
		return { resolved: { messages: { [id]: serialize.message(message) } } };
	}

	return {
		/** Returns the new interaction's id; events report its outcome. */
		typeCommand(user: User, request: BodyOf<"typeCommand">): string {
			const { channel, command, resolver, path, options } = findCommand(user, request);
			const values = commandValues(options, request.options, resolver);
			const commandName = [command.name, ...path.map(({ name }) => name)].join(" ");
			const data = dataOf(command, path, values, resolver);
			return dispatch({ kind: "command", commandName }, { user, channel, data });
		},
		/** Sends a context menu command of a message or a user. Returns the new interaction's id. */
		useContextMenu(user: User, { channelId, command: name, target }: BodyOf<"useContextMenu">): string {
			const { channel, command } = findUsable(user, channelId, { type: CONTEXT_MENU_TYPES[target.kind], name });
			const data = { ...nameOf(command), target_id: target.id, ...targetOf(user, channel, target) };
			return dispatch({ kind: "command", commandName: command.name, target }, { user, channel, data });
		},
		async autocomplete(user: User, request: BodyOf<"autocomplete">): Promise<Choices> {
			const { channel, command, resolver, path, options } = findCommand(user, request);
			const values = autocompleteValues(options, request.options, request.focused, resolver);
			const data = dataOf(command, path, values, resolver);
			const focused = options.find(({ name }) => name === request.focused);
			if (!focused) throw new InvalidInputError(`There is no option ${request.focused}.`);
			const origin = { kind: "autocomplete", commandName: command.name, optionType: focused.type } as const;
			const { interaction, isSent } = open(origin, { user, channel, data });
			const timeoutAbort = new AbortController();
			const choices = new Promise<Choices>((resolve) => choiceReceivers.set(interaction.id, resolve));
			try {
				if (!isSent) throw new InvalidInputError("Loading options failed: no bot is connected.");
				const timeout = clock.sleep(RESPONSE_TIMEOUT_MS, AbortSignal.any([stop, timeoutAbort.signal])).then(() => {
					throw new InvalidInputError("Loading options failed: the application did not respond.");
				});
				return await Promise.race([choices, timeout]);
			} finally {
				choiceReceivers.delete(interaction.id);
				timeoutAbort.abort();
				interactions.fail(interaction.id, "Loading options failed");
			}
		},
		deliverChoices: (interactionId: string, choices: Choices): void => choiceReceivers.get(interactionId)?.(choices),
	};
}
