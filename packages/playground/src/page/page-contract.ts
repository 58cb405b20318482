/**
 * The API between the page and the playground. Browsers, the demo and end-to-end tests act as users through this only, so that
 * all of them see exactly what a user sees. `POST /playground/NAME` has the body of that name in `pageInputs`.
 *
 * `?user=ID` selects the user, by default the first one, and `?guild=ID` the guild, by default the first one of this user,
 * also if the user is not in the named one. Messages and events cover all guilds of the user. Ephemeral messages, responses,
 * modals and failures reach only their own user. A request that starts an interaction returns its id at once; events with that
 * id report the outcome.
 */
import type {
	APIApplicationCommand,
	APIApplicationCommandOptionChoice,
	APIMessage,
	ChannelType,
	APIUser,
	RESTAPIPoll,
} from "discord-api-types/v10";
import { z } from "zod";
import { isJsonObject } from "../json.ts";
import type { Modal } from "../simulator/documents.ts";

const OPTIONS_MAX = 25;
const FIELDS_MAX = 40;
const INPUT_CHARS_MAX = 100_000;
const MESSAGE_FILES_MAX = 10;

export interface PageMember {
	readonly user: APIUser;
	readonly nick: string | null;
	readonly isAdmin: boolean;
	readonly roleIds: readonly string[];
	/** Permissions in the guild, as a decimal number like in Discord's API. */
	readonly permissions: string;
	/** The locale of the user's Discord, such as `de` or `pt-BR`. */
	readonly locale: string;
	/** The end of a timeout, in which the member only reads; absent without one. */
	readonly timedOutUntilMs?: number;
}

export interface PageUser {
	readonly user: APIUser;
	readonly locale: string;
	/** The user's guilds of the fixture, without generated ones. */
	readonly guildIds: readonly string[];
}

export interface PageChannel {
	readonly id: string;
	readonly type: ChannelType;
	readonly name: string;
	readonly topic: string;
	/** The channel of a thread; absent for others. */
	readonly parentId?: string;
	readonly isAgeRestricted?: boolean;
	/** The commands that the user may use here; absent for a thread, which has those of its channel. */
	readonly commandIds?: readonly string[];
}

export interface PageRole {
	readonly id: string;
	readonly name: string;
}

/** A guild in the user's list. */
export interface PageGuild {
	readonly id: string;
	readonly name: string;
	/** The channels and the active threads of the guild, so that new messages can be attributed. */
	readonly channelIds: readonly string[];
	/** True if the bot's commands are available; they come and go with the bot. */
	readonly hasBot: boolean;
}

/** The view of a user who has this guild open, without messages. */
export interface Snapshot {
	/** The time by which the admin API has advanced the playground's clock. */
	readonly clockAheadMs: number;
	readonly me: PageMember;
	readonly members: readonly PageMember[];
	readonly guild: { readonly id: string; readonly name: string };
	/** The first guilds of the user, those of the fixture before generated ones; always with the open guild. */
	readonly guilds: readonly PageGuild[];
	/** The number of further guilds. */
	readonly hiddenGuildCount: number;
	/** All users that the page can act as. */
	readonly users: readonly PageUser[];
	readonly guildLocale: string;
	/** The application's items; bought by `POST /playground/admin/buy`. */
	readonly skus: readonly { readonly id: string; readonly name: string }[];
	/** Roles that members can have. */
	readonly roles: readonly PageRole[];
	/** Without archived threads. */
	readonly channels: readonly PageChannel[];
	readonly bot: { readonly user: APIUser; readonly online: boolean };
	/** A sentence about the bot, of the program that started the playground. */
	readonly notice?: string | undefined;
	/** The commands that the user may use in at least one of the channels. */
	readonly commands: readonly APIApplicationCommand[];
}

export interface PageState extends Snapshot {
	/** The newest messages of each channel, at most `CHANNEL_MESSAGES_MAX`, oldest first, as this user sees them. */
	readonly messages: readonly APIMessage[];
}

/** The state is the first event, and comes again with a channel that came into view, whose messages the page does not have. */
export type PageEvent = PageChange | { readonly type: "state"; readonly state: PageState };

export type PageChange =
	| { readonly type: "message"; readonly message: APIMessage }
	| { readonly type: "messageDelete"; readonly channelId: string; readonly messageId: string }
	/**
	 * Anything but messages was changed, such as members, channels, commands, or the presence of the bot. Changes of one moment are one
	 * event, which arrives before any event that may refer to them. With the changed fields only.
	 */
	| { readonly type: "page"; readonly page: Partial<Snapshot> }
	/** The bot responded to this user's interaction. A new message arrives before this event. */
	| {
			readonly type: "interactionAnswered";
			readonly interactionId: string;
			/** The reply, or the message of the component; `null` without a message. */
			readonly messageId: string | null;
			readonly modal?: PageModal;
	  }
	/** The bot did not respond within three seconds, or is not connected. */
	| {
			readonly type: "interactionFailed";
			readonly kind: "command" | "component" | "modal";
			readonly interactionId: string;
			readonly reason: string;
	  };

