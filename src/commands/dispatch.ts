/** From an interaction to its command: the only place where what a command throws is caught, worded and logged. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
	DiscordAPIError,
	InteractionType,
	MessageFlags,
	RESTJSONErrorCodes,
	type ChatInputCommandInteraction,
	type Interaction,
	type MessageContextMenuCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { nameIn } from "../discord/custom-id.ts";
import { say, type Saying } from "../services/messages/messages.ts";
import { CorruptDocument } from "../services/store/keyv-store.ts";
import { UserError } from "../services/user-error.ts";
import type { Command, MessageCommand, Services } from "./command.ts";
import { kindOf, type Control, type ControlInteraction } from "./control.ts";
import { publicLocaleOf } from "./public-locale.ts";

/** Of one message; every sentence of ours is far below it, whatever it quotes. */
const CONTENT_CHARS_MAX = 2000;

interface DispatchDeps {
	readonly commands: readonly Command[];
	readonly messageCommands?: readonly MessageCommand[];
	readonly controls?: readonly Control[];
	readonly services: Services;
	/** Whether it is for this process to act on an interaction: others may hear of it too, and it may be told twice. */
	readonly claim?: (interactionId: string) => Promise<boolean>;
	readonly logger: Logger;
}

/** What its person waits for an answer to. */
type Asking = ChatInputCommandInteraction | MessageContextMenuCommandInteraction | ControlInteraction;

/** Never rejects: a rejected listener would take the client, and with it every other server, down. */
export function createDispatch(deps: DispatchDeps): (interaction: Interaction) => Promise<void> {
	const { commands, messageCommands = [], controls = [], services, claim = async () => true, logger } = deps;
	const byName = new Map(commands.map((command) => [command.definition.name, command]));
	const messageCommandsByName = new Map(messageCommands.map((command) => [command.definition.name, command]));
	const controlsByName = new Map(controls.map((control) => [`${control.kind} ${control.name}`, control]));
	assert(controlsByName.size === controls.length, "two controls of one kind with the same name");

	async function press(interaction: ControlInteraction, asked: Logger): Promise<void> {
		const control = controlsByName.get(`${kindOf(interaction)} ${nameIn(interaction.customId)}`);
		// Only a name that is ours: what else stands in a custom id may be anything.
		const pressed = asked.child({ control: control?.name ?? null });
		pressed.info("control used");
		await answer(interaction, services, pressed, async () => {
			if (!interaction.inGuild()) throw new UserError({ key: "serverOnly" });
			if (!control) throw new UserError({ key: "controlUnknown" });
			await control.execute(interaction, services, pressed);
		});
	}

	return async (interaction) => {
		const asked = logger.child({
			interactionId: interaction.id,
			guildId: interaction.guildId,
			command: "commandName" in interaction ? interaction.commandName : null,
		});
		const { guildId, guildLocale } = interaction;
		if (guildId !== null && guildLocale) services.languages.see(guildId, guildLocale);
		// Whose choices come first are shown, and nothing is done.
		if (interaction.type !== InteractionType.ApplicationCommandAutocomplete && !(await claim(interaction.id))) {
			asked.info("left to who was first");
			return;
		}
		if (interaction.isChatInputCommand()) {
			asked.info("command received");
			await answer(interaction, services, asked, async () => {
				const command = known(byName.get(interaction.commandName));
				if (!interaction.inGuild()) throw new UserError({ key: "serverOnly" });
				await command.execute(interaction, services, asked);
			});
		} else if (interaction.isAutocomplete()) {
			try {
				await byName.get(interaction.commandName)?.autocomplete?.(interaction, services);
			} catch (error) {
				// The person sees no choices and can still type; a late answer is the usual cause.
				asked.warn({ err: error }, "autocomplete failed");
			}
		} else if (interaction.isMessageComponent() || interaction.isModalSubmit()) {
			await press(interaction, asked);
		} else if (interaction.isMessageContextMenuCommand()) {
			asked.info("command received");
			await answer(interaction, services, asked, async () => {
				const command = known(messageCommandsByName.get(interaction.commandName));
				if (!interaction.inGuild()) throw new UserError({ key: "serverOnly" });
				await command.execute(interaction, services, asked);
			});
		}
	};
}

