/** The page API of page-contract.ts, the page itself, and uploaded files. */
import multipart from "@fastify/multipart";
import { type APIApplicationCommand, type APIAttachment, PermissionFlagsBits } from "discord-api-types/v10";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { type MediaStore, readUpload } from "../media/media-store.ts";
import { serveMedia } from "../media/serve-media.ts";
import {
	type AnswerOf,
	type BodyOf,
	type StartedInteraction,
	type PageAction,
	type PageError,
	pageInputs,
} from "./page-contract.ts";
import { ApiError } from "../simulator/api-error.ts";
import { safeFilename } from "../simulator/build-message.ts";
import type { CommandInteractions } from "../page-actions/command-interactions.ts";
import { createMemberMessages } from "../page-actions/member-messages.ts";
import { InvalidInputError } from "../page-actions/invalid-input.ts";
import type { User } from "../simulator/documents.ts";
import type { ComponentInteractions } from "../page-actions/component-interactions.ts";
import { MEDIA_PATH } from "../simulator/serialize.ts";
import { type AdminDeps, registerAdminRoutes } from "../admin/admin-handlers.ts";
import { PageApiError, parseBody, WRONG_HOST } from "./page-error.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import { commandLabel } from "../page-actions/user-access.ts";
import type { EventStreams } from "./event-stream.ts";
import type { HostGuard } from "@atelier/common/host-guard";
import type { View, Viewer } from "./user-view.ts";
import { serveWebFiles } from "@atelier/common/serve-web-files";

const WEB_FOLDER = new URL("../../web/dist/", import.meta.url);
/** Larger than the limit of any boost level. */
const UPLOAD_BYTES_MAX = 512 * 1024 * 1024;
/** Fits a form with the longest texts in every field. */
const BODY_BYTES_MAX = 1024 * 1024;

interface PageDeps extends AdminDeps {
	readonly view: View;
	readonly commandInteractions: CommandInteractions;
	readonly componentInteractions: ComponentInteractions;
	readonly media: MediaStore;
	readonly guard: HostGuard;
	readonly streams: EventStreams;
	readonly logger: Logger;
}

