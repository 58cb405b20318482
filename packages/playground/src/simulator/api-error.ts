import type { JsonPath } from "../json.ts";

export interface FieldError {
	readonly path: JsonPath;
	readonly code: string;
	readonly message: string;
}

/** Discord's nested field errors: the path as objects, `_errors` at its end. */
export interface NestedErrors {
	[key: string]: NestedErrors | { code: string; message: string }[];
}

/** An error in Discord's words; the REST plugin converts it to the response. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly status: number;
	readonly code: number;
	readonly fields: readonly FieldError[];
	/** A text for people, where Discord's own says too little. */
	readonly text: string | undefined;

	constructor(status: number, code: number, message: string, fields: readonly FieldError[] = [], text?: string) {
		super(message);
		this.status = status;
		this.code = code;
		this.fields = fields;
		this.text = text;
	}

	/** Returns the problems. */
	lines(): readonly string[] {
		if (this.fields.length === 0) return [this.message];
		return this.fields.map(({ path, message }) => `${path.join(".")}: ${message}`);
	}

	/** Returns the same error with its field paths below `field`. */
	under(field: string): ApiError {
		const fields = this.fields.map((error) => ({ ...error, path: [field, ...error.path] }));
		return new ApiError(this.status, this.code, this.message, fields);
	}

	toBody(): object {
		const body = { message: this.message, code: this.code };
		return this.fields.length === 0 ? body : { ...body, errors: nestErrors(this.fields) };
	}
}

/** An error of the token endpoint, in the form of RFC 6749 instead of Discord's own. */
export class OAuth2Error extends ApiError {
	readonly error: string;
	readonly description: string | undefined;

	constructor(status: number, error: string, description?: string) {
		super(status, 0, description ?? error);
		this.error = error;
		this.description = description;
	}

	override toBody(): object {
		return { error: this.error, error_description: this.description };
	}
}

export const oauth2Errors = {
	invalidClient: () => new OAuth2Error(401, "invalid_client"),
	/** A grant that is unknown, expired, used, or bound to another value of this parameter. */
	invalidGrant: (parameter: string) => new OAuth2Error(400, "invalid_grant", `Invalid "${parameter}" in request.`),
	missingParameter: (parameter: string) =>
		new OAuth2Error(400, "invalid_request", `Missing "${parameter}" in request.`),
	unsupportedGrantType: (type = "None") =>
		new OAuth2Error(400, "unsupported_grant_type", `Grant type ${type} is not supported`),
};

/** Without a prototype: names come from requests, and `__proto__` must be a regular name. */
function emptyNode(): NestedErrors {
	return Object.create(null) as NestedErrors;
}

export function nestErrors(fields: readonly FieldError[]): NestedErrors {
	const root = emptyNode();
	for (const { path, code, message } of fields) {
		let node = root;
		for (const part of path) {
			const next = node[String(part)];
			const child = next === undefined || Array.isArray(next) ? emptyNode() : next;
			node[String(part)] = child;
			node = child;
		}
		const errors = node["_errors"];
		if (Array.isArray(errors)) errors.push({ code, message });
		else node["_errors"] = [{ code, message }];
	}
	return root;
}

const invalidForm = (fields: readonly FieldError[]): ApiError => new ApiError(400, 50_035, "Invalid Form Body", fields);

/**
 * The part of Discord's error catalog that the playground uses.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes
 */
