/** From an interaction to its command: the only place where what a command throws is caught, worded and logged. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
	DiscordAPIError,
	InteractionType,
	RESTJSONErrorCodes,
	type ChatInputCommandInteraction,
	type Interaction,
	type MessageContextMenuCommandInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { nameIn } from "../discord/custom-id.ts";
import { topUpRow } from "../discord/top-up-buttons.ts";
import { say, type MessageRef } from "../i18n/messages.ts";
import { CorruptDocumentError } from "@atelier/store/keyv-store";
import { createTopUpOffer } from "../services/entitlements/top-up-service.ts";
import { UserError } from "../services/user-error.ts";
import { answerPrivately } from "./answer-privately.ts";
import type { Command, MessageCommand, Services } from "./command.ts";
import { kindOf, type Component, type ComponentInteraction } from "./components/component.ts";
import { localeOfReply } from "./guild-locale.ts";

/** Of one message; every sentence of ours is far below it, whatever it quotes. */
const CONTENT_CHARS_MAX = 2000;

interface DispatchDeps {
	readonly commands: readonly Command[];
	readonly messageCommands?: readonly MessageCommand[];
	readonly controls?: readonly Component[];
	readonly services: Services;
	/** Whether it is for this process to act on an interaction: others may hear of it too, and it may be told twice. */
	readonly claim?: (interactionId: string) => Promise<boolean>;
	readonly logger: Logger;
}

/** What its person waits for an answer to. */
type Asking = ChatInputCommandInteraction | MessageContextMenuCommandInteraction | ComponentInteraction;

/** Never rejects: a rejected listener would take the client, and with it every other server, down. */
export function createDispatch(deps: DispatchDeps): (interaction: Interaction) => Promise<void> {
	const { commands, messageCommands = [], controls = [], services, claim = async () => true, logger } = deps;
	const byName = new Map(commands.map((command) => [command.definition.name, command]));
	const messageCommandsByName = new Map(messageCommands.map((command) => [command.definition.name, command]));
	const controlsByName = new Map(controls.map((control) => [`${control.kind} ${control.name}`, control]));
	assert(controlsByName.size === controls.length, "two controls of one kind with the same name");

	async function press(interaction: ComponentInteraction, asked: Logger): Promise<void> {
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
		if (guildId !== null && guildLocale) services.languages.record(guildId, guildLocale);
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
		else await tell(interaction, toldOf(error, asked), services, asked);
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

/** What a failed command answers. A denial says why nothing was started; it concerns the member who asked, and no one else. */
interface Told {
	readonly saying: MessageRef;
	readonly isDenial: boolean;
}

function toldOf(error: unknown, logger: Logger): Told {
	if (error instanceof UserError) {
		logger.info({ refusal: error.saying.key }, "command refused");
		return { saying: error.saying, isDenial: true };
	}
	const incidentId = randomUUID().slice(0, 8);
	logger.error({ err: error, incidentId }, "command failed");
	const key = error instanceof CorruptDocumentError ? "booksDamaged" : "unexpected";
	return { saying: { key, params: { incidentId } }, isDenial: false };
}

async function tell(interaction: Asking, { saying, isDenial }: Told, services: Services, asked: Logger): Promise<void> {
	// After anything but a denial a task may exist, whose result edits this reply: it stays, public or not.
	const isPublic = interaction.ephemeral === false && !isDenial;
	try {
		const locale = isPublic ? await localeOfReply(interaction, services, asked) : interaction.locale;
		const content = say(locale, saying).slice(0, CONTENT_CHARS_MAX);
		const offer = saying.key === "creditsShort" ? createTopUpOffer(services.topUp, locale) : undefined;
		const message = { content, ...(offer && { components: [topUpRow(offer)] }) };
		if (isPublic) await interaction.editReply(message);
		else await answerPrivately(interaction, message, services, asked);
	} catch (error) {
		if (isAnsweredOrOver(error, interaction)) asked.warn({ err: error }, ANSWERED_OR_OVER);
		else asked.error({ err: error }, "the person could not be told");
	}
}
