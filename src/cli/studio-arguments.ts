/** What an operator typed after `npm run studio --`: pure. */
import { parseArgs } from "node:util";
import { isNetwork } from "../studio/authenticate.ts";
import { SCOPES, type NewKey, type Scope } from "../studio/keys.ts";
import { CAP_PERIODS, type SpendCap } from "../studio/spend-cap.ts";
import { UsageFault } from "./usage-fault.ts";

export type StudioOrder =
	| { readonly kind: "help" }
	| { readonly kind: "start" }
	| { readonly kind: "createKey"; readonly key: NewKey }
	| { readonly kind: "listKeys"; readonly account: string | undefined }
	| { readonly kind: "revokeKey"; readonly id: string }
	| { readonly kind: "listAccounts"; readonly account: string | undefined }
	| { readonly kind: "revokeAccount"; readonly account: string }
	| {
			readonly kind: "grant";
			readonly account: string;
			readonly amountCredits: number;
			readonly reason: string;
			/** Makes a repeat of the same grant harmless; one of its own where nothing was said. */
			readonly id: string | undefined;
	  };

export const USAGE = `The studio alone, and who may use it. Reads STORE_URL as the studio does, and works while it runs.

  npm run studio                                             starts the studio, without the bot
  npm run studio -- keys create ACCOUNT --name NAME          makes a key and shows it, once; the account too, where it is new
      [--scopes generate,read] [--models ID,ID] [--addresses NETWORK,NETWORK] [--expires YYYY-MM-DD]
      [--cap CREDITS [--per day|week|month]]
  npm run studio -- keys list [ACCOUNT]
  npm run studio -- keys revoke ID                           the id is what keys list shows; from then on the key opens nothing
  npm run studio -- accounts [list [ACCOUNT]]                accounts with their credits, and their keys by id and name
  npm run studio -- accounts revoke ACCOUNT                  revokes every key of the account; its credits stay
  npm run studio -- accounts grant ACCOUNT AMOUNT --reason "…" [--id ID]

A key may generate and read, with every model, from everywhere, for ever, unless something else is said. It expires at the end
of that day, UTC. With a cap it may spend no more than that in each day, week or month (UTC), or ever. Repeating a grant with the same --id moves credits once.`;

const ACCOUNT = /^[A-Za-z0-9._-]{1,64}$/;
const CREDITS_MAX = 1_000_000_000;
const DAY_MS = 86_400_000;

const OPTIONS = ["name", "scopes", "models", "addresses", "expires", "cap", "per", "reason", "id"] as const;
type Values = Readonly<Partial<Record<(typeof OPTIONS)[number], string>>>;

export function readStudioOrder(typed: readonly string[]): StudioOrder {
	const { help, values, positionals } = parse(typed);
	if (help) return { kind: "help" };
	const [noun, verb, ...rest] = positionals;
	if (noun === undefined) {
		allow(values, []);
		return { kind: "start" };
	}
	switch (`${noun} ${verb ?? ""}`.trim()) {
		case "help":
			return { kind: "help" };
		case "keys create":
			allow(values, ["name", "scopes", "models", "addresses", "expires", "cap", "per"]);
			return { kind: "createKey", key: readKey(one("ACCOUNT", rest), values) };
		case "keys list":
			allow(values, []);
			return { kind: "listKeys", account: rest.length === 0 ? undefined : readAccount(one("ACCOUNT", rest)) };
		case "keys revoke":
			allow(values, []);
			return { kind: "revokeKey", id: readId(one("ID", rest)) };
		case "accounts":
		case "accounts list":
			allow(values, []);
			return { kind: "listAccounts", account: rest.length === 0 ? undefined : readAccount(one("ACCOUNT", rest)) };
		case "accounts revoke":
			allow(values, []);
			return { kind: "revokeAccount", account: readAccount(one("ACCOUNT", rest)) };
		case "accounts grant":
			allow(values, ["reason", "id"]);
			return readGrant(rest, values);
		default:
			throw new UsageFault(`there is no command ${positionals.slice(0, 2).join(" ")}`);
	}
}

function parse(typed: readonly string[]) {
	const text = { type: "string" } as const;
	const options = Object.fromEntries(OPTIONS.map((name) => [name, text]));
	try {
		const parsed = parseArgs({
			args: [...typed],
			allowPositionals: true,
			options: { ...options, help: { type: "boolean", short: "h" } },
		});
		const { help, ...values } = parsed.values;
		return { help: help === true, values: values as Values, positionals: parsed.positionals };
	} catch (error) {
		throw new UsageFault(error instanceof Error ? error.message : String(error), { cause: error });
	}
}

