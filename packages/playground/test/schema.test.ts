/** The validation of requests and responses against Discord's schema. */
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createResponseValidator, validateRequest } from "../src/schema/validator.ts";
import { ApiError } from "../src/simulator/api-error.ts";
import { invalidFormBody } from "../testing/setup.ts";

/** Returns the body as Discord reads it, or that of the error. */
function read(name: Parameters<typeof validateRequest>[0], body: object): unknown {
	try {
		return validateRequest(name, body);
	} catch (error) {
		return error instanceof ApiError ? error.toBody() : error;
	}
}

describe("a request", () => {
	const message = { content: "x", embed: { title: "y" }, allowedMentions: { everyone: false } };
	const command = { name: "x", defaultPermission: true, default_permission: true };
	test.each([
		["the additional fields of eris", "IncomingWebhookRequestPartial", { ...message, wait: true, auth: true }],
		["the additional fields of eris", "IncomingWebhookRequestPartial", { ...message, avatarURL: "", threadID: "1" }],
		[
			"the additional fields of eris",
			"MessageCreateRequest",
			{ ...message, messageReference: {}, messageReferenceID: "1" },
		],
		["the additional fields of eris", "ApplicationCommandCreateRequest", command],
		["the additional fields of eris", "CreateMessageInteractionCallbackRequest", { type: 4, data: message }],
		["any offset of a time", "MessageCreateRequest", { embeds: [{ timestamp: "2026-01-01T01:00:00.000+01:00" }] }],
	] as const)("may have %s: %s", (_, name, body) => {
		expect(read(name, body)).toStrictEqual(body);
	});

	test("may have ids as numbers and integers as strings", () => {
		const sent = { content: "x", flags: "4", message_reference: { message_id: 5 }, allowed_mentions: { users: [7] } };
		expect(read("MessageCreateRequest", sent)).toStrictEqual({
			content: "x",
			flags: 4,
			message_reference: { message_id: "5" },
			allowed_mentions: { users: ["7"] },
		});
	});

	const custom_id = "x".repeat(101);
	test.each([
		["a number as text", { content: 5 }, "content", "STRING_TYPE_CONVERT"],
		["a text as a boolean", { tts: "true" }, "tts", "BOOLEAN_TYPE_CONVERT"],
		["an unknown field", { embeds: [{ author: { name: "y", age: 3 } }] }, "embeds.0.author.age", "UNKNOWN_FIELD"],
		[
			"an error in a branch of a union",
			{ components: [{ type: 1, components: [{ type: 2, style: 1, custom_id, label: "x" }] }] },
			"components.0.components.0.custom_id",
			"BASE_TYPE_MAX_LENGTH",
		],
	])("with %s is rejected", (_, body, place, code) => {
		expect(read("MessageCreateRequest", body)).toMatchObject(invalidFormBody(place, code).body);
	});
});

test("an invalid response is recorded with its reasons; unknown fields only if the known ones are valid", () => {
	const { validate, violations } = createResponseValidator(pino({ level: "silent" }));
	const check = (body: unknown): void => validate("GET /gateway", "GatewayResponse", body);
	check({ url: "wss://gateway.example" });
	expect(violations).toStrictEqual([]);
	check({ url: 5, more: 1 });
	// A list is validated per item.
	check([{ url: "wss://gateway.example", more: 1 }]);
	expect(violations).toMatchObject([
		{ response: "GET /gateway", errors: [expect.stringContaining("url")] },
		{ errors: ["more: Discord knows no more here."] },
	]);
});