/** Waits for an answer, and words what was thrown instead. */
async function answer(
	interaction: Asking,
	services: Services,
	asked: Logger,
	work: () => Promise<void>,
): Promise<void> {
	try {
		await work();
	} catch (error) {
		if (isAnsweredOrOver(error, interaction)) asked.warn({ err: error }, ANSWERED_OR_OVER);
		else await tell(interaction, sayingOf(error, asked), services, asked);
	}
}

const ANSWERED_OR_OVER = "answered by somebody else, or too late";

/** The first answer was not taken: then nothing was done, and there is nothing left to answer. */
function isAnsweredOrOver(error: unknown, { deferred, replied }: Asking): boolean {
	if (deferred || replied || !(error instanceof DiscordAPIError)) return false;
	return (
		error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged ||
		error.code === RESTJSONErrorCodes.UnknownInteraction
	);
}

function known<Registered>(command: Registered | undefined): Registered {
	if (!command) throw new Error("a command that is registered and not known");
	return command;
}

function sayingOf(error: unknown, logger: Logger): Saying {
	if (error instanceof UserError) {
		logger.info({ refusal: error.saying.key }, "command refused");
		return error.saying;
	}
	const incidentId = randomUUID().slice(0, 8);
	logger.error({ err: error, incidentId }, "command failed");
	return { key: error instanceof CorruptDocument ? "booksDamaged" : "unexpected", params: { incidentId } };
}

/** A reply that everybody sees is in their language; one that only its person sees is in that person's. */
async function localeOfReply(interaction: Asking, services: Services, logger: Logger): Promise<string> {
	const { guildId, locale, ephemeral, deferred, replied } = interaction;
	const isSeenByAll = guildId !== null && (deferred || replied) && ephemeral === false;
	if (!isSeenByAll) return locale;
	try {
		return await publicLocaleOf(guildId, services);
	} catch (error) {
		logger.warn({ err: error }, "the language of the server is not known");
		return locale;
	}
}

/** Refusals about the person, or about what they wrote: nobody else in the channel is to read them. */
const FOR_ONE = new Set<Saying["key"]>(["blocked", "roleDenied", "roleNeeded", "wordsForbidden", "moderationRefused"]);

/**
 * Takes a reply away that everybody sees, so that its person can be told alone: until then whatever follows takes its place,
 * as public as it is. False where there is none, or it stays.
 */
async function madeRoom(interaction: Asking, saying: Saying, logger: Logger): Promise<boolean> {
	if (!FOR_ONE.has(saying.key) || !interaction.deferred || interaction.ephemeral !== false) return false;
	try {
		await interaction.deleteReply();
		return true;
	} catch (error) {
		logger.warn({ err: error }, "a public reply stays");
		return false;
	}
}

async function tell(interaction: Asking, saying: Saying, services: Services, logger: Logger): Promise<void> {
	const isAlone = await madeRoom(interaction, saying, logger);
	const locale = isAlone ? interaction.locale : await localeOfReply(interaction, services, logger);
	const content = say(locale, saying).slice(0, CONTENT_CHARS_MAX);
	const privately = { content, flags: MessageFlags.Ephemeral } as const;
	try {
		if (!interaction.deferred && !interaction.replied) await interaction.reply(privately);
		// A control that was only acknowledged has no reply: the message that an edit would change is the one it stands in.
		else if (isAlone || interaction.ephemeral === null) await interaction.followUp(privately);
		else await interaction.editReply({ content });
	} catch (error) {
		if (isAnsweredOrOver(error, interaction)) logger.warn({ err: error }, ANSWERED_OR_OVER);
		else logger.error({ err: error }, "the person could not be told");
	}
}
