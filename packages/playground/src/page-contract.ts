/**
 * What the page and the playground say to each other. A browser, the demo and every end-to-end test speak only this, so
 * that all of them see exactly what a person would.
 *
 * GET  /playground/state?user=ID&server=ID  -> PageState
 * GET  /playground/events?user=ID&server=ID -> server-sent events, each `data:` one PageEvent; every visible change
 * POST /playground/uploads?user=ID&server=ID  multipart, one file -> ApiAttachment, to be named by id in an option
 * POST /playground/interactions             InvokeRequest -> InvokeAnswer: types a slash command
 * POST /playground/context-commands         ContextRequest -> InvokeAnswer: a command of a message's or a person's menu
 * POST /playground/components               PressRequest -> InvokeAnswer: presses a button, or chooses in a menu
 * POST /playground/modals                   SubmitRequest -> InvokeAnswer: sends a modal that the bot opened
 * POST /playground/autocomplete             AutocompleteRequest -> AutocompleteAnswer: asks the bot for choices
 * PUT  /playground/command-permissions?user=ID&server=ID  CommandPermissionsRequest -> {}: what an admin sets under Integrations
 * PUT  /playground/bot?user=ID&server=ID    BotRequest -> {}: removes the bot from a server, or adds it again
 * GET  /playground/media/CHANNEL/ID/NAME    a file, at the address that its attachment carries; ranges are answered
 *
 * `user` may be left out: it is the first person then. So may `server`: it is the first that this person is in, and so it
 * is where they are not in the one that is named. Messages and events are of all their servers. Ephemeral messages, answers, modals and failures reach only their
 * own person. An InvokeAnswer comes at once; what becomes of the interaction is told by the events that carry its id.
 */
import type {
	APIApplicationCommand,
	APIApplicationCommandOptionChoice,
	APIAttachment,
	APIMessage,
	APIUser,
} from "discord-api-types/v10";

export interface PageMember {
	readonly user: APIUser;
	readonly nick: string | null;
	readonly isAdmin: boolean;
	readonly roleIds: readonly string[];
	/** In the server, as Discord writes them: a number in decimal digits. */
	readonly permissions: string;
	/** The language of their Discord, such as `de` or `pt-BR`. */
	readonly locale: string;
}

export interface PagePerson {
	readonly user: APIUser;
	readonly locale: string;
	/** By their ids, of those with a name of their own. */
	readonly serverIds: readonly string[];
}

export interface PageChannel {
	readonly id: string;
	readonly name: string;
	readonly topic: string;
	/** A direct conversation with the bot; absent for the guild's channels. */
	readonly isDirect?: boolean;
	readonly isAgeRestricted?: boolean;
}

export interface PageRole {
	readonly id: string;
	readonly name: string;
}

/** A server as it stands in the list of those that a person is in. */
export interface PageServer {
	readonly id: string;
	readonly name: string;
	/** Those of its channels that this person sees, so that news can be told apart. */
	readonly channelIds: readonly string[];
	/** Whether the bot's commands are there; they come and go with it. */
	readonly hasBot: boolean;
}

/** What a person sees who has this server open. */
export interface PageState {
	readonly me: PageMember;
	readonly members: readonly PageMember[];
	readonly guild: { readonly id: string; readonly name: string };
	/** The servers that this person is in: those with a name of their own, and the first few of the others. */
	readonly servers: readonly PageServer[];
	/** How many more there are. */
	readonly serversUnshown: number;
	/** Everybody whom the page may speak as, in this server or not. */
	readonly people: readonly PagePerson[];
	/** The server's own language. */
	readonly guildLocale: string;
	/** Whether this person may remove the bot from the server, or add it. */
	readonly mayManageBot: boolean;
	/** What the application sells; bought by `POST /playground/controls/purchases`. */
	readonly items: readonly { readonly id: string; readonly name: string }[];
	/** Those that members can have. */
	readonly roles: readonly PageRole[];
	readonly channels: readonly PageChannel[];
	readonly bot: { readonly user: APIUser; readonly online: boolean };
	readonly commands: readonly APIApplicationCommand[];
	/** Oldest first, of every channel, as this person sees them; at most the last 200. */
	readonly messages: readonly APIMessage[];
}

