/** The page API of page-contract.ts, the page itself, and uploaded files. */
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { z } from "zod";
import { type MediaStore, readUpload } from "../media/media-store.ts";
import { serveMedia } from "../media/serve-media.ts";
import type { ApiAttachment, AutocompleteResponse, InteractionResponse, PageError } from "../page-contract.ts";
import { safeFilename } from "../simulator/build-message.ts";
import type { CommandInteractions } from "../simulator/command-interactions.ts";
import { InvalidInputError } from "../simulator/resolver.ts";
import type { ComponentInteractions } from "../simulator/component-interactions.ts";
import type { SeedUser } from "../simulator/seed.ts";
import { MEDIA_PATH } from "../simulator/serialize.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { type AdminDeps, registerAdminRoutes } from "../admin/admin-routes.ts";
import { PageApiError, parseBody } from "./page-error.ts";
import type { EventStreams } from "./event-stream.ts";
import type { HostGuard } from "@atelier/common/host-guard";
import type { View, Viewer } from "./view.ts";
import { serveWebFiles } from "./web-files.ts";

const JSON_BYTES_MAX = 256 * 1024;
/** Larger than the limit of any boost level. */
const UPLOAD_BYTES_MAX = 512 * 1024 * 1024;
const OPTIONS_MAX = 25;
const FIELDS_MAX = 40;
const TEXT_CHARS_MAX = 100_000;