export const apiErrors = {
	notFound: () => new ApiError(404, 0, "404: Not Found"),
	unauthorized: () => new ApiError(401, 0, "401: Unauthorized"),
	unexpected: () => new ApiError(500, 0, "500: Internal Server Error"),
	unknownApplication: () => new ApiError(404, 10_002, "Unknown Application"),
	unknownChannel: () => new ApiError(404, 10_003, "Unknown Channel"),
	unknownGuild: () => new ApiError(404, 10_004, "Unknown Guild"),
	unknownMember: () => new ApiError(404, 10_007, "Unknown Member"),
	unknownOverwrite: () => new ApiError(404, 10_009, "Unknown Permission Overwrite"),
	unknownMessage: () => new ApiError(404, 10_008, "Unknown Message"),
	unknownEmoji: () => new ApiError(400, 10_014, "Unknown Emoji"),
	unknownRole: () => new ApiError(404, 10_011, "Unknown Role"),
	unknownBan: () => new ApiError(404, 10_026, "Unknown Ban"),
	unknownUser: () => new ApiError(404, 10_013, "Unknown User"),
	unknownWebhook: () => new ApiError(404, 10_015, "Unknown Webhook"),
	unknownSku: () => new ApiError(404, 10_027, "Unknown SKU"),
	unknownEntitlement: () => new ApiError(404, 10_029, "Unknown entitlement"),
	unknownInteraction: () => new ApiError(404, 10_062, "Unknown interaction"),
	unknownCommand: () => new ApiError(404, 10_063, "Unknown application command"),
	unknownCommandPermissions: () => new ApiError(404, 10_066, "Unknown application command permissions"),
	slowMode: (text: string) =>
		new ApiError(429, 20_016, "This action cannot be performed due to slowmode rate limit", [], text),
	tooManyWebhooks: (most: number) => new ApiError(400, 30_007, `Maximum number of webhooks reached (${most})`),
	tooManyReactions: () => new ApiError(400, 30_010, "Maximum number of reactions reached (20)"),
	tooManyAttachments: () => new ApiError(400, 30_015, "Maximum number of attachments in a message reached (10)"),
	tooManyCommands: (most: number) =>
		new ApiError(400, 30_032, `Maximum number of application commands reached (${most})`),
	bodyTooLarge: () => new ApiError(413, 40_005, "Request entity too large"),
	notInVoice: () => new ApiError(400, 40_032, "Target user is not connected to voice."),
	alreadyAcknowledged: () => new ApiError(400, 40_060, "Interaction has already been acknowledged."),
	missingAccess: (text?: string) => new ApiError(403, 50_001, "Missing Access", [], text),
	notInDirectMessages: (text?: string) => new ApiError(403, 50_003, "Cannot execute action on a DM channel", [], text),
	cannotMessageUser: () => new ApiError(403, 50_007, "Cannot send messages to this user"),
	missingPermissions: (text?: string) => new ApiError(403, 50_013, "Missing Permissions", [], text),
	notTheAuthor: () => new ApiError(403, 50_005, "Cannot edit a message authored by another user"),
	emptyMessage: () => new ApiError(400, 50_006, "Cannot send an empty message"),
	invalidWebhookToken: () => new ApiError(401, 50_027, "Invalid Webhook Token"),
	invalidRole: () => new ApiError(400, 50_028, "Invalid Role"),
	tooOldToDelete: () => new ApiError(400, 50_034, "You can only bulk delete messages that are under 14 days old."),
	invalidRecipient: () => new ApiError(400, 50_033, "Invalid Recipient(s)"),
	invalidForm,
	/** An invalid form with an error of one field. */
	invalidField: (path: JsonPath, code: string, message: string) => invalidForm([{ path, code, message }]),
	invalidVersion: () => new ApiError(400, 50_041, "Invalid API version"),
	notInThisChannelType: () => new ApiError(400, 50_024, "Cannot execute action on this channel type"),
	threadArchived: () => new ApiError(400, 50_083, "Thread is archived"),
	threadExists: () => new ApiError(400, 160_004, "A thread has already been created for this message"),
	threadLocked: () => new ApiError(400, 160_005, "This thread is locked"),
	forumChannelsOnly: () => new ApiError(400, 220_003, "Webhooks can only create threads in forum channels"),
	pollExpired: () => new ApiError(400, 520_001, "Poll expired"),
	pollNotEditable: () => new ApiError(400, 520_003, "Cannot edit a poll message"),
	notAPoll: () => new ApiError(400, 520_006, "Cannot expire a non-poll message"),
	fileTooLarge: () => new ApiError(400, 50_045, "File uploaded exceeds the maximum size"),
	systemMessage: () => new ApiError(403, 50_021, "Cannot execute action on a system message"),
	replyNeedsHistory: () => new ApiError(403, 160_002, "You cannot reply without permission to read message history"),
	noMutualGuilds: () => new ApiError(403, 50_278, "Cannot send messages to this user due to having no mutual guilds"),
	voiceMessageWithContent: () => new ApiError(400, 50_159, "Voice messages do not support additional content."),
	voiceMessageNeedsAudio: () => new ApiError(400, 50_160, "Voice messages must have a single audio attachment."),
	voiceMessageNeedsMetadata: () => new ApiError(400, 50_161, "Voice messages must have supporting metadata."),
	voiceMessageNotEditable: () => new ApiError(400, 50_162, "Voice messages cannot be edited."),
	noVoiceMessages: () => new ApiError(403, 50_173, "You cannot send voice messages in this channel."),
	invalidJson: () => new ApiError(400, 50_109, "The request body contains invalid JSON."),
};

/** The code and the message of a missing field, for `errorIf`. */
export const REQUIRED = ["BASE_TYPE_REQUIRED", "This field is required"] as const;

/** Returns the error of a field, or none if the field is valid. */
export function errorIf(isInvalid: boolean, path: JsonPath, code: string, message: string): FieldError[] {
	return isInvalid ? [{ path, code, message }] : [];
}

/** Throws Discord's error for an invalid form if there are errors. */
export function rejectFields(errors: readonly FieldError[]): void {
	if (errors.length > 0) throw invalidForm(errors);
}
