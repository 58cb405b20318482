/** Parses command arguments. Invalid values are explained, with exit code 2. No I/O. */
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { DateTime } from "luxon";
import { isNetwork } from "@atelier/studio/authenticate";
import { REASON_CHARS_MAX, REASON_CHARS_MIN } from "@atelier/dashboard/limits";

/** The most credits that an operator grants or revokes at once. */
const CREDITS_MAX = 1_000_000_000;

type Parse<T> = (text: string) => T;

function parserOf(pattern: RegExp, expected: string): Parse<string> {
	return (text) => {
		requireValid(pattern.test(text), expected);
		return text;
	};
}

export const parseGuildId = parserOf(/^\d{17,20}$/, "the server's id, a number of 17 to 20 digits");
export const parseUserId = parserOf(/^\d{17,20}$/, "the user's id, a number of 17 to 20 digits");
export const parseTaskId = parserOf(/^\d{1,25}$/, "the task's id, a number");
export const parseOperationId = parserOf(/^[\w.-]{1,80}$/, "up to 80 letters, digits, dots and dashes");
export const parseAccount = parserOf(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 letters, digits, dots, dashes and underscores");
export const parseKeyId = parserOf(/^[0-9a-f]{16}$/, "the 16 digits that `keys list` shows, not the key itself");

export function parseCredits(text: string): number {
	const credits = /^\d[\d,_]*$/.test(text) ? Number(text.replaceAll(/[,_]/g, "")) : Number.NaN;
	requireValid(credits >= 1 && credits <= CREDITS_MAX, `a whole number from 1 to ${CREDITS_MAX.toLocaleString("en")}`);
	return credits;
}

/** Parses a calendar day. The caller decides in which time zone it ends. */
export function parseDay(text: string): string {
	const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text, { zone: "utc" }).isValid;
	requireValid(isDay, "a day of the calendar such as 2026-12-31");
	return text;
}

export function parseReason(text: string): string {
	return parseText(text, REASON_CHARS_MIN, REASON_CHARS_MAX);
}

export function parseKeyName(text: string): string {
	return parseText(text, 1, 80);
}

function parseText(text: string, charsMin: number, charsMax: number): string {
	const trimmed = text.trim();
	requireValid(trimmed.length >= charsMin && trimmed.length <= charsMax, `${charsMin} to ${charsMax} characters`);
	return trimmed;
}

export function parseList(text: string): readonly string[] {
	const items = text.split(",").map((item) => item.trim());
	requireValid(!items.includes(""), "a list such as a,b");
	return items;
}

export function parseNetworks(text: string): readonly string[] {
	const networks = parseList(text);
	requireValid(networks.every(isNetwork), "networks such as 203.0.113.0/24");
	return networks;
}

export function parseListOf<T extends string>(choices: readonly T[]): Parse<readonly T[]> {
	return (text) =>
		parseList(text).map((item) => {
			const choice = choices.find((each) => each === item);
			if (choice === undefined) throw new InvalidArgumentError(`Expected one or more of ${choices.join(", ")}.`);
			return choice;
		});
}

function requireValid(isValid: boolean, expected: string): void {
	if (!isValid) throw new InvalidArgumentError(`Expected ${expected}.`);
}
