/** The documents that the simulator stores, and the users, guilds and channels that its parts share. */
import type {
	APIAttachment,
	APIEmbed,
	APIMessage,
	APIPoll,
	APIThreadMember,
	APIThreadMetadata,
	ApplicationCommandOptionType,
	ChannelType,
	MessageType,
} from "discord-api-types/v10";
import type { Overwrite } from "./permissions.ts";
import type { PrivilegedIntent } from "./privileged-intents.ts";

/** A user, independent of guilds. */
export interface User {
	readonly id: string;
	readonly username: string;
	readonly displayName: string;
	readonly locale?: string | undefined;
}

interface TextChannel {
	readonly id: string;
	readonly name: string;
	readonly topic: string;
	readonly isAgeRestricted?: boolean | undefined;
	/** The initial overwrites. */
	readonly overwrites: readonly Overwrite[];
}

interface Role {
	readonly id: string;
	readonly name: string;
	readonly memberIds: readonly string[];
	/** Permissions beyond those of @everyone. */
	readonly permissions: string;
}

/** A guild of the fixture, or a generated one. */
export interface Guild {
	readonly id: string;
	readonly name: string;
	readonly locale?: string | undefined;
	readonly boostLevel?: 0 | 1 | 2 | 3 | undefined;
	readonly createdMs: number;
	/** A member with the admin role, who cannot leave. */
	readonly ownerId: string;
	readonly adminRoleId: string;
	readonly botRoleId: string;
	readonly roles: readonly Role[];
	readonly channels: readonly TextChannel[];
	/** The current members, the owner first; in the seed, the initial ones. */
	readonly memberIds: readonly string[];
}

export type Channel = GuildChannel | DirectConversation;

/** A channel of a guild, or a thread. */
export interface GuildChannel extends Pick<TextChannel, "id" | "name" | "topic"> {
	readonly kind: "guild";
	readonly guildId: string;
	readonly guild: Guild;
	readonly isAgeRestricted: boolean;
	readonly thread?: Thread;
}

export type DirectConversation = DirectChannel & { readonly kind: "direct"; readonly guildId: null };

/** Increases with each change of the stored documents that the playground cannot read otherwise. */
export const SEED_FORMAT = 5;

/** The initial users, guilds and application; stored with the state. */
export interface Seed {
	/** `SEED_FORMAT` of the playground that created the data folder. */
	readonly format: number;
	readonly createdMs: number;
	/** The first one is the user of a page without a `user` parameter. */
	readonly users: readonly User[];
	/** The first one is the guild of a page without a `guild` parameter. */
	readonly guilds: readonly Guild[];
	/** The application and its bot user share one id, as at Discord since 2016. */
	readonly application: {
		readonly id: string;
		readonly name: string;
		readonly description: string;
		/** The names of the items for sale. */
		readonly items: readonly string[];
		readonly privilegedIntents: readonly PrivilegedIntent[];
		/** Permissions of the bot's role beyond those of @everyone. */
		readonly permissions: string;
	};
	readonly botToken: string;
	readonly clientSecret: string;
	readonly verifyKey: string;
}

/** A reaction with the users who added it, in the order in which they added it. */
export interface StoredReaction {
	/** A Unicode emoji, or `name:id` for a custom one. */
	readonly emoji: string;
	readonly userIds: readonly string[];
}

/** A poll as Discord shows it, with its voters instead of their number. */
export interface StoredPoll extends Omit<APIPoll, "results"> {
	readonly expiry: string;
	/** True once the poll has ended, at its time or by the bot. */
	readonly isFinalized: boolean;
	/** For each answer the users who chose it, in the order in which they chose it. */
	readonly voterIds: readonly (readonly string[])[];
}

export interface StoredMessage {
	readonly id: string;
	readonly channelId: string;
	readonly guildId: string | null;
	readonly type: MessageType;
	/** The bot, the member or the webhook that wrote the message. */
	readonly authorId: string;
	/** The name of a webhook in this message; `null` for other authors. */
	readonly webhook: { readonly name: string } | null;
	readonly content: string;
	readonly flags: number;
	readonly tts: boolean;
	readonly createdMs: number;
	readonly editedMs: number | null;
	readonly attachments: readonly StoredAttachment[];
	/** Media are stored as sent, `attachment://name` included, and resolved when shown. */
	readonly embeds: readonly APIEmbed[];
	readonly components: APIMessage["components"] & {};
	readonly mentionedUserIds: readonly string[];
	readonly mentionedRoleIds: readonly string[];
	readonly mentionsEveryone: boolean;
	/** The only user who sees the message; `null` if everyone in the channel sees it. */
	readonly visibleTo: string | null;
	readonly interaction: {
		readonly id: string;
		readonly userId: string;
		readonly isFollowUp: boolean;
		readonly origin: MessageOrigin;
	} | null;
	readonly nonce: string | number | null;
	readonly repliesTo: string | null;
	readonly reactions: readonly StoredReaction[];
	readonly poll: StoredPoll | null;
}

