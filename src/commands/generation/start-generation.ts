/** Turns a command, button, form or menu into a task: from the deferred reply to the submission, or to a question to the member. */
import { PermissionFlagsBits } from "discord.js";
import type { Logger } from "pino";
import { assertDeliverable } from "../../services/delivery/delivery-routes.ts";
import type { TaskAction } from "../../services/delivery/task-buttons.ts";
import { buildGuildRequest, type GenerationSpec } from "../../services/generation/guild-request.ts";
import { makesNew } from "../../services/generation/request.ts";
import { channelIdsOf, type ChannelContext } from "../../services/access/authorization.ts";
import { channelDefaultsIn } from "../../services/settings/channel-defaults.ts";
import type { GuildSettings } from "../../services/settings/settings-schema.ts";
import type { Submission } from "../../services/tasks/task-service.ts";
import { SOURCE_ACTIONS, type Task, type TaskSource } from "../../services/tasks/task.ts";
import { channelContextOf, mayOfferRestrictedModels } from "../framework/channel-context.ts";
import { deferReply, readResultPrivacy, type PrivacyChoice } from "../framework/defer-reply.ts";
import { storeDeniedPrompt } from "../framework/denied-prompt.ts";
import { roleIdsOf } from "../framework/invoking-member.ts";
import { replyTargetOf } from "../framework/reply-target.ts";
import { askForConfirmation, needsConfirmation, offerImprovedPrompt } from "./draft-questions.ts";
import type { GenerationDeps, GenerationInteraction } from "./generation-deps.ts";

/** Without one of them, the result would leave an empty thread. */
const THREAD_PERMISSIONS = [PermissionFlagsBits.CreatePublicThreads, PermissionFlagsBits.SendMessagesInThreads];

export interface Generation {
	readonly privacyChoice: PrivacyChoice;
	/** Called after the reply is deferred. */
	readonly readSpec: () => SourcedSpec | Promise<SourcedSpec>;
	/** The member sees an improved prompt first. */
	readonly offersImprovedPrompt?: boolean;
}

interface SourcedSpec extends GenerationSpec {
	readonly source?: TaskSource | undefined;
}

interface SubmissionContext {
	readonly settings: GuildSettings;
	/** The message of the deferred reply. */
	readonly messageId: string;
	readonly isResultPrivate: boolean;
}

export async function startGeneration(
	interaction: GenerationInteraction,
	generation: Generation,
	deps: GenerationDeps,
	logger: Logger,
): Promise<void> {
	const { messageId, isResultPrivate } = await deferGeneration(interaction, generation, deps);
	const spec = await generation.readSpec();
	const settings = await deps.settings.read(interaction.guildId);
	const submission = await buildSubmission(interaction, spec, { settings, messageId, isResultPrivate }, deps, logger);
	assertDeliverable(submission.reply, spec.mediaType);
	const { offersImprovedPrompt = false } = generation;
	try {
		if (offersImprovedPrompt) await offerImprovedPrompt(interaction, submission, deps, logger);
		else if (needsConfirmation(submission.request, settings))
			await askForConfirmation(interaction, submission, deps, logger);
		else await deps.taskService.submit(submission, logger);
	} catch (error) {
		throw await storeDeniedPrompt(error, interaction, { submission, offersImprovedPrompt }, deps);
	}
}

/** Defers the reply as private or public, which cannot change later. The question about an improved prompt is private, its result maybe not. */
async function deferGeneration(
	interaction: GenerationInteraction,
	{ privacyChoice, offersImprovedPrompt = false }: Generation,
	deps: GenerationDeps,
): Promise<{ readonly messageId: string; readonly isResultPrivate: boolean }> {
	const { guildId, user } = interaction;
	const channelIds = channelIdsOf(channelContextOf(interaction));
	return await deps.firstResponseBarrier.respond(async () => {
		const isResultPrivate = await readResultPrivacy({ guildId, userId: user.id, channelIds }, privacyChoice, deps);
		const isReplyEphemeral = isResultPrivate || offersImprovedPrompt;
		return { messageId: await deferReply(interaction, { isEphemeral: isReplyEphemeral }), isResultPrivate };
	});
}

/** Builds the request by the settings of the server and the channel, and collects what the task needs to know of the interaction. */
async function buildSubmission(
	interaction: GenerationInteraction,
	{ source, ...spec }: SourcedSpec,
	{ settings, messageId, isResultPrivate }: SubmissionContext,
	deps: GenerationDeps,
	logger: Logger,
): Promise<Submission> {
	const { id, guildId, locale: userLocale, user } = interaction;
	const channel = await readChannel(channelContextOf(interaction), spec, deps, logger);
	const channelIds = channelIdsOf(channel);
	const requestChannel = { channelIds, isAgeRestricted: channel.isAgeRestricted ?? false };
	const mayOpenThread =
		!isResultPrivate && channel.parentId === null && interaction.appPermissions.has(THREAD_PERMISSIONS);
	const opensThread = mayOpenThread && channelDefaultsIn(settings, channelIds).threads;
	const ping = PING_OF_SETTING[settings.pings];
	return {
		id,
		request: await buildGuildRequest(spec, settings, requestChannel, deps),
		guildId,
		userId: user.id,
		roleIds: roleIdsOf(interaction),
		locale: isResultPrivate ? userLocale : await deps.languages.localeOf(guildId, settings),
		userLocale,
		reply: replyTargetOf(interaction, messageId, isResultPrivate),
		presentation: { isSpoiler: settings.media.spoiler, opensThread },
		channel,
		...(source && { source }),
		...(ping && { ping }),
	};
}

/** Asks Discord whether a thread is age-restricted, if that may decide between models. A named model is authorized later. */
async function readChannel(
	channel: ChannelContext,
	{ mediaType, model, isPreferred = makesNew }: GenerationSpec,
	{ catalog, channels }: Pick<GenerationDeps, "catalog" | "channels">,
	logger: Logger,
): Promise<ChannelContext> {
	if (channel.isAgeRestricted !== undefined || model !== null) return channel;
	if (!catalog.known(mediaType).some((each) => each.ageRestricted && isPreferred(each))) return channel;
	// Remains unknown if it is not true: the authorization asks again for a restricted model.
	return (await mayOfferRestrictedModels(channel, channels, logger)) ? { ...channel, isAgeRestricted: true } : channel;
}

const PING_OF_SETTING = { ask: undefined, always: "requested", never: "off" } as const;

/** Names the member whose result is used, and how; `undefined` if it is the member's own result. */
export function sourceOf(task: Task, { user }: GenerationInteraction, action: TaskAction): TaskSource | undefined {
	if (task.userId === user.id) return undefined;
	return { userId: task.userId, action: SOURCE_ACTIONS.find((each) => each === action) ?? "other" };
}
