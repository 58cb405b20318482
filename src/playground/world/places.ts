/** Where people talk: the guild's channels, and direct conversations with the bot. */
import type { APIDMChannel, APIGuild, APIRole, APITextChannel } from "discord-api-types/v10";
import { ChannelType } from "discord-api-types/v10";
import type { Table } from "../memory.ts";
import { flagsOf } from "./flags.ts";
import type { People } from "./people.ts";
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Seed, SeedChannel } from "./seed.ts";
import type { Snowflakes } from "./snowflake.ts";
import type { Switches } from "./switches.ts";

const BOOSTS_FOR_LEVEL = [0, 2, 7, 14] as const;

export interface DirectChannel {
	readonly id: string;
	readonly userId: string;
}

export type Place =
	| { readonly kind: "guild"; readonly id: string; readonly guildId: string; readonly channel: SeedChannel }
	| { readonly kind: "direct"; readonly id: string; readonly guildId: null; readonly userId: string };

export interface Places {
	readonly find: (channelId: string) => Place | undefined;
	/** The conversation of the bot with this person, opened at the first time of asking. */
	openDirect(userId: string): { place: Place & { kind: "direct" }; isNew: boolean };
	readonly guildChannels: () => readonly SeedChannel[];
	readonly directChannelsOf: (userId: string) => readonly DirectChannel[];
	readonly guildChannel: (channel: SeedChannel) => APITextChannel;
	readonly directChannel: (place: Place & { kind: "direct" }) => APIDMChannel;
	readonly guild: () => APIGuild;
	readonly mayRead: (place: Place, userId: string) => boolean;
}

export function createPlaces(deps: {
	seed: Seed;
	people: People;
	switches: Pick<Switches, "boostLevel" | "guildLocale">;
	snowflakes: Snowflakes;
	directChannels: Table<DirectChannel>;
	lastMessageId: (channelId: string) => string | null;
}): Places {
	const { seed, people, switches, snowflakes, directChannels, lastMessageId } = deps;
	const channels = new Map(seed.channels.map((channel) => [channel.id, channel]));
	const direct = ({ id, userId }: DirectChannel): Place & { kind: "direct" } => ({
		kind: "direct",
		id,
		guildId: null,
		userId,
	});

	const role = (id: string, name: string, permissions: bigint, position: number, isManaged = false): APIRole => ({
		id,
		name,
		permissions: permissions.toString(),
		position,
		color: 0,
		colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
		hoist: false,
		managed: isManaged,
		mentionable: false,
		icon: null,
		unicode_emoji: null,
		flags: flagsOf(0),
		...(isManaged ? { tags: { bot_id: seed.application.id } } : {}),
	});

	return {
		find(channelId) {
			const channel = channels.get(channelId);
			if (channel) return { kind: "guild", id: channelId, guildId: seed.guild.id, channel };
			const conversation = directChannels.get(channelId);
			return conversation && direct(conversation);
		},
		openDirect(userId) {
			const known = [...directChannels.values()].find((conversation) => conversation.userId === userId);
			if (known) return { place: direct(known), isNew: false };
			const conversation = { id: snowflakes.next(), userId };
			directChannels.set(conversation.id, conversation);
			return { place: direct(conversation), isNew: true };
		},
		guildChannels: () => seed.channels,
		directChannelsOf: (userId) => [...directChannels.values()].filter((conversation) => conversation.userId === userId),
		guildChannel: ({ id, name, topic, isAgeRestricted = false }) => ({
			id,
			type: ChannelType.GuildText,
			guild_id: seed.guild.id,
			name,
			topic,
			position: seed.channels.findIndex((channel) => channel.id === id),
			parent_id: null,
			permission_overwrites: [],
			nsfw: isAgeRestricted,
			rate_limit_per_user: 0,
			last_message_id: lastMessageId(id),
			flags: flagsOf(0),
		}),
		directChannel(place) {
			const recipient = people.find(place.userId);
			return {
				id: place.id,
				type: ChannelType.DM,
				last_message_id: lastMessageId(place.id),
				recipients: recipient ? [people.user(recipient)] : [],
				flags: flagsOf(0),
			} as unknown as APIDMChannel;
		},
		guild: () =>
			({
				id: seed.guild.id,
				name: seed.guild.name,
				icon: null,
				description: null,
				home_header: null,
				splash: null,
				discovery_splash: null,
				features: [],
				banner: null,
				owner_id: people.first.id,
				application_id: null,
				region: "deprecated",
				afk_channel_id: null,
				afk_timeout: 300,
				system_channel_id: null,
				system_channel_flags: 0,
				widget_enabled: false,
				widget_channel_id: null,
				verification_level: 0,
				default_message_notifications: 1,
				mfa_level: 0,
				explicit_content_filter: 0,
				max_presences: null,
				max_members: 500_000,
				max_stage_video_channel_users: 50,
				max_video_channel_users: 25,
				vanity_url_code: null,
				premium_tier: switches.boostLevel,
				premium_subscription_count: BOOSTS_FOR_LEVEL[switches.boostLevel],
				preferred_locale: switches.guildLocale,
				rules_channel_id: null,
				safety_alerts_channel_id: null,
				public_updates_channel_id: null,
				premium_progress_bar_enabled: false,
				nsfw: false,
				nsfw_level: 0,
				roles: [
					role(seed.guild.id, "@everyone", EVERYONE_PERMISSIONS, 0),
					role(seed.botRoleId, seed.application.name, EVERYONE_PERMISSIONS, 1, true),
					role(seed.adminRoleId, "Admin", ALL_PERMISSIONS, 2),
					...(seed.roles ?? []).map(({ id, name, permissions = "0" }, index) =>
						role(id, name, BigInt(permissions), index + 3),
					),
				],
				emojis: [],
				stickers: [],
				incidents_data: null,
				// Two fields that the types do not know and Discord's schema asks for.
			}) as unknown as APIGuild,
		mayRead: (place, userId) => place.kind === "guild" || place.userId === userId,
	};
}