export type PageEvent =
	| { readonly type: "message"; readonly message: APIMessage }
	| { readonly type: "messageDelete"; readonly channelId: string; readonly messageId: string }
	| { readonly type: "commands"; readonly commands: readonly APIApplicationCommand[] }
	/** The bot opened a direct conversation with this person. */
	| { readonly type: "channels"; readonly channels: readonly PageChannel[] }
	| { readonly type: "presence"; readonly online: boolean }
	/** Somebody's roles, permissions or language were changed, or the server's own, or the bot came or went. */
	| ({ readonly type: "people" } & Pick<
			PageState,
			"me" | "members" | "guildLocale" | "mayManageBot" | "servers" | "serversUnshown" | "commands"
	  >)
	/** The bot answered what this person did. The message may be known already, or come right after. */
	| {
			readonly type: "interactionAnswered";
			readonly interactionId: string;
			/** The reply, or the message whose component was pressed; `null` where there is no message to look at. */
			readonly messageId: string | null;
			readonly modal?: PageModal;
	  }
	/** The bot did not answer within three seconds, or is not there. */
	| {
			readonly type: "interactionFailed";
			/** What this person did: used a command, pressed something, sent a modal. */
			readonly kind: "command" | "component" | "modal";
			readonly interactionId: string;
			readonly reason: string;
	  };

export interface PageOption {
	readonly name: string;
	/** Attachments by the id that the upload was given. */
	readonly value: string | number | boolean;
}

export interface InvokeRequest {
	readonly user?: string;
	readonly channelId: string;
	/** Its name, with or without the slash; subcommands follow after a space. */
	readonly command: string;
	readonly options: readonly PageOption[];
}

/** A command of a context menu, by its whole name. */
export interface ContextRequest {
	readonly user?: string;
	readonly channelId: string;
	readonly command: string;
	readonly target: { readonly kind: "user" | "message"; readonly id: string };
}

export interface PressRequest {
	readonly user?: string;
	readonly channelId: string;
	readonly messageId: string;
	readonly customId: string;
	/** What was chosen in a menu: its options' values, or ids of people, roles and channels. None for a button. */
	readonly values?: readonly string[] | undefined;
}

/** A form that the bot opened for this person. Components as Discord's API has them, each with its `id`. */
export interface PageModal {
	/** The interaction that opened it, by which it is sent. */
	readonly interactionId: string;
	readonly customId: string;
	readonly title: string;
	readonly components: readonly object[];
}

export interface ModalField {
	readonly customId: string;
	/** Text; the one choice of a radio group; whether a checkbox is ticked. */
	readonly value?: string | boolean | undefined;
	/** What was chosen in a menu or a group; uploaded files by their ids. */
	readonly values?: readonly string[] | undefined;
}

export interface SubmitRequest {
	readonly user?: string;
	readonly interactionId: string;
	/** Those left out are sent empty. */
	readonly fields: readonly ModalField[];
}

export interface InvokeAnswer {
	readonly interactionId: string;
}

export interface AutocompleteRequest extends InvokeRequest {
	/** The option being typed in; its text so far stands in `options`. */
	readonly focused: string;
}

export interface AutocompleteAnswer {
	readonly choices: readonly APIApplicationCommandOptionChoice[];
}

export interface CommandPermissionsRequest {
	/** Its name, with or without the slash. */
	readonly command: string;
	/** All of them; an empty list goes back to what the bot asks for. Types: 1 role, 2 user, 3 channel. */
	readonly permissions: readonly { readonly id: string; readonly type: 1 | 2 | 3; readonly permission: boolean }[];
}

export interface BotRequest {
	readonly isThere: boolean;
}

/** Every refusal of these routes: what was wrong, in words for the page. */
export interface PageError {
	readonly message: string;
}

export type ApiAttachment = APIAttachment;