export function pagePlugin(deps: PageDeps) {
	const { simulator, view, commandInteractions, componentInteractions, media, guard, streams, recorder, logger } = deps;
	const { members, installs } = simulator;
	const memberMessages = createMemberMessages(simulator);

	function userOf(userId: string | undefined): User {
		// The default user may have been removed from all servers.
		if (userId === undefined || userId === "")
			return simulator.seed.users.find(({ id }) => simulator.guilds.ofUser(id).length > 0) ?? members.defaultUser;
		const found = members.find(userId);
		if (!found) throw new PageApiError(404, "Unknown user.");
		return found;
	}
	function viewerOf(request: FastifyRequest): Viewer {
		const { user, guild } = request.query as { user?: string; guild?: string };
		return view.viewer(userOf(user), guild);
	}

	async function upload(request: FastifyRequest): Promise<APIAttachment> {
		const { user, guild } = viewerOf(request);
		if (!request.isMultipart()) throw new PageApiError(415, "Send one file as multipart/form-data.");
		const file = await request.file().catch(rejectInvalidForm);
		if (!file) throw new PageApiError(400, "Send one file.");
		const { bytesMax } = simulator.adminSettings.fileLimitsIn(guild);
		const bytes = await readUpload(file.file, bytesMax).catch(rejectInvalidForm);
		if (!bytes) throw new PageApiError(413, `A file may have at most ${bytesMax / 1024 ** 2} MB.`);
		const filename = safeFilename(file.filename);
		const uploaded = { filename, bytes };
		const action = { route: "upload", userId: user.id, guildId: guild.id, upload: uploaded };
		const attachment = await simulator.attachments.add(uploaded, user.id);
		// Recorded together: a replay numbers uploads in the order of their steps.
		await recorder.perform(action, () => recorder.assign(attachment.id, "upload"));
		return simulator.serialize.attachment(attachment, guild.id, true);
	}

	function setCommandPermissions(
		{ user, guild }: Viewer,
		{ command: input, type, permissions }: BodyOf<"setCommandPermissions">,
	): void {
		if ((members.permissions(guild, user.id) & PermissionFlagsBits.Administrator) === 0n)
			throw new PageApiError(403, "Only an admin may change this.");
		const wanted: Pick<APIApplicationCommand, "type" | "name"> = { type, name: input.replace(/^\//, "") };
		const command = simulator.commands
			.listIn(guild.id)
			.find((each) => each.name === wanted.name && each.type === wanted.type);
		if (!command) throw new PageApiError(404, `Unknown command: ${commandLabel(wanted)}.`);
		simulator.commands.setPermissions(guild.id, command.id, permissions);
	}

	function setBotInstalled({ user, guild }: Viewer, { isInstalled }: BodyOf<"setBotInstalled">): void {
		if ((members.permissions(guild, user.id) & PermissionFlagsBits.ManageGuild) === 0n)
			throw new PageApiError(403, "Only members who may manage the server can do this.");
		if (isInstalled) installs.add(guild);
		else installs.remove(guild);
	}

	/** Events report the outcome of the interaction. */
	function started(interactionId: string): StartedInteraction {
		recorder.assign(interactionId, "interaction");
		return { interactionId };
	}

	const actions: {
		readonly [Name in PageAction]: (
			user: User,
			body: BodyOf<Name>,
			request: FastifyRequest,
		) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
	} = {
		typeCommand: (user, body) => started(commandInteractions.typeCommand(user, body)),
		useContextMenu: (user, body) => started(commandInteractions.useContextMenu(user, body)),
		press: (user, body) => started(componentInteractions.press(user, body)),
		submit: (user, body) => started(componentInteractions.submit(user, body)),
		autocomplete: async (user, body) => ({ choices: await commandInteractions.autocomplete(user, body) }),
		say: async (user, body) => ({ message: await memberMessages.say(user, body) }),
		editMessage: async (user, body) => ({ message: await memberMessages.editMessage(user, body) }),
		deleteMessage: (user, body) => memberMessages.deleteMessage(user, body),
		react: (user, body) => memberMessages.react(user, body),
		unreact: (user, body) => memberMessages.unreact(user, body),
		vote: (user, body) => memberMessages.vote(user, body),
		startThread: (user, body) => ({ threadId: memberMessages.startThread(user, body).id }),
		openDirect: (user) => ({ channelId: simulator.channels.openDirect(user.id).id }),
		setCommandPermissions: (_, body, request) => setCommandPermissions(viewerOf(request), body),
		setBotInstalled: (_, body, request) => setBotInstalled(viewerOf(request), body),
	};

	/** Registers a route on which the viewing user acts. */
	function registerAction(scope: FastifyInstance, name: PageAction): void {
		const act = actions[name] as (user: User, body: object, request: FastifyRequest) => unknown;
		scope.post(`/playground/${name}`, async (request) => {
			const body = parseBody<object>(pageInputs[name], request.body);
			const { user: userId, guild: guildId } = request.query as { user?: string; guild?: string };
			const user = userOf(userId);
			const action = { route: name, userId: user.id, guildId, body };
			return (await recorder.perform(action, () => act(user, body, request))) ?? {};
		});
	}

	function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
		const { status, message } = toPageApiError(error);
		if (status >= 500) logger.error({ err: error, method: request.method }, "page request failed");
		reply.code(status).send({ message } satisfies PageError);
	}

	return async (scope: FastifyInstance): Promise<void> => {
		scope.removeContentTypeParser("text/plain");
		await scope.register(multipart, {
			// One byte more, so that the limit is detected: the parser truncates a file silently.
			limits: { fileSize: UPLOAD_BYTES_MAX + 1, files: 1, fields: 0 },
			throwFileSizeLimit: false,
		});
		scope.addHook("onRoute", (route) => {
			route.bodyLimit ??= BODY_BYTES_MAX;
		});
		scope.setErrorHandler(sendError);
		scope.addHook("onRequest", (request, reply, done) => {
			reply.headers(SECURITY_HEADERS);
			done(guard.allows(request.headers) ? undefined : new PageApiError(403, WRONG_HOST));
		});

		scope.get("/playground/state", (request) => view.state(viewerOf(request)));
		// Not for HEAD: a stream that is never read would stay open.
		scope.get("/playground/events", { exposeHeadRoute: false }, (request, reply) => {
			const viewer = viewerOf(request);
			const isOpen = streams.open(reply.raw, SECURITY_HEADERS, (send, end) => view.subscribe(viewer, send, end));
			if (!isOpen) throw new PageApiError(503, "Too many pages are open. Close one, then reload this page.");
			reply.hijack();
		});
		scope.post("/playground/upload", (request) => upload(request));
		for (const name of Object.keys(actions) as PageAction[]) registerAction(scope, name);
		const files = serveMedia({ media, find: (attachmentId) => simulator.attachments.find(attachmentId)?.attachment });
		await scope.register(files, { prefix: MEDIA_PATH });
		registerAdminRoutes(scope, deps);
		await serveWebFiles(scope, WEB_FOLDER);
	};
}

/** The parser's error for a truncated form has no code. */
function rejectInvalidForm(cause: unknown): never {
	throw new PageApiError(400, "Invalid form.", { cause });
}

function toPageApiError(error: unknown): { status: number; message: string } {
	if (error instanceof PageApiError) return error;
	if (error instanceof ApiError) return { status: 400, message: error.text ?? error.lines().join("\n") };
	if (error instanceof InvalidInputError) return { status: 400, message: error.message };
	const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
	if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return { status: 413, message: "This request is too large." };
	if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return { status: 415, message: "Requests are JSON." };
	// Too deep for a stack.
	const isNested = error instanceof RangeError;
	// Includes clients that disconnect while sending: not worth a log line.
	if (isNested || (typeof code === "string" && (code.startsWith("FST_") || code === "ECONNRESET")))
		return { status: 400, message: "This request cannot be read." };
	return { status: 500, message: "Something went wrong in the playground; its log knows more." };
}
