/** Turns a command, button, form or menu into a task: defers its reply, then submits its request or asks the member a question. */
import { PermissionFlagsBits, type RepliableInteraction } from "discord.js";
import type { Model } from "@atelier/media-protocol/model";
import type { RequestChannel } from "../../services/access/request-channel.ts";
import { assertDeliverable } from "../../services/delivery/delivery-routes.ts";
import { IMAGE_ACTIONS, type TaskAction } from "../../services/delivery/task-actions.ts";
import { buildRequest, hasOperation, type GenerationRequest } from "../../services/generation/request.ts";
import { readResultPrivacy, type PrivacyChoice } from "../../services/settings/result-privacy.ts";
import { selectModel, type GenerationSpec } from "../../services/settings/select-model.ts";
import { channelDefaultsIn } from "../../services/settings/channel-defaults.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import { applyStyle, applyStyleText } from "../../services/settings/styles.ts";
import type { Submission } from "../../services/tasks/submission-service.ts";
import { messageLinkOf, publicMessageIdOf } from "../../services/tasks/delivered-result.ts";
import { SOURCE_ACTIONS, type Task, type TaskSource } from "../../services/tasks/task.ts";
import type { InGuild } from "../framework/command.ts";
import { requestChannelOf, withAgeRestriction } from "../framework/interaction-channel.ts";
import { storeDeniedPrompt } from "./store-denied-prompt.ts";
import { deferAndReadId } from "../framework/defer-reply.ts";
import { roleIdsOf } from "../framework/invoking-member.ts";
import { replyTargetOf } from "../framework/reply-targets.ts";
import { askForConfirmation, needsConfirmation, offerImprovedPrompt } from "./draft-questions.ts";
import type { CommandServices } from "../command-services.ts";

/** Without one of them, the result would leave an empty thread. */
const THREAD_PERMISSIONS = [PermissionFlagsBits.CreatePublicThreads, PermissionFlagsBits.SendMessagesInThreads];

/** The deferred reply of a generation. Discord keeps it as public or ephemeral. */
interface DeferredReply {
	readonly messageId: string;
	readonly isResultPrivate: boolean;
	/** The member sees an improved prompt first. That reply is ephemeral; the result may be public. */
	readonly offersImprovedPrompt: boolean;
}

/** Defers the reply within the three seconds that Discord waits. Call it before anything that may take longer. */
export async function deferGeneration(
	interaction: RepliableInteraction<InGuild>,
	{
		privacy,
		offersImprovedPrompt = false,
	}: { readonly privacy: PrivacyChoice | Promise<PrivacyChoice>; readonly offersImprovedPrompt?: boolean },
	services: CommandServices,
): Promise<DeferredReply> {
	const { guildId, user } = interaction;
	const { channelIds } = requestChannelOf(interaction);
	return await services.sendFirstResponse(async () => {
		const isResultPrivate = await readResultPrivacy({ guildId, userId: user.id, channelIds }, privacy, services);
		const messageId = await deferAndReadId(interaction, { isEphemeral: isResultPrivate || offersImprovedPrompt });
		return { messageId, isResultPrivate, offersImprovedPrompt };
	});
}

/** Builds the request and submits it, or first asks the member about its prompt or its price. `source` is the result that it uses. */
export async function startGeneration(
	interaction: RepliableInteraction<InGuild>,
	reply: DeferredReply,
	{ source, ...spec }: GenerationSpec & { readonly source?: TaskSource | undefined },
	services: CommandServices,
): Promise<void> {
	const { catalog } = services;
	const { offersImprovedPrompt } = reply;
	const settings = await services.settings.read(interaction.guildId);
	const models = await catalog.list(spec.mediaType);
	const channel = await readChannel(requestChannelOf(interaction), spec, models, services);
	const { model, style } = selectModel(models, spec, settings, channel);
	const built = buildRequest(model, applyStyle(style, model, spec.input));
	const request = { ...built, prompt: applyStyleText(style, built.prompt) };
	const locale = reply.isResultPrivate
		? interaction.locale
		: await services.languages.localeOf(interaction.guildId, settings);
	const submission = buildSubmission(interaction, reply, { request, source, settings, channel, locale }, services);
	assertDeliverable(submission.reply, spec.mediaType);
	try {
		if (offersImprovedPrompt) await offerImprovedPrompt(interaction, submission, services);
		else if (needsConfirmation(request, settings)) await askForConfirmation(interaction, submission, services);
		else await services.submissions.submit(submission, services.logger);
	} catch (error) {
		throw await storeDeniedPrompt(error, interaction, { submission, offersImprovedPrompt }, services);
	}
}

/** Reads whether a thread is age-restricted, if the selection depends on it. `authorize` checks a named model. */
async function readChannel(
	channel: RequestChannel,
	{ model, input }: GenerationSpec,
	models: readonly Model[],
	{ channels, logger }: CommandServices,
): Promise<RequestChannel> {
	const dependsOnAgeRestriction =
		model === null && models.some((each) => each.ageRestricted && hasOperation(each, input));
	return dependsOnAgeRestriction ? await withAgeRestriction(channel, channels, logger) : channel;
}

interface SubmissionParts {
	readonly request: GenerationRequest;
	readonly source: TaskSource | undefined;
	readonly settings: GuildSettings;
	readonly channel: RequestChannel;
	/** Locale of the result. */
	readonly locale: string;
}

/** Collects what the task needs to know of the interaction. */
function buildSubmission(
	interaction: RepliableInteraction<InGuild>,
	{ messageId, isResultPrivate }: DeferredReply,
	{ request, source, settings, channel, locale }: SubmissionParts,
	{ catalog: { creditPrice }, promptImprover }: CommandServices,
): Submission {
	const { id, guildId, locale: userLocale, user } = interaction;
	const isThread = channel.channelIds.length > 1;
	const mayOpenThread = !isResultPrivate && !isThread && interaction.appPermissions.has(THREAD_PERMISSIONS);
	const opensThread = mayOpenThread && channelDefaultsIn(settings, channel.channelIds).threads;
	const { spoiler: isSpoiler, promptInFiles: isPromptInFiles, improvePrompts } = settings.media;
	const isImprovable = improvePrompts && promptImprover !== undefined;
	const isReportable = settings.reportChannelId !== null;
	const ping = PING_OF_SETTING[settings.pings];
	return {
		id,
		request,
		guildId,
		userId: user.id,
		roleIds: roleIdsOf(interaction),
		locale,
		userLocale,
		reply: replyTargetOf(interaction, messageId, isResultPrivate),
		presentation: {
			isSpoiler,
			opensThread,
			isPromptInFiles,
			isImprovable,
			isReportable,
			...(creditPrice && { creditPrice }),
		},
		channel,
		...(source && { source }),
		...(ping && { ping }),
	};
}

const PING_OF_SETTING = { ask: undefined, always: "requested", never: "off" } as const;

/** Names the result that is used, and how; `undefined` if the member only repeats a request of their own. */
export function sourceOf(
	task: Task,
	{ user }: RepliableInteraction<InGuild>,
	action: TaskAction,
): TaskSource | undefined {
	const isOwn = task.userId === user.id;
	if (isOwn && !IMAGE_ACTIONS.some((each) => each === action)) return undefined;
	return {
		userId: isOwn ? null : task.userId,
		link: publicMessageIdOf(task) === undefined ? null : messageLinkOf(task),
		action: SOURCE_ACTIONS.find((each) => each === action) ?? "other",
	};
}
