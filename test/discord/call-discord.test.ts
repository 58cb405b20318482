import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { ReplyClientUnavailableError } from "../../src/services/delivery/reply-client.ts";
import { BOT_TOKEN, IMAGE, openScriptedReplyClient as setup } from "./reply-client-setup.ts";

describe("a request that fails", () => {
	test("because of a rate limit is reported with its delay, after one request", async () => {
		const limited = {
			status: 429,
			headers: { "retry-after": "30" },
			body: { message: "", retry_after: 30, global: false },
		};
		const { deliver, calls } = await setup([limited]);
		const error = await deliver().catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(ReplyClientUnavailableError);
		expect((error as ReplyClientUnavailableError).retryAfterMs).toBeGreaterThanOrEqual(30_000);
		expect(calls).toHaveLength(1);
	});

	test("because Discord rejects the token ends the process", async () => {
		const { deliver, lost } = await setup([{ status: 404, code: 10_015 }, { status: 401 }]);
		await expect(deliver()).rejects.toBeInstanceOf(ReplyClientUnavailableError);
		expect(lost).toStrictEqual([expect.stringContaining("Discord rejects DISCORD_TOKEN")]);
	});

	test.each([{ status: 500 }, { status: 502 }, { status: 503 }, "hangUp"] as const)(
		"is not repeated, and its error has no secrets, if Discord is unavailable: %j",
		async (reaction) => {
			const { deliver, calls } = await setup([reaction, reaction, reaction, reaction]);
			const error: unknown = await deliver().catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(ReplyClientUnavailableError);
			expect(calls).toHaveLength(1);
			const inspected = inspect(error, { depth: null, showHidden: true });
			for (const secret of ["secret-token", BOT_TOKEN, IMAGE, "the whole answer"]) {
				expect(inspected).not.toContain(secret);
			}
		},
	);
});
