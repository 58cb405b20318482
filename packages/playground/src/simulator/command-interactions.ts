/** Sends commands, typed or from a context menu, to the bot, after validating them as Discord's client does. */
import {
	type APIApplicationCommand,
	type APIApplicationCommandInteractionDataBasicOption,
	type APIApplicationCommandOption,
	type APIApplicationCommandOptionChoice,
	type APIInteractionDataResolved,
	ApplicationCommandType,
	InteractionContextType,
} from "discord-api-types/v10";
import type { AutocompleteRequest, ContextMenuRequest, CommandRequest } from "../page-contract.ts";
import {
	createLookup,
	type DispatchInteraction,
	interactionPayload,
	resolvedData,
	type SendInteraction,
} from "./dispatch-interaction.ts";
import { ANSWER_WITHIN_MS } from "./interactions.ts";
import {
	commandPath,
	autocompleteValues,
	type Resolved,
	InvalidInputError,
	commandValues,
	nestOptions,
} from "./option-values.ts";
import { ALL_PERMISSIONS } from "./permissions.ts";
import { type Channel, guildOf } from "./channels.ts";
import type { SeedUser } from "./seed.ts";
import type { Simulator } from "./simulator.ts";

const MENU_TYPES = { user: ApplicationCommandType.User, message: ApplicationCommandType.Message } as const;

export interface CommandInteractions {
	/** Returns the new interaction's id; events report its outcome. */
	readonly slashCommand: (user: SeedUser, request: Omit<CommandRequest, "user">) => string;
	/** The same for a context menu command of a message or a user. */
	readonly contextMenu: (user: SeedUser, request: Omit<ContextMenuRequest, "user">) => string;
	readonly autocomplete: (
		user: SeedUser,
		request: Omit<AutocompleteRequest, "user">,
	) => Promise<readonly APIApplicationCommandOptionChoice[]>;
	/** Delivers the choices of an autocomplete callback. */
	readonly deliverChoices: (interactionId: string, choices: readonly APIApplicationCommandOptionChoice[]) => void;
}

function locationOf(user: SeedUser, { id: channelId, guildId }: Channel) {
	return { userId: user.id, channelId, guildId };
}

function dataOf(
	command: APIApplicationCommand,
	path: readonly APIApplicationCommandOption[],
	values: APIApplicationCommandInteractionDataBasicOption[],
	resolved: { resolved?: APIInteractionDataResolved },
): object {
	const options = nestOptions(path, values);
	return { ...nameOf(command), ...(options.length > 0 ? { options } : {}), ...resolved };
}

function nameOf({ id, name, type, guild_id: guildId }: APIApplicationCommand): object {
	return { id, name, type, ...(guildId ? { guild_id: guildId } : {}) };
}

const NOTHING_RESOLVED: Resolved = { users: [], channels: [], roles: [], attachments: [] };

