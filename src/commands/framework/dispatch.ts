/** Dispatches interactions to commands and components. Catches, translates and logs what they throw. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
	DiscordAPIError,
	InteractionType,
	RESTJSONErrorCodes,
	type AutocompleteInteraction,
	type ChatInputCommandInteraction,
	type Interaction,
	type MessageContextMenuCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { cardReply, file, text } from "../../discord/card.ts";
import { denialRows } from "../../discord/denial-buttons.ts";
import { nameIn } from "../../discord/custom-id.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { DirectoryUnavailableError } from "../../services/access/guild-directory.ts";
import { CreditChangeUncertainError } from "../../services/credits/credit-service.ts";
import { UserError, type Remedy } from "../../services/user-error.ts";
import { replyPrivately } from "./reply-privately.ts";
import { PromptDenialError, renderTypedTexts } from "./typed-texts.ts";
import type { Command } from "./command.ts";
import { pressedCustomIdOf, kindOf, type Component, type ComponentInteraction } from "./component.ts";
import { localeOfReply } from "./guild-locale.ts";
import type { CommandServices } from "../command-services.ts";

/** Enough to find the incident in the log, and short enough to type. */
const INCIDENT_ID_CHARS = 8;

export interface DispatchDeps {
	readonly commands: readonly Command[];
	readonly components: readonly Component[];
	/** Returns the services for one interaction, whose logger this is. */
	readonly servicesWith: (logger: Logger) => CommandServices;
	/** Resolves to `false` if another process handles the interaction, or this process already does. Must not reject. */
	readonly claim: (interactionId: string) => Promise<boolean>;
	readonly logger: Logger;
}

type CommandInteraction = ChatInputCommandInteraction | MessageContextMenuCommandInteraction;

/** An interaction that expects a reply. */
type ReplyingInteraction = CommandInteraction | ComponentInteraction;

/**
 * Returns the function that handles one interaction. What a command or component throws becomes a reply; only a defect of this module
 * rejects, and the caller logs it.
 */
export function createDispatch(deps: DispatchDeps): (interaction: Interaction) => Promise<void> {
	const { commands, components, servicesWith, claim, logger } = deps;
	const commandsByName = new Map(commands.map((command) => [command.definition.name, command]));
	const componentsByName = new Map(components.map((each) => [`${each.kind} ${each.name}`, each]));
	assert(componentsByName.size === components.length, "two components of one kind have the same name");

	async function executeCommand(interaction: CommandInteraction, services: CommandServices): Promise<void> {
		services.logger.info("command received");
		await replyToErrors(interaction, services, async () => {
			const command = commandsByName.get(interaction.commandName);
			assert(command, "a registered command has no handler");
			if (!interaction.inGuild()) throw new UserError({ key: "permission.serverOnly" });
			await command.execute(interaction, services);
		});
	}

	async function answerAutocomplete(interaction: AutocompleteInteraction, services: CommandServices): Promise<void> {
		try {
			if (interaction.inGuild())
				await commandsByName.get(interaction.commandName)?.autocomplete?.(interaction, services);
		} catch (error) {
			// The member sees no choices and can still type. The usual cause is a late response.
			services.logger.warn({ err: error }, "autocomplete failed");
		}
	}

	async function executeComponent(interaction: ComponentInteraction, interactionLogger: Logger): Promise<void> {
		const component = componentsByName.get(`${kindOf(interaction)} ${nameIn(pressedCustomIdOf(interaction))}`);
		// Logs only names of known components: a custom id may contain anything.
		const componentLogger = interactionLogger.child({ component: component?.name ?? null });
		componentLogger.info("component used");
		const services = servicesWith(componentLogger);
		await replyToErrors(interaction, services, async () => {
			if (!interaction.inGuild()) throw new UserError({ key: "permission.serverOnly" });
			if (!component) throw new UserError({ key: "request.unknownButton" });
			await component.execute(interaction, services);
		});
	}

	return async (interaction) => {
		const interactionLogger = logger.child({
			interactionId: interaction.id,
			guildId: interaction.guildId,
			command: "commandName" in interaction ? interaction.commandName : null,
		});
		const services = servicesWith(interactionLogger);
		const { guildId, guildLocale } = interaction;
		if (guildId !== null && guildLocale) services.languages.record(guildId, guildLocale);
		// Autocomplete changes nothing, so every process may answer it.
		if (interaction.type !== InteractionType.ApplicationCommandAutocomplete && !(await claim(interaction.id))) {
			interactionLogger.info("interaction already claimed");
			return;
		}
		if (interaction.isChatInputCommand() || interaction.isMessageContextMenuCommand()) {
			await executeCommand(interaction, services);
		} else if (interaction.isAutocomplete()) {
			await answerAutocomplete(interaction, services);
		} else if (interaction.isMessageComponent() || interaction.isModalSubmit()) {
			await executeComponent(interaction, interactionLogger);
		}
	};
}

