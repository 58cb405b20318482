import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";
import { REQUEST_BYTES_CEILING } from "../simulator/admin-settings.ts";
import type { ApiError } from "../simulator/api-error.ts";
import { FILES_MAX, parseJsonBody } from "./read-request.ts";

/** The largest JSON body. */
const JSON_BYTES_MAX = 8 * 1024 * 1024;
/** The largest URL-encoded body, and the largest text field of a multipart body, such as `payload_json`. */
const FORM_TEXT_BYTES_MAX = 1024 * 1024;

/** Registers the parsers of JSON, URL-encoded and multipart bodies. Other bodies count as empty. */
export async function registerBodyParsers(scope: FastifyInstance): Promise<void> {
	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser("application/json", { parseAs: "string", bodyLimit: JSON_BYTES_MAX }, (_, text, done) => {
		try {
			done(null, text === "" ? undefined : parseJsonBody(String(text)));
		} catch (error) {
			done(error as ApiError);
		}
	});
	scope.addContentTypeParser(
		"application/x-www-form-urlencoded",
		{ parseAs: "string", bodyLimit: FORM_TEXT_BYTES_MAX },
		(_, text, done) => done(null, new URLSearchParams(String(text))),
	);
	scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: JSON_BYTES_MAX }, (_, __, done) =>
		done(null, undefined),
	);
	await scope.register(multipart, {
		// Higher than Discord's limits, so that our own errors in Discord's format come first.
		limits: {
			fileSize: REQUEST_BYTES_CEILING + 1,
			files: FILES_MAX + 10,
			fields: 10,
			fieldSize: FORM_TEXT_BYTES_MAX,
			parts: FILES_MAX + 20,
		},
		throwFileSizeLimit: false,
	});
}
