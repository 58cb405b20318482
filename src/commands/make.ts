/**
 * From a wish to a task, whatever it was wished by: a command, a button, a form, a menu. The reply is deferred, the order is
 * placed, and everything that a server has decided holds alike.
 */
import {
	ApplicationIntegrationType,
	PermissionFlagsBits,
	type ButtonInteraction,
	type ChatInputCommandInteraction,
	type MessageContextMenuCommandInteraction,
	type ModalSubmitInteraction,
	type StringSelectMenuInteraction,
} from "discord.js";
import type { Logger } from "pino";
import { taskButtonRows } from "../discord/task-buttons.ts";
import type { ReplyTarget } from "../services/delivery/messenger.ts";
import { requireWayBack } from "../services/delivery/way-back.ts";
import type { MediaType, Model } from "@atelier/media-protocol/model";
import { makesNew, placeOrder, type Wishes } from "../services/generation/order.ts";
import { isModelOn } from "../services/guilds/policy.ts";
import { modelGone, promptIn, suits, wishesIn } from "../services/guilds/style-options.ts";
import { styleNamed, type NamedStyle } from "../services/guilds/styles.ts";
import { say } from "../services/messages/messages.ts";
import { composeProposal } from "../services/tasks/proposals.ts";
import { UserError } from "../services/user-error.ts";
import { answerPrivately } from "./answer-privately.ts";
import type { InServer, Services } from "./command.ts";
import { deferResult } from "./defer.ts";
import { roleIdsOf } from "./member.ts";
import { placeOf } from "./place.ts";
import { isResultPrivate } from "./private-result.ts";
import { tokenExpiresAtMsOf } from "./token-life.ts";

/** Discord sometimes names a limit that it does not keep: nothing larger is tried. */
const ATTACHMENT_BYTES_CEILING = 25 * 1024 * 1024;

export type Maker =
	| ChatInputCommandInteraction<InServer>
	| ButtonInteraction<InServer>
	| ModalSubmitInteraction<InServer>
	| StringSelectMenuInteraction<InServer>
	| MessageContextMenuCommandInteraction<InServer>;

export interface Wish {
	readonly mediaType: MediaType;
	/** The first that will do where none is named. */
	readonly model: string | null;
	/** Whether a model that nobody named will do. */
	readonly mayBe?: (model: Model) => boolean;
	readonly wishes: (model: Model) => Wishes;
	readonly style: string | null;
}

/** `wanted`: whether only whoever asked shall see it; as the server has it where that is `null`. */
export async function make(
	interaction: Maker,
	services: Services,
	logger: Logger,
	{ wanted, wish }: { readonly wanted: boolean | null; readonly wish: () => Wish | Promise<Wish> },
): Promise<void> {
	const { id, guildId, locale: userLocale, user } = interaction;
	const { messageId, isPrivate } = await services.answersFirst.give(async () => {
		const ephemeral = await isResultPrivate({ guildId, userId: user.id }, wanted, services);
		return { messageId: await deferResult(interaction, { isPrivate: ephemeral }), isPrivate: ephemeral };
	});
	const { mediaType, model: wantedModel, mayBe = makesNew, wishes, style } = await wish();
	const place = placeOf(interaction);
	const decided = await services.settings.read(guildId);
	const used = style === null ? undefined : styleNamed(decided, mediaType, style);
	const model = await chooseModel(services, mediaType, { typed: wantedModel, used }, (each) => {
		return mayBe(each) && isModelOn(decided, each, place.isAgeRestricted ?? false) && suits(used, each, wishes(each));
	});
	const plain = placeOrder(model, wishesIn(used, model, wishes(model)));
	const order = { ...plain, prompt: promptIn(used, plain.prompt) };
	const roleIds = roleIdsOf(interaction);
	const reply = { ...replyTargetOf(interaction, messageId, isPrivate), spoiler: decided.media.spoiler };
	requireWayBack(reply, mediaType);
	const locale = isPrivate ? userLocale : services.languages.localeOf(guildId, decided);
	const request = { id, order, guildId, userId: user.id, roleIds, locale, userLocale, reply, place };
	if (decided.confirmAbove === null || order.costCredits <= decided.confirmAbove) {
		await services.tasks.submit(request, logger);
		return;
	}
	await services.tasks.admit(request, logger);
	await services.proposals.keep(request);
	const { saying, buttons } = composeProposal(order, userLocale);
	const question = { content: say(userLocale, saying), components: [...taskButtonRows(id, buttons)] };
	await answerPrivately(interaction, question, services, logger);
}

/** What somebody names goes before what a style names; where neither does, the first that will do. */
async function chooseModel(
	{ catalogue }: Services,
	mediaType: MediaType,
	{ typed, used }: { readonly typed: string | null; readonly used: NamedStyle | undefined },
	mayBe: (model: Model) => boolean,
): Promise<Model> {
	try {
		return await catalogue.choose(mediaType, typed ?? used?.model ?? null, mayBe);
	} catch (error) {
		const isGone = used && typed === null && error instanceof UserError && error.saying.key === "modelUnknown";
		throw isGone ? modelGone(used) : error;
	}
}

/** Where the answer to an interaction goes, whose reply is that message. */
export function replyTargetOf(interaction: Maker, messageId: string, isPrivate: boolean): ReplyTarget {
	return {
		applicationId: interaction.applicationId,
		token: interaction.token,
		tokenExpiresAtMs: tokenExpiresAtMsOf(interaction),
		channelId: interaction.channelId ?? "",
		messageId,
		ephemeral: isPrivate,
		botInGuild:
			ApplicationIntegrationType.GuildInstall in interaction.authorizingIntegrationOwners &&
			// Without the bot itself there are no more than the permissions of what anybody's reply may contain.
			interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
		attachmentBytesMax: Math.min(interaction.attachmentSizeLimit, ATTACHMENT_BYTES_CEILING),
	};
}