export function createCommandInteractions(deps: {
	simulator: Simulator;
	send: SendInteraction;
	dispatch: DispatchInteraction;
	stop: AbortSignal;
}): CommandInteractions {
	const { simulator, send, dispatch, stop } = deps;
	const { members, channels, installs, commands, interactions, messages, serialize, clock } = simulator;
	const waiting = new Map<string, (choices: readonly APIApplicationCommandOptionChoice[]) => void>();

	/** Finds the command of this type and name if this user may use it; `shown` is its name for errors. */
	function usable(
		user: SeedUser,
		channelId: string,
		asked: { readonly type: ApplicationCommandType; readonly name: string; readonly shown: string },
	): { channel: Channel; command: APIApplicationCommand } {
		const channel = channels.find(channelId);
		if (!channel || simulator.overrides.accessTo(channel.id) === "gone" || !channels.canRead(channel, user.id))
			throw new InvalidInputError("Unknown channel.");
		// Permissions of commands do not apply to direct messages.
		const guild = guildOf(channel);
		if (guild && !installs.isInstalled(guild)) throw new InvalidInputError("The bot is not in this server.");
		const permissions = guild ? members.permissions(guild, user) : ALL_PERMISSIONS;
		const roleIds = guild ? members.roleIds(guild, user) : [];
		const command = commands
			.usable(channel.guildId, { userId: user.id, roleIds, permissions }, channel.id)
			.find((known) => known.name === asked.name && known.type === asked.type);
		if (!command) throw new InvalidInputError(`Unknown command ${asked.shown}, or you may not use it here.`);
		const context = channel.kind === "guild" ? InteractionContextType.Guild : InteractionContextType.BotDM;
		const isElsewhere = command.contexts
			? !command.contexts.includes(context)
			: channel.kind === "direct" && command.dm_permission === false;
		if (isElsewhere) throw new InvalidInputError(`${asked.shown} cannot be used here.`);
		if (command.nsfw && channel.kind === "guild" && !channel.seed.isAgeRestricted)
			throw new InvalidInputError(`${asked.shown} can be used in age-restricted channels only.`);
		return { channel, command };
	}

	function find(user: SeedUser, request: Omit<CommandRequest, "user">) {
		const [name = "", ...below] = request.command.replace(/^\//, "").trim().split(/\s+/);
		const asked = { type: ApplicationCommandType.ChatInput, name, shown: `/${name}` };
		const { channel, command } = usable(user, request.channelId, asked);
		return { channel, command, ...commandPath(command, below) };
	}

	function targetOf(user: SeedUser, channel: Channel, { kind, id }: ContextMenuRequest["target"]): object {
		if (kind === "user") {
			if (!createLookup(simulator, user, channel).isUser(id)) throw new InvalidInputError("Unknown user.");
			return resolvedData(simulator, guildOf(channel), { ...NOTHING_RESOLVED, users: [id] });
		}
		const message = messages.find(channel.id, id);
		if (!message || !channels.canSee(message, user.id)) throw new InvalidInputError("This message was deleted.");
		return { resolved: { messages: { [id]: serialize.message(message) } } };
	}

	return {
		slashCommand(user, request) {
			const { channel, command, path, takes } = find(user, request);
			const { values, resolved } = commandValues(takes, request.options, createLookup(simulator, user, channel));
			const data = dataOf(command, path, values, resolvedData(simulator, guildOf(channel), resolved));
			const commandName = [command.name, ...path.map((below) => below.name)].join(" ");
			const order = { kind: "command", commandName, ...locationOf(user, channel) } as const;
			return dispatch(interactions.create(order), { user, channel, data });
		},
		contextMenu(user, { channelId, command: name, target }) {
			const { channel, command } = usable(user, channelId, { type: MENU_TYPES[target.kind], name, shown: name });
			const data = { ...nameOf(command), target_id: target.id, ...targetOf(user, channel, target) };
			const order = { kind: "command", commandName: command.name, target, ...locationOf(user, channel) } as const;
			return dispatch(interactions.create(order), { user, channel, data });
		},
		async autocomplete(user, request) {
			const { channel, command, path, takes } = find(user, request);
			const known = createLookup(simulator, user, channel);
			const { values, resolved } = autocompleteValues(takes, request.options, request.focused, known);
			const data = dataOf(command, path, values, resolvedData(simulator, guildOf(channel), resolved));
			const order = { kind: "autocomplete", commandName: command.name, ...locationOf(user, channel) } as const;
			const interaction = interactions.create(order);
			const waited = new AbortController();
			const offered = new Promise<readonly APIApplicationCommandOptionChoice[]>((resolve) => {
				waiting.set(interaction.id, resolve);
			});
			try {
				const isDelivered = send(interactionPayload(simulator, interaction, { user, channel, data }), channel.guildId);
				if (!isDelivered) throw new InvalidInputError("Loading options failed: no bot is connected.");
				const late = clock.sleep(ANSWER_WITHIN_MS, AbortSignal.any([stop, waited.signal])).then(() => {
					throw new InvalidInputError("Loading options failed: the application did not respond.");
				});
				return await Promise.race([offered, late]);
			} finally {
				waiting.delete(interaction.id);
				waited.abort();
				interactions.fail(interaction.id, "Loading options failed");
			}
		},
		deliverChoices(interactionId, choices) {
			waiting.get(interactionId)?.(choices);
		},
	};
}
