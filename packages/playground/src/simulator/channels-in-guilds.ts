/** The channels of guilds, and direct message channels with the bot. */
import type { APIDMChannel, APIGuild, APIRole, APITextChannel } from "discord-api-types/v10";
import { ChannelType } from "discord-api-types/v10";
import type { Table } from "../document-store.ts";
import { flagsOf } from "./flags.ts";
import type { Members } from "./members.ts";
import { ALL_PERMISSIONS, EVERYONE_PERMISSIONS } from "./permissions.ts";
import type { Seed, SeedChannel, SeedGuild } from "./seed.ts";
import type { Guilds } from "./guilds.ts";
import type { Snowflakes } from "./snowflake.ts";
import type { Overrides } from "./overrides.ts";

const BOOSTS_FOR_LEVEL = [0, 2, 7, 14] as const;

export interface DirectChannel {
	readonly id: string;
	readonly userId: string;
}

export type Place =
	| {
			readonly kind: "guild";
			readonly id: string;
			readonly guildId: string;
			readonly server: SeedGuild;
			readonly channel: SeedChannel;
	  }
	| { readonly kind: "direct"; readonly id: string; readonly guildId: null; readonly userId: string };

/** `undefined` for a direct message channel. */
export function serverOf(place: Place): SeedGuild | undefined {
	return place.kind === "guild" ? place.server : undefined;
}

export interface Channels {
	readonly find: (channelId: string) => Place | undefined;
	/** Returns the bot's direct message channel with this user, created on first use. */
	openDirect(userId: string): { place: Place & { kind: "direct" }; isNew: boolean };
	readonly directChannelsOf: (userId: string) => readonly DirectChannel[];
	readonly guildChannel: (server: SeedGuild, channel: SeedChannel) => APITextChannel;
	readonly directChannel: (place: Place & { kind: "direct" }) => APIDMChannel;
	readonly guild: (server: SeedGuild) => APIGuild;
	readonly roles: (server: SeedGuild) => readonly APIRole[];
	readonly mayRead: (place: Place, userId: string) => boolean;
}

export function createChannels(deps: {
	seed: Pick<Seed, "application">;
	servers: Guilds;
	people: Members;
	switches: Pick<Overrides, "boostLevelOf" | "localeOf">;
	snowflakes: Snowflakes;
	directChannels: Table<DirectChannel>;
	lastMessageId: (channelId: string) => string | null;
}): Channels {
	const { seed, servers, people, switches, snowflakes, directChannels, lastMessageId } = deps;
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

	const roles = ({ id, botRoleId, adminRoleId, roles: own }: SeedGuild): APIRole[] => [
		role(id, "@everyone", EVERYONE_PERMISSIONS, 0),
		role(botRoleId, seed.application.name, EVERYONE_PERMISSIONS, 1, true),
		role(adminRoleId, "Admin", ALL_PERMISSIONS, 2),
		...own.map(({ id: roleId, name, permissions = "0" }, index) => role(roleId, name, BigInt(permissions), index + 3)),
	];

	return {
		find(channelId) {
			const server = servers.ofChannel(channelId);
			const channel = server?.channels.find(({ id }) => id === channelId);
			if (server && channel) return { kind: "guild", id: channelId, guildId: server.id, server, channel };
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
		directChannelsOf: (userId) => [...directChannels.values()].filter((conversation) => conversation.userId === userId),
		guildChannel: (server, { id, name, topic, isAgeRestricted = false }) => ({
			id,
			type: ChannelType.GuildText,
			guild_id: server.id,
			name,
			topic,
			position: server.channels.findIndex((channel) => channel.id === id),
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
		roles,
		guild: (server) =>
			({
				id: server.id,
				name: server.name,
				icon: null,
				description: null,
				home_header: null,
				splash: null,
				discovery_splash: null,
				features: [],
				banner: null,
				owner_id: server.memberIds[0],
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
				premium_tier: switches.boostLevelOf(server),
				premium_subscription_count: BOOSTS_FOR_LEVEL[switches.boostLevelOf(server)],
				preferred_locale: switches.localeOf(server),
				rules_channel_id: null,
				safety_alerts_channel_id: null,
				public_updates_channel_id: null,
				premium_progress_bar_enabled: false,
				nsfw: false,
				nsfw_level: 0,
				roles: roles(server),
				emojis: [],
				stickers: [],
				incidents_data: null,
				// Two fields that Discord's schema requires and the types lack.
			}) as unknown as APIGuild,
		mayRead: (place, userId) =>
			place.kind === "guild" ? place.server.memberIds.includes(userId) : place.userId === userId,
	};
}
