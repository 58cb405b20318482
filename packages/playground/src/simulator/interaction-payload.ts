/** Builds the payload of interactions; libraries rely on its fields. */
import type { APIInteraction, APIInteractionDataResolved } from "discord-api-types/v10";
import { InteractionContextType, InteractionType } from "discord-api-types/v10";
import type { Interaction } from "./interactions.ts";
import type { Known, Resolved } from "./option-values.ts";
import { DIRECT_PERMISSIONS, EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Place } from "./channels-in-guilds.ts";
import type { SeedMember, SeedGuild } from "./seed.ts";
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
	did: { readonly person: SeedMember; readonly place: Place; readonly data: object; readonly message?: object },
): APIInteraction {
	const { person, place, data, message } = did;
	const { seed, people, places, switches } = simulator;
	const locale = people.locale(person);
	const isGuild = place.kind === "guild";
	return {
		id: interaction.id,
		application_id: seed.application.id,
		type: interactionType(interaction),
		token: interaction.token,
		version: 1,
		data,
		...(message && { message }),
		channel_id: place.id,
		channel: isGuild ? places.guildChannel(place.server, place.channel) : places.directChannel(place),
		...(isGuild
			? {
					guild_id: place.guildId,
					guild: { id: place.guildId, locale: switches.localeOf(place.server), features: [] },
					guild_locale: switches.localeOf(place.server),
					member: people.invoker(place.server, person),
					authorizing_integration_owners: { "0": place.guildId },
					context: InteractionContextType.Guild,
				}
			: {
					user: people.user(person),
					authorizing_integration_owners: { "0": "0" },
					context: InteractionContextType.BotDM,
				}),
		app_permissions: (isGuild ? switches.permissionsIn(place.server, place.id) : DIRECT_PERMISSIONS).toString(),
		locale,
		entitlements: simulator.shop.heldBy(person.id, place.guildId).map((each) => simulator.shop.show(each)),
		attachment_size_limit: switches.filesIn(isGuild ? place.server : null).announcedBytesMax,
	} as unknown as APIInteraction;
}

/** Returns lookups for the ids that a user may pass. */
export function knownTo({ people, places, attachments, show }: Simulator, person: SeedMember, place: Place): Known {
	const server = place.kind === "guild" ? place.server : undefined;
	const isHere = (id: string): boolean => (server ? server.memberIds.includes(id) : id === person.id);
	return {
		isUser: (id) => isHere(id) || id === people.bot.id,
		isChannel: (id) => server !== undefined && places.find(id)?.guildId === server.id,
		isRole: (id) => server !== undefined && places.roles(server).some((role) => role.id === id),
		attachment(id) {
			const found = attachments.find(id);
			return found?.uploadedBy === person.id ? show.attachment(found.attachment, place.id, true) : undefined;
		},
	};
}

function byId<Value>(ids: readonly string[], value: (id: string) => Value): { [id: string]: Value } {
	return Object.fromEntries(ids.map((id) => [id, value(id)]));
}

/** Resolves the passed ids; `undefined` without any. */
export function resolvedData(
	{ people, places }: Simulator,
	server: SeedGuild | undefined,
	{ users, channels, roles, attachments: files }: Resolved,
): { resolved?: APIInteractionDataResolved } {
	const resolved: { [kind: string]: unknown } = {};
	if (users.length > 0) {
		resolved["users"] = byId(users, (id) => {
			const member = people.find(id);
			return member ? people.user(member) : people.bot;
		});
		if (server) {
			resolved["members"] = byId(users, (id) => {
				const member = people.find(id);
				const shown = member ? people.member(server, member) : people.botMember(server);
				const { user: _, deaf: _deaf, mute: _mute, ...rest } = shown;
				const permissions = member ? people.permissions(server, member) : EVERYONE_PERMISSIONS;
				return { ...rest, permissions: permissions.toString() };
			});
		}
	}
	const all = server ? places.roles(server) : [];
	if (roles.length > 0) resolved["roles"] = byId(roles, (id) => all.find((role) => role.id === id));
	if (channels.length > 0) {
		resolved["channels"] = byId(channels, (id) => {
			const place = places.find(id);
			const channel = place?.kind === "guild" ? places.guildChannel(place.server, place.channel) : undefined;
			return { ...channel, permissions: EVERYONE_PERMISSIONS.toString() };
		});
	}
	if (files.length > 0) resolved["attachments"] = Object.fromEntries(files.map((file) => [file.id, file]));
	return Object.keys(resolved).length === 0 ? {} : { resolved };
}