interface CommandOrigin {
	readonly kind: "command";
	/** With its subcommand, as messages name it. */
	readonly commandName: string;
	/** The target of a context menu command; absent for a slash command. */
	readonly target?: { readonly kind: "user" | "message"; readonly id: string };
}

interface ComponentOrigin {
	readonly kind: "component";
	readonly messageId: string;
}

interface ModalOrigin {
	readonly kind: "modal";
	/** The interaction whose callback opened the submitted modal. */
	readonly opener: { readonly id: string } & (CommandOrigin | ComponentOrigin);
}

/** The interaction that a message responds to. */
export type MessageOrigin = CommandOrigin | ComponentOrigin | ModalOrigin;

/** A modal that a callback opened. */
export interface Modal {
	readonly customId: string;
	readonly title: string;
	/** With the numeric id that Discord's responses give to each component. */
	readonly components: readonly object[];
}

export type Origin =
	| MessageOrigin
	| {
			readonly kind: "autocomplete";
			readonly commandName: string;
			/** The type of the focused option. */
			readonly optionType: ApplicationCommandOptionType;
	  };

export interface Interaction {
	readonly id: string;
	readonly token: string;
	readonly createdMs: number;
	readonly origin: Origin;
	readonly userId: string;
	readonly channelId: string;
	readonly guildId: string | null;
	readonly state: "open" | "answered" | "failed";
	/** The message of @original, if it exists: the reply, or the component's message. */
	readonly originalId: string | null;
	/** The modal that the callback opened, and the interaction of its last submit. */
	readonly modal?: Modal & { readonly submitId?: string };
	/** True if the token was expired by the admin API. */
	readonly isExpired?: boolean;
}

/** The changes of a member; `null` for the initial value. */
export interface MemberRecord {
	readonly guildId: string;
	readonly userId: string;
	readonly hasLeft: boolean;
	readonly hasRejoined: boolean;
	readonly joinedMs: number | null;
	readonly nick: string | null;
	readonly roleIds: readonly string[] | null;
	readonly timedOutUntilMs: number | null;
}

/** A guild that the bot has left at least once. */
export interface BotStay {
	/** The id of the guild. */
	readonly id: string;
	/** True if the bot's commands are available in the guild. */
	readonly isInstalled: boolean;
	readonly joinedMs: number;
}

export interface Ban {
	readonly guildId: string;
	readonly userId: string;
	readonly reason: string | null;
}

export interface DirectChannel {
	readonly id: string;
	readonly userId: string;
}

/** The changes of a channel by the bot. */
export interface ChannelChanges {
	readonly overwrites?: readonly Overwrite[];
	readonly slowModeS?: number;
}

/** A thread as Discord shows it, with its members instead of their number. One that started from a message has its id. */
export interface Thread {
	readonly id: string;
	readonly type: ChannelType.PublicThread | ChannelType.PrivateThread;
	readonly guild_id: string;
	readonly parent_id: string;
	/** The user who started the thread. */
	readonly owner_id: string;
	readonly name: string;
	readonly rate_limit_per_user: number;
	readonly thread_metadata: Readonly<APIThreadMetadata>;
	/** In the order in which they joined. */
	readonly members: readonly (APIThreadMember & { readonly user_id: string })[];
}

/** A webhook of a channel, created by the bot. */
export interface Webhook {
	readonly id: string;
	readonly guildId: string;
	readonly channelId: string;
	readonly name: string;
	readonly token: string;
}

/** An authorization of the application by a user (OAuth2), with its tokens. */
export interface OAuth2Authorization {
	readonly id: string;
	readonly userId: string;
	readonly scopes: readonly Scope[];
	readonly accessToken: string;
	readonly refreshToken: string;
	/** The end of the access token; the refresh token has none. */
	readonly expiresAtMs: number;
}

/** The supported scopes of OAuth2. */
export const SCOPES = ["identify", "guilds"] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * An uploaded file, whose id is its name in the media store. Its URL is added when it is shown, because the playground's origin
 * may change between starts.
 */
export type StoredAttachment = Omit<APIAttachment, "url" | "proxy_url" | "ephemeral">;

export interface AttachmentRecord {
	readonly attachment: StoredAttachment;
	/** The user who uploaded the file for an option or a message; `null` once it belongs to a message, and for other files. */
	readonly uploadedBy: string | null;
	readonly createdMs: number;
}