/** Runs `work`, and replies with the error if it throws. */
async function replyToErrors(
	interaction: ReplyingInteraction,
	services: CommandServices,
	work: () => Promise<void>,
): Promise<void> {
	const { logger } = services;
	try {
		await work();
	} catch (error) {
		if (isInteractionGone(error, interaction)) logger.warn({ err: error }, GONE_MESSAGE);
		else await sendErrorReply(interaction, logAndDescribeError(error, logger), services);
	}
}

const GONE_MESSAGE = "interaction already acknowledged or expired";

/** Returns whether Discord rejected the first response: the command did nothing, and no reply is possible. */
function isInteractionGone(error: unknown, { deferred, replied }: ReplyingInteraction): boolean {
	if (deferred || replied || !(error instanceof DiscordAPIError)) return false;
	return (
		error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged ||
		error.code === RESTJSONErrorCodes.UnknownInteraction
	);
}

/** The reply to what a command threw. Only its member sees it, unless it is about an unexpected error after a public deferral. */
interface ErrorReply {
	readonly message: MessageDescriptor;
	/** An unexpected error may follow the start of a task, which will edit this reply: the reply is kept, and stays a text. */
	readonly isUnexpected: boolean;
	readonly remedy?: Remedy | undefined;
	/** Identifies the stored request whose denied prompt the member can edit. */
	readonly draftId?: string;
}

function logAndDescribeError(error: unknown, logger: Logger): ErrorReply {
	if (error instanceof UserError) {
		logger.info({ denial: error.messageDescriptor.key }, "command denied");
		const draft = error instanceof PromptDenialError ? { draftId: error.draftId } : {};
		return { message: error.messageDescriptor, isUnexpected: false, remedy: error.remedy, ...draft };
	}
	if (error instanceof DirectoryUnavailableError) {
		logger.warn({ err: error }, "Discord directory unavailable");
		return { message: { key: "error.discordUnavailable" }, isUnexpected: false };
	}
	if (error instanceof CreditChangeUncertainError) {
		logger.error({ err: error }, "outcome of credit change unknown");
		// The message asks to check the history first: a repeat could move the credits twice.
		return { message: { key: "credits.changeUncertain" }, isUnexpected: false };
	}
	const incidentId = randomUUID().slice(0, INCIDENT_ID_CHARS);
	logger.error({ err: error, incidentId }, "command failed");
	const key = error instanceof CorruptDocumentError ? "error.dataDamaged" : "error.unexpected";
	return { message: { key, params: { incidentId } }, isUnexpected: true };
}

async function sendErrorReply(
	interaction: ReplyingInteraction,
	reply: ErrorReply,
	services: CommandServices,
): Promise<void> {
	const { logger } = services;
	const isPublic = interaction.ephemeral === false && reply.isUnexpected;
	try {
		const locale = isPublic ? await localeOfReply(interaction, services) : interaction.locale;
		if (!reply.isUnexpected) {
			await replyPrivately(interaction, denialCard(interaction, reply, services, locale), services);
			return;
		}
		// No card: a task may still deliver music here, which only a classic message can contain.
		const message = { content: services.commandMentions.say(locale, reply.message) };
		if (isPublic) await interaction.editReply(message);
		else await replyPrivately(interaction, message, services);
	} catch (error) {
		if (isInteractionGone(error, interaction)) logger.warn({ err: error }, GONE_MESSAGE);
		else logger.error({ err: error }, "error reply failed");
	}
}

/** Renders the reason of a denial, the texts that the member typed, and buttons for the next steps. */
function denialCard(
	interaction: ReplyingInteraction,
	{ message, remedy, draftId }: ErrorReply,
	{ commandMentions, topUp }: CommandServices,
	locale: string,
) {
	const typedTexts = renderTypedTexts(interaction, remedy, locale);
	const reason = commandMentions.say(locale, message);
	const content = [reason, ...(typedTexts ? [typedTexts.text] : [])].join("\n");
	const { files = [] } = typedTexts ?? {};
	const parts = [
		text(content),
		...files.map(({ name }) => file(name ?? "")),
		...denialRows({ remedy, draftId }, topUp, locale),
	];
	return { ...cardReply(parts, "failure"), ...(files.length > 0 && { files }) };
}
