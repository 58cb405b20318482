/** A request's body: JSON, or a form of files with the JSON in `payload_json`. */
import type { FastifyRequest } from "fastify";
import { collect } from "../collect.ts";
import { type DiscordFault, faults } from "../world/fault.ts";
import type { UploadedFile } from "../world/message-body.ts";

export const FILES_MAX = 10;

export interface ReadBody {
	readonly body: unknown;
	readonly files: readonly UploadedFile[];
}

export async function readBody(request: FastifyRequest, bytesMax: number): Promise<ReadBody> {
	if (!request.isMultipart()) return { body: request.body ?? {}, files: [] };
	try {
		return await readForm(request, bytesMax);
	} catch (error) {
		// What the parser itself makes of half a form has no code to know it by; all else here has.
		throw error instanceof Error && "code" in error ? error : unreadableForm();
	}
}

export const unreadableForm = (): DiscordFault =>
	faults.invalidForm([{ path: [], code: "INVALID_FORM", message: "The form cannot be read." }]);

async function readForm(request: FastifyRequest, bytesMax: number): Promise<ReadBody> {
	const files: UploadedFile[] = [];
	let payload: string | undefined;
	let receivedBytes = 0;
	let fault: DiscordFault | undefined;
	// What is wrong is read to its end all the same: a client that is cut off while it writes never hears the refusal.
	for await (const part of request.parts()) {
		if (part.type === "field") {
			// The parser reads what says that it is JSON by itself, as Discord's own examples say it.
			if (part.fieldname === "payload_json")
				payload = typeof part.value === "string" ? part.value : JSON.stringify(part.value);
			else fault ??= unknownPart(part.fieldname, "Fields belong in payload_json.");
			continue;
		}
		const file = await collect(part.file, bytesMax - receivedBytes);
		receivedBytes += file?.bytes.byteLength ?? Number.POSITIVE_INFINITY;
		const index = /^files\[(\d{1,2})\]$/.exec(part.fieldname)?.[1];
		if (!file) fault ??= faults.bodyTooLarge();
		else if (index === undefined) fault ??= unknownPart(part.fieldname, "Files are named files[n].");
		else if (files.length >= FILES_MAX) fault ??= faults.tooManyAttachments();
		else files.push({ index: Number(index), filename: part.filename, ...file });
	}
	if (fault) throw fault;
	return { body: payload === undefined ? {} : parseJson(payload), files };
}

function unknownPart(name: string, message: string): DiscordFault {
	return faults.invalidForm([{ path: [name], code: "UNKNOWN_FIELD", message }]);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw faults.invalidJson();
	}
}
