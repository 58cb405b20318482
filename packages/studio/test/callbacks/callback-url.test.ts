import { expect, test } from "vitest";
import { callbackUrlProblem } from "../../src/callbacks/callback-url.ts";

const TRUSTED_ORIGIN = "http://127.0.0.1:8080";

test.each([
	"https://hooks.example/media",
	"https://hooks.example:8443/media?token=1",
	"https://8.8.8.8/",
	"https://[2606:4700::1111]/",
	`${TRUSTED_ORIGIN}/callbacks/media/1`,
])("accepts %s", (url) => expect(callbackUrlProblem(url, [TRUSTED_ORIGIN])).toBeUndefined());

test.each([
	["", "must be an https address"],
	["hooks.example", "must be an https address"],
	["http://hooks.example/", "must be an https address"],
	["ftp://hooks.example/", "must be an https address"],
	["file:///etc/passwd", "must be an https address"],
	["http://127.0.0.1:8081/", "must be an https address"],
	["https://127.0.0.1/", "must lead to a public address"],
	["https://[::1]/", "must lead to a public address"],
	["https://me:secret@hooks.example/", "must not carry a name or a password"],
	[`https://hooks.example/${"x".repeat(2048)}`, "must be at most 2048 characters"],
])("%j is rejected", (url, message) => expect(callbackUrlProblem(url, [TRUSTED_ORIGIN])).toBe(message));
