/** What an operator typed after `npm run credits --`: pure. */
import { parseArgs } from "node:util";
import { DateTime } from "luxon";
import { CHANGE_CREDITS_MAX, REASON_CHARS_MAX, REASON_CHARS_MIN } from "../services/guilds/credit-desk.ts";
import { UsageFault } from "./usage-fault.ts";

export type CreditsOrder =
	| { readonly kind: "help" }
	| { readonly kind: "grant"; readonly change: TypedChange; readonly lastDay: string | undefined }
	| { readonly kind: "revoke"; readonly change: TypedChange }
	| { readonly kind: "show"; readonly guildId: string }
	| { readonly kind: "audit" | "export"; readonly guildId: string | undefined };

interface TypedChange {
	readonly guildId: string;
	readonly amountCredits: number;
	readonly reason: string;
	/** Makes a repeat of the same change harmless; one of its own where nothing was said. */
	readonly id: string | undefined;
}

export const USAGE = `Credits of any server, from the command line. Works while the bot runs; reads STORE_URL as the bot does.

  npm run credits -- grant GUILD AMOUNT --reason "…" [--expires YYYY-MM-DD] [--id ID]
  npm run credits -- revoke GUILD AMOUNT --reason "…" [--id ID]
  npm run credits -- show GUILD
  npm run credits -- audit [GUILD]     recomputes the books from the journal; 1 is its exit code if anything differs
  npm run credits -- export [GUILD]    every entry of the journal, one line of JSON each, oldest first

GUILD is the server's id. With --expires what is left is lost at the end of that day in the server's time zone.
Repeating a command with the same --id moves credits once. For a file: npm run --silent credits -- export > FILE`;

export function readOrder(typed: readonly string[]): CreditsOrder {
	const { values, positionals } = parse(typed);
	const [kind, ...rest] = positionals;
	if (values.help === true || kind === undefined || kind === "help") return { kind: "help" };
	const { reason, expires, id } = values;
	switch (kind) {
		case "grant":
			return { kind, change: readChange(rest, reason, id), lastDay: readDay(expires) };
		case "revoke":
			refuse(expires === undefined, "--expires goes with grant only");
			return { kind, change: readChange(rest, reason, id) };
		case "show":
		case "audit":
		case "export": {
			const [guild, ...more] = rest;
			refuse(more.length === 0, `${kind} takes one server, not ${rest.length}`);
			refuse(reason === undefined && expires === undefined && id === undefined, `${kind} takes no options`);
			if (kind !== "show") return { kind, guildId: guild === undefined ? undefined : readGuild(guild) };
			return { kind, guildId: readGuild(guild) };
		}
		default:
			throw new UsageFault(`there is no command ${kind}`);
	}
}

function parse(typed: readonly string[]) {
	const text = { type: "string" } as const;
	try {
		return parseArgs({
			args: [...typed],
			allowPositionals: true,
			options: { reason: text, expires: text, id: text, help: { type: "boolean", short: "h" } },
		});
	} catch (error) {
		throw new UsageFault(error instanceof Error ? error.message : String(error), { cause: error });
	}
}

function readChange(rest: readonly string[], reason: string | undefined, id: string | undefined): TypedChange {
	const [guild, amount = "", ...more] = rest;
	const guildId = readGuild(guild);
	const amountCredits = /^\d[\d,_]*$/.test(amount) ? Number(amount.replaceAll(/[,_]/g, "")) : Number.NaN;
	const isAmount = Number.isSafeInteger(amountCredits) && amountCredits >= 1 && amountCredits <= CHANGE_CREDITS_MAX;
	refuse(isAmount, `AMOUNT: expected a whole number from 1 to ${CHANGE_CREDITS_MAX.toLocaleString("en")}`);
	refuse(more.length === 0, `${more.join(" ")}: not understood; a reason of several words goes in quotation marks`);
	const why = (reason ?? "").trim();
	const isReason = why.length >= REASON_CHARS_MIN && why.length <= REASON_CHARS_MAX;
	refuse(isReason, `--reason: expected ${REASON_CHARS_MIN} to ${REASON_CHARS_MAX} characters, which the history shows`);
	refuse(id === undefined || /^[\w.-]{1,80}$/.test(id), "--id: expected up to 80 letters, digits, dots and dashes");
	return { guildId, amountCredits, reason: why, id };
}

function readGuild(typed: string | undefined): string {
	if (typed === undefined) throw new UsageFault("GUILD is missing: the server's id");
	refuse(/^\d{17,20}$/.test(typed), `GUILD: expected the server's id, a number of 17 to 20 digits, not ${typed}`);
	return typed;
}

function readDay(typed: string | undefined): string | undefined {
	if (typed === undefined) return undefined;
	const isDay = /^\d{4}-\d\d-\d\d$/.test(typed) && DateTime.fromISO(typed, { zone: "utc" }).isValid;
	refuse(isDay, `--expires: expected a day of the calendar such as 2026-12-31, not ${typed}`);
	return typed;
}

function refuse(isFine: boolean, words: string): void {
	if (!isFine) throw new UsageFault(words);
}
