/** Sends commands, typed or from a context menu, to the bot, after validating them as Discord's client does. */
import type {
	APIApplicationCommand,
	APIApplicationCommandInteractionDataBasicOption,
	APIApplicationCommandOption,
	APIApplicationCommandOptionChoice,
	APIInteractionDataResolved,
} from "discord-api-types/v10";
import { ApplicationCommandType, InteractionContextType } from "discord-api-types/v10";
import type { AutocompleteRequest, ContextRequest, InvokeRequest } from "../page-contract.ts";
import type { Bring, Deliver } from "./dispatch-interaction.ts";
import { interactionPayload, knownTo, resolvedData } from "./interaction-payload.ts";
import { ANSWER_WITHIN_MS } from "./interactions.ts";
import { commandPath, draftValues, type Resolved, InvalidInputError, typedValues, underPath } from "./option-values.ts";
import { ALL_PERMISSIONS } from "./permissions.ts";
import { type Place, serverOf } from "./channels-in-guilds.ts";
import { seenBy } from "./visibility.ts";
import type { SeedMember } from "./seed.ts";
import type { Simulator } from "./simulator.ts";

const MENU_TYPES = { user: ApplicationCommandType.User, message: ApplicationCommandType.Message } as const;

export interface Invoke {
	/** Returns the new interaction's id; events report its outcome. */
	readonly command: (person: SeedMember, request: Omit<InvokeRequest, "user">) => string;
	/** The same for a context menu command of a message or a user. */
	readonly context: (person: SeedMember, request: Omit<ContextRequest, "user">) => string;
	readonly autocomplete: (
		person: SeedMember,
		request: Omit<AutocompleteRequest, "user">,
	) => Promise<readonly APIApplicationCommandOptionChoice[]>;
	/** Delivers the choices of an autocomplete callback. */
	readonly offer: (interactionId: string, choices: readonly APIApplicationCommandOptionChoice[]) => void;
}

function inPlace(person: SeedMember, { id: channelId, guildId }: Place) {
	return { userId: person.id, channelId, guildId };
}

function dataOf(
	command: APIApplicationCommand,
	path: readonly APIApplicationCommandOption[],
	values: APIApplicationCommandInteractionDataBasicOption[],
	resolved: { resolved?: APIInteractionDataResolved },
): object {
	const options = underPath(path, values);
	return { ...nameOf(command), ...(options.length > 0 ? { options } : {}), ...resolved };
}

function nameOf({ id, name, type, guild_id: guildId }: APIApplicationCommand): object {
	return { id, name, type, ...(guildId ? { guild_id: guildId } : {}) };
}

const NOTHING_RESOLVED: Resolved = { users: [], channels: [], roles: [], attachments: [] };

export function createInvoke(deps: {
	simulator: Simulator;
	deliver: Deliver;
	bring: Bring;
	stop: AbortSignal;
}): Invoke {
	const { simulator, deliver, bring, stop } = deps;
	const { people, places, installs, commands, interactions, messages, show, clock } = simulator;
	const waiting = new Map<string, (choices: readonly APIApplicationCommandOptionChoice[]) => void>();

	/** Finds the command of this type and name if this user may use it; `shown` is its name for errors. */
	function usable(
		person: SeedMember,
		channelId: string,
		asked: { readonly type: ApplicationCommandType; readonly name: string; readonly shown: string },
	): { place: Place; command: APIApplicationCommand } {
		const place = places.find(channelId);
		if (!place || simulator.switches.accessTo(place.id) === "gone" || !places.mayRead(place, person.id))
			throw new InvalidInputError("Unknown channel.");
		// Permissions of commands do not apply to direct messages.
		const server = serverOf(place);
		if (server && !installs.isInstalled(server)) throw new InvalidInputError("The bot is not in this server.");
		const permissions = server ? people.permissions(server, person) : ALL_PERMISSIONS;
		const roleIds = server ? people.roleIds(server, person) : [];
		const command = commands
			.usable(place.guildId, { userId: person.id, roleIds, permissions }, place.id)
			.find((known) => known.name === asked.name && known.type === asked.type);
		if (!command) throw new InvalidInputError(`Unknown command ${asked.shown}, or you may not use it here.`);
		const context = place.kind === "guild" ? InteractionContextType.Guild : InteractionContextType.BotDM;
		const isElsewhere = command.contexts
			? !command.contexts.includes(context)
			: place.kind === "direct" && command.dm_permission === false;
		if (isElsewhere) throw new InvalidInputError(`${asked.shown} cannot be used here.`);
		if (command.nsfw && place.kind === "guild" && !place.channel.isAgeRestricted)
			throw new InvalidInputError(`${asked.shown} can be used in age-restricted channels only.`);
		return { place, command };
	}

	function find(person: SeedMember, request: Omit<InvokeRequest, "user">) {
		const [name = "", ...below] = request.command.replace(/^\//, "").trim().split(/\s+/);
		const asked = { type: ApplicationCommandType.ChatInput, name, shown: `/${name}` };
		const { place, command } = usable(person, request.channelId, asked);
		return { place, command, ...commandPath(command, below) };
	}

	function targetOf(person: SeedMember, place: Place, { kind, id }: ContextRequest["target"]): object {
		if (kind === "user") {
			if (!knownTo(simulator, person, place).isUser(id)) throw new InvalidInputError("Unknown user.");
			return resolvedData(simulator, serverOf(place), { ...NOTHING_RESOLVED, users: [id] });
		}
		const message = messages.find(place.id, id);
		if (!message || !seenBy(simulator, person, message)) throw new InvalidInputError("This message was deleted.");
		return { resolved: { messages: { [id]: show.message(message) } } };
	}

	return {
		command(person, request) {
			const { place, command, path, takes } = find(person, request);
			const { values, resolved } = typedValues(takes, request.options, knownTo(simulator, person, place));
			const data = dataOf(command, path, values, resolvedData(simulator, serverOf(place), resolved));
			const commandName = [command.name, ...path.map((below) => below.name)].join(" ");
			const order = { kind: "command", commandName, ...inPlace(person, place) } as const;
			return bring(interactions.open(order), { person, place, data });
		},
		context(person, { channelId, command: name, target }) {
			const { place, command } = usable(person, channelId, { type: MENU_TYPES[target.kind], name, shown: name });
			const data = { ...nameOf(command), target_id: target.id, ...targetOf(person, place, target) };
			const order = { kind: "command", commandName: command.name, target, ...inPlace(person, place) } as const;
			return bring(interactions.open(order), { person, place, data });
		},
		async autocomplete(person, request) {
			const { place, command, path, takes } = find(person, request);
			const known = knownTo(simulator, person, place);
			const { values, resolved } = draftValues(takes, request.options, request.focused, known);
			const data = dataOf(command, path, values, resolvedData(simulator, serverOf(place), resolved));
			const order = { kind: "autocomplete", commandName: command.name, ...inPlace(person, place) } as const;
			const interaction = interactions.open(order);
			const waited = new AbortController();
			const offered = new Promise<readonly APIApplicationCommandOptionChoice[]>((resolve) => {
				waiting.set(interaction.id, resolve);
			});
			try {
				const isDelivered = deliver(interactionPayload(simulator, interaction, { person, place, data }), place.guildId);
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
		offer(interactionId, choices) {
			waiting.get(interactionId)?.(choices);
		},
	};
}
