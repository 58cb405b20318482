/**
 * Media services that deviate from the specification or fail: the member's messages, the charge, and the number of
 * requests. The service of a row follows the specification, except where the row states otherwise. Rows are written
 * from the description of a behavior, never from the responses of a real service.
 */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import type { APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import type { Reply } from "@atelier/playground/user-client";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { serverCreditsLeft, openAtelier, advanceUntilAnswered } from "./start-atelier.ts";
import { openUnusualService, type ServiceBehavior } from "./unusual-service.ts";

const INITIAL_CREDITS = 500;
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 } as const;

/** A number, or bounds where the exact number depends on the machine. */
type Expected = number | { readonly min?: number; readonly max?: number };

interface ExpectedLog {
	/** Part of one line of the log. */
	readonly text: string;
	readonly level?: keyof typeof LEVELS;
	/** The number of lines; 1 by default, 0 for text that must not be logged. */
	readonly times?: Expected;
}

export interface UnusualService extends ServiceBehavior {
	/** The end of the title, after "a service that". */
	readonly title: string;
	readonly prompt?: string;
	/** The number of times the command is typed, one after the other unless `concurrent`. */
	readonly times?: number;
	readonly concurrent?: boolean;
	/** The step of the clock; larger where minutes have to pass. */
	readonly stepMs?: number;

	/** Part of the final message. */
	readonly finalText: string;
	/** Part of a message before the final one. */
	readonly earlierText?: string;
	/** Content types of the last result. */
	readonly attachments?: readonly string[];
	/** The charge of all commands; each costs 4 by default. */
	readonly chargedCredits: number;
	readonly submits?: Expected;
	readonly polls?: Expected;
	readonly downloads?: Expected;
	/** From the first command to the last reply, by the clock of the test. */
	readonly tookMs?: Expected;
	readonly log?: readonly ExpectedLog[];
}

/** One submit, no charge. */
export const NOT_CHARGED = { chargedCredits: 0, submits: 1 } as const;
export const delivered = (contentType: string) => ({
	finalText: "4 credits · 496 left",
	attachments: [contentType],
	chargedCredits: 4,
	submits: 1,
});

/** Types the command of each row, and compares messages, charge, requests and log with the expected ones. */
export function testServices(services: readonly UnusualService[]): void {
	test.each(services)("a service that $title", async (row) => {
		const { command, prompt = "a boat", times = 1, concurrent = false, stepMs = 250 } = row;
		const clock = createManualClock();
		const { env, counts } = await openUnusualService(row, clock);
		const { userClient, logs } = await openAtelier({ clock, env });
		const startedAtMs = clock.nowMs();
		const answers: APIMessage[] = [];
		const replies: Reply[] = [];
		async function awaitAnswers(): Promise<void> {
			for (const reply of replies.slice(answers.length))
				answers.push(await advanceUntilAnswered(clock, reply, isFinal, stepMs));
		}

		for (let typed = 0; typed < times; typed++) {
			const reply = await userClient.type(command, { prompt });
			await reply.until(() => true);
			replies.push(reply);
			if (!concurrent) await awaitAnswers();
		}
		await awaitAnswers();

		const { earlierText = "", attachments = [] } = row;
		for (const answer of answers) expect(textOf(answer)).toContain(row.finalText);
		expect(earlierTexts(replies)).toContainEqual(expect.stringContaining(earlierText));
		const last = answers.at(-1);
		expect(last && filesOf(last).map((file) => file.content_type)).toStrictEqual(attachments);
		expect(await serverCreditsLeft(userClient)).toBe(INITIAL_CREDITS - row.chargedCredits);
		const { submit: submits, poll: polls, file: downloads } = counts;
		const counted = { submits, polls, downloads, tookMs: clock.nowMs() - startedAtMs };
		const logged = (row.log ?? []).map(({ text, level, times: lines = 1 }) =>
			deviation(`lines with "${text}"`, linesWith(logs(), text, level), lines),
		);
		const names = ["submits", "polls", "downloads", "tookMs"] as const;
		const deviations = [...names.map((name) => deviation(name, counted[name], row[name])), ...logged];
		expect(deviations.filter((each) => each !== undefined)).toStrictEqual([]);
	});
}

/** Returns whether the message is final. The message about an unknown outcome is not, although it has no cancel button. */
function isFinal(message: APIMessage): boolean {
	return isFinalReply(message) && !textOf(message).startsWith("The generation service hasn't confirmed");
}

function earlierTexts(replies: readonly Reply[]): readonly string[] {
	return replies.flatMap(({ states }) => states.flatMap((state) => ("message" in state ? textOf(state.message) : [])));
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
