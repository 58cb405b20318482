/** Builds the payload of interactions, dispatches them to the bot, and enforces the three seconds for a response. */
import { type APIInteraction, InteractionContextType } from "discord-api-types/v10";
import type { Gateway } from "../gateway/gateway.ts";
import { guildOf } from "../simulator/channels.ts";
import type { Channel, Interaction, Origin, User } from "../simulator/documents.ts";
import { INTERACTION_TYPES, RESPONSE_TIMEOUT_MS } from "../simulator/interactions.ts";
import { InvalidInputError } from "./invalid-input.ts";
import { checkNotTimedOut, channelForUser } from "./user-access.ts";
import type { Simulator } from "../simulator/simulator.ts";

interface InteractionDetails {
	readonly user: User;
	readonly channel: Channel;
	readonly data: object;
	readonly message?: object;
}

function interactionPayload(
	simulator: Simulator,
	interaction: Interaction,
	{ user, channel, data, message }: InteractionDetails,
): APIInteraction {
	const { seed, members, channels, adminSettings } = simulator;
	const locale = members.locale(user);
	const isGuild = channel.kind === "guild";
	return {
		id: interaction.id,
		application_id: seed.application.id,
		type: INTERACTION_TYPES[interaction.origin.kind],
		token: interaction.token,
		version: 1,
		data,
		...(message && { message }),
		channel_id: channel.id,
		channel: channels.serialize(channel),
		...(isGuild
			? {
					guild_id: channel.guildId,
					guild: { id: channel.guildId, locale: adminSettings.localeOf(channel.guild), features: [] },
					guild_locale: adminSettings.localeOf(channel.guild),
					member: {
						...members.memberOf(channel.guild, user.id),
						permissions: channels.permissionsIn(channel, user.id).toString(),
					},
					authorizing_integration_owners: { "0": channel.guildId },
					context: InteractionContextType.Guild,
				}
			: {
					user: members.toUser(user),
					authorizing_integration_owners: { "0": "0" },
					context: InteractionContextType.BotDM,
				}),
		app_permissions: channels.appPermissionsIn(channel).toString(),
		locale,
		entitlements: simulator.entitlements.activeOf(user.id, channel.guildId),
		attachment_size_limit: adminSettings.fileLimitsIn(guildOf(channel)).announcedBytesMax,
	} as unknown as APIInteraction;
}

/** Returns the channel if this user may use the bot there. */
export function usableChannel(simulator: Simulator, user: User, channelId: string): Channel {
	const channel = channelForUser(simulator, user, channelId);
	const guild = guildOf(channel);
	if (guild && !simulator.installs.isInstalled(guild)) throw new InvalidInputError("The bot is not in this server.");
	checkNotTimedOut(simulator, channel, user);
	return channel;
}

/** The messages of Discord's client for a missing response. */
const TIMEOUT_REASONS = {
	command: "The application did not respond",
	autocomplete: "Loading options failed",
	component: "This interaction failed",
	modal: "Something went wrong, try again",
} as const;

export type InteractionDispatcher = ReturnType<typeof createInteractionDispatcher>;

export function createInteractionDispatcher(
	simulator: Simulator,
	gateway: Pick<Gateway, "dispatchInteraction">,
	stop: AbortSignal,
) {
	const { interactions, clock } = simulator;

	function open(origin: Origin, details: InteractionDetails): { interaction: Interaction; isSent: boolean } {
		const { user, channel } = details;
		const { id: channelId, guildId } = channel;
		const interaction = interactions.create({ origin, userId: user.id, channelId, guildId });
		const payload = interactionPayload(simulator, interaction, details);
		return { interaction, isSent: gateway.dispatchInteraction(payload, guildId) };
	}

	/** Fails the interaction after three seconds without a response. */
	async function failAfterTimeout({ id, origin, createdMs }: Interaction): Promise<void> {
		await clock.sleep(Math.max(0, createdMs + RESPONSE_TIMEOUT_MS - clock.nowMs()), stop);
		interactions.fail(id, TIMEOUT_REASONS[origin.kind]);
	}
	for (const interaction of interactions.unanswered()) failAfterTimeout(interaction).catch(simulator.logUnlessStopped);

	/** Creates an interaction, sends it, and fails it after three seconds. Returns its id; events report its outcome. */
	function dispatch(origin: Origin, details: InteractionDetails): string {
		const { interaction, isSent } = open(origin, details);
		const reason = `${TIMEOUT_REASONS[origin.kind]}: no bot is connected`;
		if (isSent) failAfterTimeout(interaction).catch(simulator.logUnlessStopped);
		// Delayed, because the page must receive the response with the id first.
		else setImmediate(() => interactions.fail(interaction.id, reason));
		return interaction.id;
	}

	return { open, dispatch };
}