/** The page may load only what this server serves, and no site may frame it. */
const SECURITY_HEADERS = {
	"content-security-policy":
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; " +
		"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

const InvokeBody = z.strictObject({
	user: z.string().max(20).optional(),
	channelId: z.string().max(20),
	command: z.string().max(200),
	options: z
		.array(
			z.strictObject({
				name: z.string().max(32),
				value: z.union([z.string().max(TEXT_CHARS_MAX), z.number(), z.boolean()]),
			}),
		)
		.max(OPTIONS_MAX),
});
const AutocompleteBody = InvokeBody.extend({ focused: z.string().max(32) });

const id = z.string().max(20);
const customId = z.string().max(100);
const values = z.array(z.string().max(100)).max(OPTIONS_MAX).optional();
const ContextBody = z.strictObject({
	user: id.optional(),
	channelId: id,
	command: z.string().max(32),
	target: z.strictObject({ kind: z.literal(["user", "message"]), id }),
});
const PressBody = z.strictObject({ user: id.optional(), channelId: id, messageId: id, customId, values });
const SubmitBody = z.strictObject({
	user: id.optional(),
	interactionId: id,
	fields: z
		.array(
			z.strictObject({ customId, value: z.union([z.string().max(TEXT_CHARS_MAX), z.boolean()]).optional(), values }),
		)
		.max(FIELDS_MAX),
});

const BotBody = z.strictObject({ isInstalled: z.boolean() });
const CommandPermissionsBody = z.strictObject({
	command: z.string().max(33),
	permissions: z
		.array(
			z.strictObject({
				id: z.string().regex(/^\d{17,20}$/),
				type: z.literal([1, 2, 3]),
				permission: z.boolean(),
			}),
		)
		.max(100),
});

export function pagePlugin(deps: {
	simulator: Simulator;
	view: View;
	commandInteractions: CommandInteractions;
	componentInteractions: ComponentInteractions;
	media: MediaStore;
	guard: HostGuard;
	streams: EventStreams;
	admin: AdminDeps;
	logger: Logger;
}) {
	const { simulator, view, commandInteractions, componentInteractions, media, guard, streams, admin, logger } = deps;

	const { members, installs } = simulator;

	function userOf(userId: string | undefined): SeedUser {
		if (userId === undefined || userId === "") return simulator.members.defaultUser;
		const found = simulator.members.find(userId);
		if (!found) throw new PageApiError(404, "Unknown user.");
		return found;
	}
	function viewerOf(request: FastifyRequest): Viewer {
		const { user, guild } = request.query as { user?: string; guild?: string };
		return view.viewer(userOf(user), guild);
	}

	async function upload(request: FastifyRequest): Promise<ApiAttachment> {
		const { user, guild } = viewerOf(request);
		if (!request.isMultipart()) throw new PageApiError(415, "Send one file as multipart/form-data.");
		const file = await request.file().catch(rejectInvalidForm);
		if (!file) throw new PageApiError(400, "Send one file.");
		const { bytesMax } = simulator.overrides.fileLimitsIn(guild);
		const sent = await readUpload(file.file, bytesMax).catch(rejectInvalidForm);
		if (!sent) throw new PageApiError(413, `A file may have at most ${bytesMax / 1024 ** 2} MiB.`);
		const named = { filename: safeFilename(file.filename), description: null, title: null, isSpoiler: false };
		const attachment = await simulator.attachments.add({ ...named, ...sent }, user.id);
		return simulator.serialize.attachment(attachment, guild.id, true);
	}

	async function autocomplete(request: FastifyRequest): Promise<AutocompleteResponse> {
		const { user, ...order } = parseBody(AutocompleteBody, request.body);
		return { choices: await commandInteractions.autocomplete(userOf(user), order) };
	}

	function setCommandPermissions(request: FastifyRequest): Record<string, never> {
		const { user, guild } = viewerOf(request);
		if (!members.toPageMember(guild, user).isAdmin) throw new PageApiError(403, "Only an admin may change this.");
		const { command: typed, permissions } = parseBody(CommandPermissionsBody, request.body);
		const name = typed.replace(/^\//, "");
		const command = [...simulator.commands.list(null), ...simulator.commands.list(guild.id)].find(
			(each) => each.name === name,
		);
		if (!command) throw new PageApiError(404, `Unknown command: /${name}.`);
		simulator.commands.override(guild.id, command.id, permissions);
		return {};
	}

	function setBot(request: FastifyRequest): Record<string, never> {
		const viewer = viewerOf(request);
		if (!view.mayManageBot(viewer)) throw new PageApiError(403, "Only members who may manage the server can do this.");
		if (parseBody(BotBody, request.body).isInstalled) installs.add(viewer.guild);
		else installs.remove(viewer.guild);
		return {};
	}

	function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
		const { status, message } = toPageApiError(error);
		if (status >= 500) logger.error({ err: error, method: request.method }, "page request failed");
		reply.code(status).send({ message } satisfies PageError);
	}

	return async (scope: FastifyInstance): Promise<void> => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser(
			"application/json",
			{ parseAs: "string", bodyLimit: JSON_BYTES_MAX },
			(_, text, done) => {
				try {
					done(null, JSON.parse(String(text)));
				} catch {
					done(new PageApiError(400, "This is not JSON."));
				}
			},
		);
		await scope.register(multipart, {
			// One byte more, so that the limit is detected: the parser truncates a file silently.
			limits: { fileSize: UPLOAD_BYTES_MAX + 1, files: 1, fields: 0 },
			throwFileSizeLimit: false,
		});
		scope.setErrorHandler(sendError);
		scope.addHook("onRequest", (request, reply, done) => {
			reply.headers(SECURITY_HEADERS);
			done(guard.allows(request.headers) ? undefined : new PageApiError(403, "This host is not the playground's own."));
		});

		scope.get("/playground/state", (request) => view.state(viewerOf(request)));
		// Not for HEAD: a stream that is never read would stay open.
		scope.get("/playground/events", { exposeHeadRoute: false }, (request, reply) => {
			const viewer = viewerOf(request);
			const isOpen = streams.open(reply.raw, SECURITY_HEADERS, (tell) =>
				simulator.events.listen((event) => {
					const seen = view.event(viewer, event);
					if (seen) tell(seen);
				}),
			);
			if (!isOpen) throw new PageApiError(503, "Too many pages are open.");
			reply.hijack();
		});
		scope.post("/playground/uploads", (request) => upload(request));
		scope.post("/playground/interactions", (request): InteractionResponse => {
			const { user, ...order } = parseBody(InvokeBody, request.body);
			return { interactionId: commandInteractions.slashCommand(userOf(user), order) };
		});
		scope.post("/playground/context-commands", (request): InteractionResponse => {
			const { user, ...order } = parseBody(ContextBody, request.body);
			return { interactionId: commandInteractions.contextMenu(userOf(user), order) };
		});
		scope.post("/playground/components", (request): InteractionResponse => {
			const { user, ...pressed } = parseBody(PressBody, request.body);
			return { interactionId: componentInteractions.component(userOf(user), pressed) };
		});
		scope.post("/playground/modals", (request): InteractionResponse => {
			const { user, ...sent } = parseBody(SubmitBody, request.body);
			return { interactionId: componentInteractions.modal(userOf(user), sent) };
		});
		scope.post("/playground/autocomplete", (request) => autocomplete(request));
		scope.put("/playground/command-permissions", (request) => setCommandPermissions(request));
		scope.put("/playground/bot", (request) => setBot(request));
		const files = serveMedia({ media, find: (attachmentId) => simulator.attachments.find(attachmentId)?.attachment });
		await scope.register(files, { prefix: MEDIA_PATH });
		registerAdminRoutes(scope, admin);
		await serveWebFiles(scope);
	};
}

/** The parser's error for a truncated form has no code. */
function rejectInvalidForm(cause: unknown): never {
	throw new PageApiError(400, "Invalid form.", { cause });
}

function toPageApiError(error: unknown): { status: number; message: string } {
	if (error instanceof PageApiError) return error;
	if (error instanceof InvalidInputError) return { status: 400, message: error.message };
	const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
	if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return { status: 413, message: "This request is too large." };
	if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return { status: 415, message: "Requests are JSON." };
	// Includes clients that disconnect while sending: not worth a log line.
	if (typeof code === "string" && (code.startsWith("FST_") || code === "ECONNRESET"))
		return { status: 400, message: "This request cannot be read." };
	return { status: 500, message: "Something went wrong in the playground; its log knows more." };
}
