import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createResponseValidator, validateRequest } from "../src/schema/validator.ts";
import { ApiError } from "../src/simulator/api-error.ts";

function refusalOf(check: () => void): unknown {
	try {
		check();
		return undefined;
	} catch (error) {
		return error instanceof ApiError ? error.toBody() : error;
	}
}

describe("requests", () => {
	test("may have the additional fields of eris", () => {
		const message = { content: "x", embed: { title: "y" }, allowedMentions: { everyone: false } };
		const refusals = [
			refusalOf(() => validateRequest("IncomingWebhookRequestPartial", { ...message, wait: true })),
			refusalOf(() => validateRequest("MessageCreateRequest", { ...message, messageReference: {} })),
			refusalOf(() => validateRequest("CreateMessageInteractionCallbackRequest", { type: 4, data: message })),
		];
		expect(refusals).toStrictEqual([undefined, undefined, undefined]);
	});

	test("may have ids as numbers and integers as strings; other fields need their own type", () => {
		const sent = { content: "x", flags: "4", message_reference: { message_id: 5 }, allowed_mentions: { users: [7] } };
		expect(validateRequest("MessageCreateRequest", sent)).toStrictEqual({
			content: "x",
			flags: 4,
			message_reference: { message_id: "5" },
			allowed_mentions: { users: ["7"] },
		});
		expect(refusalOf(() => validateRequest("MessageCreateRequest", { content: 5, tts: "true" }))).toMatchObject({
			errors: {
				content: { _errors: [{ code: "STRING_TYPE_CONVERT" }] },
				tts: { _errors: [{ code: "BOOLEAN_TYPE_CONVERT" }] },
			},
		});
	});

	test("have their unknown fields reported at any depth", () => {
		const body = { embeds: [{ title: "x", author: { name: "y", age: 3 } }] };
		expect(refusalOf(() => validateRequest("MessageCreateRequest", body))).toMatchObject({
			errors: { embeds: { 0: { author: { age: { _errors: [{ code: "UNKNOWN_FIELD" }] } } } } },
		});
	});

	test("have the errors of the matching branch of a union reported", () => {
		const components = [{ type: 1, components: [{ type: 2, style: 1, custom_id: "x".repeat(101), label: "x" }] }];
		expect(refusalOf(() => validateRequest("MessageCreateRequest", { content: "x", components }))).toMatchObject({
			errors: {
				components: { 0: { components: { 0: { custom_id: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } } } } },
			},
		});
	});

	test("may have timestamps with any offset", () => {
		const body = { embeds: [{ title: "x", timestamp: "2026-01-01T01:00:00.000+01:00" }] };
		expect(refusalOf(() => validateRequest("MessageCreateRequest", body))).toBeUndefined();
	});
});

describe("response validation", () => {
	test("records an invalid response with its reasons; unknown fields only if the known ones are valid", () => {
		const { validate, violations } = createResponseValidator(pino({ level: "silent" }));
		validate("GET /gateway", "GatewayResponse", { url: "wss://gateway.example" });
		expect(violations).toStrictEqual([]);
		validate("GET /gateway", "GatewayResponse", { url: 5, more: 1 });
		expect(violations).toMatchObject([{ response: "GET /gateway", errors: [expect.stringContaining("url")] }]);
		// A list is validated per item.
		validate("GET /gateway", "GatewayResponse", [{ url: "wss://gateway.example", more: 1 }]);
		expect(violations[1]).toMatchObject({ errors: ["more: Discord knows no more here."] });
	});
});
