/** Unusual services: the member's messages, the charge, and the number of requests. */
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { isFinalReply } from "../../../src/discord/find-posted-reply.ts";
import type { Reply } from "@atelier/playground/user-client";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { creditsLeft, openAtelier, passUntilAnswered } from "../start-atelier.ts";
import { errors } from "./errors.ts";
import { openOddService, type Expected, type OddService } from "./odd-service.ts";
import { patience } from "./retries.ts";
import { results } from "./results.ts";

const CREDITS_AT_FIRST = 500;
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;

test.each<OddService>([...results, ...patience, ...errors])("a service that $title", async (row) => {
	const { command, options = {}, times = 1, atOnce = false, stepMs = 250 } = row;
	const clock = createManualClock();
	const { env, counts } = await openOddService(row, clock);
	const { userClient, logs } = await openAtelier({ clock, env });
	const startedAtMs = clock.nowMs();
	const answers: Awaited<ReturnType<typeof passUntilAnswered>>[] = [];
	const replies: Reply[] = [];
	async function type(): Promise<void> {
		const reply = await userClient.type(command, { prompt: "a boat", ...options });
		await reply.until(() => true);
		replies.push(reply);
	}
	async function awaitAnswers(): Promise<void> {
		for (const reply of replies.slice(answers.length))
			answers.push(await passUntilAnswered(clock, reply, isFinal, stepMs));
	}

	for (let typed = 0; typed < times; typed++) {
		await type();
		if (!atOnce) await awaitAnswers();
	}
	await awaitAnswers();

	const { member, meanwhile = "", attachments = [] } = row;
	for (const [index, { content }] of answers.entries())
		expect(content).toContain(typeof member === "string" ? member : member[index]);
	expect(earlierTexts(replies)).toContainEqual(expect.stringContaining(meanwhile));
	expect(answers.at(-1)?.attachments.map((each) => each.content_type)).toStrictEqual(attachments);
	expect(await creditsLeft(userClient)).toBe(CREDITS_AT_FIRST - row.chargedCredits);
	const { submit: submits, poll: polls, file: downloads } = counts;
	const counted = { submits, polls, downloads, tookMs: clock.nowMs() - startedAtMs };
	const logged = (row.log ?? []).map(({ text, level, times: lines = 1 }) =>
		deviation(`lines with "${text}"`, linesWith(logs(), text, level), lines),
	);
	const names = ["submits", "polls", "downloads", "tookMs"] as const;
	const deviations = [...names.map((name) => deviation(name, counted[name], row[name])), ...logged];
	expect(deviations.filter((each) => each !== undefined)).toStrictEqual([]);
});

/** A submit of unknown outcome has lost its button to cancel, and is not over yet. */
function isFinal(message: APIMessage): boolean {
	return isFinalReply(message) && !message.content.startsWith("The service did not say");
}

function earlierTexts(replies: readonly Reply[]): readonly string[] {
	return replies.flatMap(({ states }) => states.flatMap((state) => ("message" in state ? state.message.content : [])));
}

function linesWith(log: string, text: string, level: keyof typeof LEVELS | undefined): number {
	const lines = log.split("\n").filter((line) => line.includes(text));
	if (level === undefined) return lines.length;
	return lines.filter((line) => (JSON.parse(line) as { level: number }).level === LEVELS[level]).length;
}

function deviation(name: string, count: number, expected: Expected = {}): string | undefined {
	const { min = 0, max = Number.POSITIVE_INFINITY } =
		typeof expected === "number" ? { min: expected, max: expected } : expected;
	return count >= min && count <= max ? undefined : `${name}: ${count}, expected ${JSON.stringify(expected)}`;
}
