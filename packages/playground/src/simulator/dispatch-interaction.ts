/** Builds the payload of interactions, dispatches them to the bot, and enforces the three seconds for a response. */
import {
	type APIInteraction,
	type APIInteractionDataResolved,
	InteractionContextType,
	InteractionType,
} from "discord-api-types/v10";
import type { Channel } from "./channels.ts";
import { ANSWER_WITHIN_MS, type Interaction } from "./interactions.ts";
import type { Lookup, Resolved } from "./option-values.ts";
import { DIRECT_PERMISSIONS, EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { SeedGuild, SeedUser } from "./seed.ts";
import type { Simulator } from "./simulator.ts";

const TYPES = {
	command: InteractionType.ApplicationCommand,
	autocomplete: InteractionType.ApplicationCommandAutocomplete,
	component: InteractionType.MessageComponent,
	modal: InteractionType.ModalSubmit,
} as const;

export function interactionType({ kind }: Pick<Interaction, "kind">) {
	return TYPES[kind];
}

/** `data` describes the interaction; `message` is the component's message. */
export function interactionPayload(
	simulator: Simulator,
	interaction: Interaction,
	did: { readonly user: SeedUser; readonly channel: Channel; readonly data: object; readonly message?: object },
): APIInteraction {
	const { user, channel, data, message } = did;
	const { seed, members, channels, overrides } = simulator;
	const locale = members.locale(user);
	const isGuild = channel.kind === "guild";
	return {
		id: interaction.id,
		application_id: seed.application.id,
		type: interactionType(interaction),
		token: interaction.token,
		version: 1,
		data,
		...(message && { message }),
		channel_id: channel.id,
		channel: isGuild ? channels.toGuildChannel(channel.guild, channel.seed) : channels.toDirectChannel(channel),
		...(isGuild
			? {
					guild_id: channel.guildId,
					guild: { id: channel.guildId, locale: overrides.localeOf(channel.guild), features: [] },
					guild_locale: overrides.localeOf(channel.guild),
					member: members.toInvoker(channel.guild, user),
					authorizing_integration_owners: { "0": channel.guildId },
					context: InteractionContextType.Guild,
				}
			: {
					user: members.toUser(user),
					authorizing_integration_owners: { "0": "0" },
					context: InteractionContextType.BotDM,
				}),
		app_permissions: (isGuild ? overrides.permissionsIn(channel.guild, channel.id) : DIRECT_PERMISSIONS).toString(),
		locale,
		entitlements: simulator.entitlements
			.activeOf(user.id, channel.guildId)
			.map((each) => simulator.entitlements.serialize(each)),
		attachment_size_limit: overrides.fileLimitsIn(isGuild ? channel.guild : null).announcedBytesMax,
	} as unknown as APIInteraction;
}

/** Returns lookups for the ids that a user may pass. */
export function createLookup(
	{ members, channels, attachments, serialize }: Simulator,
	user: SeedUser,
	channel: Channel,
): Lookup {
	const guild = channel.kind === "guild" ? channel.guild : undefined;
	const isHere = (id: string): boolean => (guild ? guild.memberIds.includes(id) : id === user.id);
	return {
		isUser: (id) => isHere(id) || id === members.bot.id,
		isChannel: (id) => guild !== undefined && channels.find(id)?.guildId === guild.id,
		isRole: (id) => guild !== undefined && channels.roles(guild).some((role) => role.id === id),
		attachment(id) {
			const found = attachments.find(id);
			return found?.uploadedBy === user.id ? serialize.attachment(found.attachment, channel.id, true) : undefined;
		},
	};
}

function byId<Value>(ids: readonly string[], value: (id: string) => Value): { [id: string]: Value } {
	return Object.fromEntries(ids.map((id) => [id, value(id)]));
}

/** Resolves the passed ids; `undefined` without any. */
export function resolvedData(
	{ members, channels }: Simulator,
	guild: SeedGuild | undefined,
	{ users, channels: channelIds, roles, attachments: files }: Resolved,
): { resolved?: APIInteractionDataResolved } {
	const resolved: { [kind: string]: unknown } = {};
	if (users.length > 0) {
		resolved["users"] = byId(users, (id) => {
			const member = members.find(id);
			return member ? members.toUser(member) : members.bot;
		});
		if (guild) {
			resolved["members"] = byId(users, (id) => {
				const member = members.find(id);
				const shown = member ? members.toMember(guild, member) : members.botMember(guild);
				const { user: _, deaf: _deaf, mute: _mute, ...rest } = shown;
				const permissions = member ? members.permissions(guild, member) : EVERYONE_PERMISSIONS;
				return { ...rest, permissions: permissions.toString() };
			});
		}
	}
	const all = guild ? channels.roles(guild) : [];
	if (roles.length > 0) resolved["roles"] = byId(roles, (id) => all.find((role) => role.id === id));
	if (channelIds.length > 0) {
		resolved["channels"] = byId(channelIds, (id) => {
			const channel = channels.find(id);
			const shown = channel?.kind === "guild" ? channels.toGuildChannel(channel.guild, channel.seed) : undefined;
			return { ...shown, permissions: EVERYONE_PERMISSIONS.toString() };
		});
	}
	if (files.length > 0) resolved["attachments"] = Object.fromEntries(files.map((file) => [file.id, file]));
	return Object.keys(resolved).length === 0 ? {} : { resolved };
}

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