function readKey(account: string, { name = "", scopes, models, addresses, expires, cap, per }: Values): NewKey {
	refuse(/\S/.test(name) && name.length <= 80, "--name: expected up to 80 characters that say whose key it is");
	return {
		account: readAccount(account),
		name: name.trim(),
		scopes: scopes === undefined ? SCOPES : listOf(scopes).map(readScope),
		models: models === undefined ? null : listOf(models),
		addresses: addresses === undefined ? null : listOf(addresses).map(readNetwork),
		expiresAtMs: expires === undefined ? null : readLastDay(expires),
		cap: readSpendCap(cap, per),
	};
}

function readGrant(rest: readonly string[], { reason = "", id }: Values): StudioOrder {
	const [account = "", amount = "", ...more] = rest;
	refuse(rest.length >= 2, "expected ACCOUNT and AMOUNT");
	refuse(more.length === 0, `${more.join(" ")}: not understood; a reason of several words goes in quotation marks`);
	const amountCredits = readCredits("AMOUNT", amount);
	refuse(/\S/.test(reason) && reason.length <= 200, "--reason: expected up to 200 characters, which the journal keeps");
	refuse(id === undefined || /^[\w.-]{1,80}$/.test(id), "--id: expected up to 80 letters, digits, dots and dashes");
	return { kind: "grant", account: readAccount(account), amountCredits, reason: reason.trim(), id };
}

function readSpendCap(typed: string | undefined, per: string | undefined): SpendCap | null {
	refuse(typed !== undefined || per === undefined, "--per: expected --cap CREDITS with it");
	if (typed === undefined) return null;
	const period = CAP_PERIODS.find((each) => each === (per ?? "ever"));
	if (!period) throw new UsageFault(`--per: expected one of ${CAP_PERIODS.join(", ")}, not ${per}`);
	return { credits: readCredits("--cap", typed), per: period };
}

function readCredits(name: string, typed: string): number {
	const credits = /^\d[\d,_]*$/.test(typed) ? Number(typed.replaceAll(/[,_]/g, "")) : Number.NaN;
	const isAmount = credits >= 1 && credits <= CREDITS_MAX;
	refuse(isAmount, `${name}: expected a whole number from 1 to ${CREDITS_MAX.toLocaleString("en")}`);
	return credits;
}

function readAccount(typed: string): string {
	refuse(ACCOUNT.test(typed), "ACCOUNT: expected 1 to 64 letters, digits, dots, dashes and underscores");
	return typed;
}

function readId(typed: string): string {
	refuse(/^[0-9a-f]{16}$/.test(typed), "ID: expected the 16 digits that keys list shows, not the key itself");
	return typed;
}

function readScope(typed: string): Scope {
	const scope = SCOPES.find((each) => each === typed);
	if (!scope) throw new UsageFault(`--scopes: expected ${SCOPES.join(" and ")}, not ${typed}`);
	return scope;
}

function readNetwork(typed: string): string {
	refuse(isNetwork(typed), `--addresses: expected networks such as 203.0.113.0/24, not ${typed}`);
	return typed;
}

function readLastDay(typed: string): number {
	const startMs = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(`${typed}T00:00:00Z`) : Number.NaN;
	const isDay = Number.isFinite(startMs) && new Date(startMs).toISOString().startsWith(typed);
	refuse(isDay, `--expires: expected a day of the calendar such as 2026-12-31, not ${typed}`);
	return startMs + DAY_MS;
}

function listOf(typed: string): readonly string[] {
	const items = typed.split(",").map((item) => item.trim());
	refuse(!items.includes(""), `expected a list such as a,b, not ${typed}`);
	return items;
}

function one(name: string, rest: readonly string[]): string {
	const [only, ...more] = rest;
	if (only === undefined || more.length > 0) throw new UsageFault(`expected one ${name}, not ${rest.length}`);
	return only;
}

function allow(values: Values, names: readonly string[]): void {
	const extra = Object.keys(values).find((name) => !names.includes(name));
	refuse(extra === undefined, `--${extra ?? ""} does not go with this command`);
}

function refuse(isFine: boolean, words: string): void {
	if (!isFine) throw new UsageFault(words);
}
