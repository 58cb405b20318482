import { describe, expect, test } from "vitest";
import { classifyError, type ErrorMeaning } from "../../../src/services/generation/classify-service-error.ts";

type Row = readonly [code: string, reason: string, httpStatus?: number];

/** Errors as media services word them, by their meaning. */
const TABLE: Readonly<Record<ErrorMeaning, readonly Row[]>> = {
	contentPolicy: [
		["42201", "", 422],
		["content_policy_violation", "Your request was rejected as a result of our safety system.", 400],
		["430", "Content moderation failed", 200],
		["-1", "prompt contains sensitive words", 200],
		["403", "This request violates our usage policies", 403],
		["501", "nsfw content detected"],
		["InputTextSensitiveContentDetected", "", 400],
		["DataInspectionFailed", "Input data may contain inappropriate content.", 400],
		["moderation_blocked", "", 400],
		["HTTP 451", "", 451],
		["unknown", "Forbidden words in prompt"],
		["-1", "内容违规", 200],
	],
	operatorAccount: [
		["402", "Insufficient credits", 200],
		["HTTP 402", "", 402],
		["40201", "spend cap", 402],
		["429", "The current credits are insufficient. Please top up.", 200],
		["insufficient_quota", "You exceeded your current quota, please check your plan and billing details.", 429],
		["HTTP 403", "User is locked. Reason: Exhausted balance.", 403],
		["KudosUpfront", "", 403],
		["Arrearage", "Access denied, please make sure your account is in good standing.", 400],
		["-1", "Your subscription has expired", 200],
		["-1", "余额不足", 200],
	],
	operatorKey: [
		["40100", "", 200],
		["40101", "the key has been revoked", 401],
		["HTTP 401", "", 401],
		["HTTP 403", "", 403],
		["-1", "no auth, please sign in", 200],
		["invalid_api_key", "Incorrect API key provided", 401],
		["invalid_request_error", "Incorrect API key provided", 401],
		["1004", "login fail: API secret key is invalid", 200],
		["-1", "token expired, invalid access token", 200],
		["PermissionDenied", "", 400],
	],
	rateLimited: [
		["-1", "request frequency exceeds the limit", 200],
		["429", "", 429],
		["430", "Your call frequency is too high. Please try again later.", 200],
		["-1", "too many requests", 200],
		["rate_limit_exceeded", "Quota exceeded for requests per minute", 400],
		["-1", "system is busy", 200],
	],
	modelUnavailable: [
		["40004", "", 400],
		["model_not_found", "The model `x` does not exist", 404],
		["400", "invalid model", 400],
		["engine_unavailable", "no engine is up"],
		["NoValidWorkers", "", 400],
		["-1", "no available channel for model x under group default", 503],
	],
	invalidRequest: [
		["40005", "no such ratio", 400],
		["400", "illegal image format: tiff", 400],
		["400", "illegal input parameter: duration", 400],
		["400", "sample frequency must be 44100", 400],
		["400", "Model kling-2: duration 15 is not supported", 400],
		["HTTP 413", "prompt too long", 413],
		["invalid_input", "the image is too small"],
		["400", "safety_tolerance must be from 1 to 6", 400],
		["400", "names of options are case sensitive", 400],
	],
	timeout: [
		["timeout", ""],
		["-1", "timed out after 600 s"],
	],
	canceled: [["canceled", ""]],
	noOutput: [["no_output", ""]],
	unknown: [
		["unknown", ""],
		["-1", "something went wrong", 200],
		["internal", "cuda"],
		["upstream_timeout", ""],
		["500", "", 500],
	],
};

describe.each(Object.entries(TABLE))("the meaning %s is found in", (meaning, rows) => {
	test.each(rows.map(([code, reason, httpStatus]) => ({ code, reason, httpStatus })))(
		"$code: $reason ($httpStatus)",
		(error) => {
			expect(classifyError(error)).toBe(meaning);
		},
	);
});