const id = z.string().max(20);
const customId = z.string().max(100);
const text = z.string().max(INPUT_CHARS_MAX);
/** Values of a select menu: option values, or ids of users, roles, channels and uploads. */
const values = z.array(z.string().max(100)).max(OPTIONS_MAX).readonly().optional();

/** In place of a channel id in actions on messages: the direct messages with the bot, opened if they do not exist yet. */
export const DIRECT_CHANNEL = "@me";

/** A slash command as the user types it. */
const typed = z.strictObject({
	channelId: id,
	/** The name with or without the slash; subcommands follow after a space. */
	command: z.string().max(200),
	/** The value of an attachment is its upload id. */
	options: z
		.array(z.strictObject({ name: z.string().max(32), value: z.union([text, z.number(), z.boolean()]) }))
		.max(OPTIONS_MAX)
		.readonly(),
});
const message = z.strictObject({ channelId: id, messageId: id });
/** With a Unicode emoji, or with a custom one, `name:id`. */
const reaction = message.extend({ emoji: z.string().max(100) });

/** The body of each request by which a user acts. */
export const pageInputs = {
	typeCommand: typed,
	/** A context menu command, by its full name. */
	useContextMenu: z.strictObject({
		channelId: id,
		command: z.string().max(32),
		target: z.strictObject({ kind: z.literal(["user", "message"]), id }),
	}),
	/** Without `values` for a button. */
	press: message.extend({ customId, values }),
	submit: z.strictObject({
		interactionId: id,
		/** Missing fields are sent empty. `value` is a text, the choice of a radio group, or the state of a checkbox. */
		fields: z
			.array(z.strictObject({ customId, value: z.union([text, z.boolean()]).optional(), values }))
			.max(FIELDS_MAX)
			.readonly(),
	}),
	/** `focused` is the option that the user types in; its text is in `options`. */
	autocomplete: typed.extend({ focused: z.string().max(32) }),
	/** A plain message. */
	say: z.strictObject({
		channelId: id,
		content: text,
		/** The id of the message that this one replies to. */
		replyTo: id.optional(),
		/** Ids of uploads. */
		files: z.array(id).max(MESSAGE_FILES_MAX).readonly(),
		/** In the form of Discord's API; the server validates it. */
		poll: z.custom<RESTAPIPoll>(isJsonObject).optional(),
	}),
	/** Edits a message of the same user. */
	editMessage: message.extend({ content: text }),
	deleteMessage: message,
	react: reaction,
	unreact: reaction,
	/** The answers that the user chooses in a poll, by number; none to take the vote back. */
	vote: message.extend({ answers: z.array(z.number().int()).max(10).readonly() }),
	/** A new thread: of a message, or without one. */
	startThread: z.strictObject({
		channelId: id,
		messageId: id.optional(),
		name: z.string().min(1).max(100),
		/** Only without a message. */
		isPrivate: z.boolean().optional(),
	}),
	openDirect: z.strictObject({}),
	/** The permissions of one command in the selected guild; for admins only. */
	setCommandPermissions: z.strictObject({
		/** The name with or without the slash. */
		command: z.string().max(33),
		/** As in Discord's API: 1 slash command, 2 and 3 context menu commands of users and messages. */
		type: z.literal([1, 2, 3]).default(1),
		/** Replaces all permissions; an empty list restores the bot's defaults. Types: 1 role, 2 user, 3 channel. */
		permissions: z
			.array(
				z.strictObject({
					id: z.string().regex(/^\d{17,20}$/),
					type: z.literal([1, 2, 3]),
					permission: z.boolean(),
				}),
			)
			.max(100)
			.readonly(),
	}),
	/** Adds the bot to the selected guild or removes it; for members who may manage the guild. */
	setBotInstalled: z.strictObject({ isInstalled: z.boolean() }),
};

export type PageAction = keyof typeof pageInputs;
export type BodyOf<Action extends PageAction> = z.infer<(typeof pageInputs)[Action]>;
export type AnswerOf<Action extends PageAction> = Action extends keyof PageAnswers ? PageAnswers[Action] : void;

export type CommandOptionInput = BodyOf<"typeCommand">["options"][number];
export type FieldInput = BodyOf<"submit">["fields"][number];
export type MessageTarget = BodyOf<"deleteMessage">;

/** A modal that the bot opened for this user. */
export interface PageModal extends Modal {
	/** The interaction that opened the modal, needed for the submit. */
	readonly interactionId: string;
}

export interface StartedInteraction {
	readonly interactionId: string;
}

/** The responses of these requests; those of the others are empty. */
interface PageAnswers {
	readonly typeCommand: StartedInteraction;
	readonly useContextMenu: StartedInteraction;
	readonly press: StartedInteraction;
	readonly submit: StartedInteraction;
	readonly autocomplete: { readonly choices: readonly APIApplicationCommandOptionChoice[] };
	readonly say: { readonly message: APIMessage };
	readonly editMessage: { readonly message: APIMessage };
	readonly startThread: { readonly threadId: string };
	readonly openDirect: { readonly channelId: string };
}

/** The body of every rejected request, with a message for the page. */
export interface PageError {
	readonly message: string;
}
