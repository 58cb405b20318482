/** Manages the studio's keys and accounts. The studio may use the store at the same time. */
import { randomUUID } from "node:crypto";
import { Option, type Command } from "@commander-js/extra-typings";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createAccounts } from "@atelier/studio/accounts";
import { createKeys, keyStateOf, ledgerAccount, SCOPES, type ApiKey } from "@atelier/studio/api-keys";
import { CAP_PERIODS, readCap } from "@atelier/studio/spend-cap";
import { toUserError } from "../services/credits/credit-service.ts";
import { withStore, type CliContext, type OpenOptions, pluralize } from "./cli-context.ts";
import {
	parseAccount,
	parseCredits,
	parseDay,
	parseKeyId,
	parseKeyName,
	parseList,
	parseListOf,
	parseNetworks,
	parseOperationId,
	parseReason,
} from "./parse-args.ts";

const DAY_MS = 86_400_000;
/** Keys and credits can be created before the first start of the studio. */
const MAY_CREATE = { mayCreate: true };

export function defineKeys(keys: Command, context: CliContext): void {
	keys.description("Manages the API keys of the studio. Reads STORE_URL like the studio, and works while it runs.");
	keys
		.command("create")
		.description("creates a key and shows it once; creates a missing account")
		.argument("<account>", "the account that pays", parseAccount)
		.requiredOption("--name <name>", "required: the owner or the purpose of the key", parseKeyName)
		.option("--scopes <list>", `permissions: ${SCOPES.join(",")}, or one of them`, parseListOf(SCOPES))
		.option("--models <list>", "ids of the allowed models (default: all)", parseList)
		.option("--addresses <list>", "allowed networks (default: all)", parseNetworks)
		.option("--expires <day>", "the key expires at the end of this day, UTC", parseDay)
		.option("--cap <credits>", "most credits per period, or in total", parseCredits)
		.addOption(new Option("--per <period>", "the period of --cap, by the calendar in UTC").choices(CAP_PERIODS))
		.action((account, { name, scopes = SCOPES, models = null, addresses = null, expires, cap, per }, command) => {
			if (cap === undefined && per !== undefined) command.error("error: --per goes with --cap only");
			const spendCap = cap === undefined ? null : { credits: cap, per: per ?? ("ever" as const) };
			const expiresAtMs = expires === undefined ? null : Date.parse(`${expires}T00:00:00Z`) + DAY_MS;
			if (expiresAtMs !== null && expiresAtMs <= context.clock.nowMs())
				command.error(`error: --expires: ${expires} is in the past`);
			const request = { account, name, scopes, models, addresses, expiresAtMs, cap: spendCap };
			return withStudio(
				context,
				async ({ keys: studioKeys, print }) => {
					const { key, id } = await studioKeys.create(request);
					await print(
						`${key}\n\nThe key ${id} of ${account}. It is not shown again: the store contains only its hash.`,
					);
					return 0;
				},
				MAY_CREATE,
			);
		});
	keys
		.command("list")
		.description("lists keys by id and name, with their permissions")
		.argument("[account]", "only keys of this account", parseAccount)
		.action((account) =>
			withStudio(context, async (studio) => {
				let hasListed = false;
				for await (const apiKey of studio.keys.list()) {
					if (account !== undefined && account !== apiKey.account) continue;
					hasListed = true;
					await studio.print(await formatWithCap(apiKey, studio));
				}
				if (!hasListed) studio.warn(account === undefined ? "There are no keys." : `${account} has no key.`);
				return hasListed || account === undefined ? 0 : 1;
			}),
		);
	keys
		.command("revoke")
		.description("revokes a key at once")
		.argument("<id>", "the key's id from `keys list`", parseKeyId)
		.action((id) =>
			withStudio(context, async ({ keys: studioKeys, print, warn, clock }) => {
				const apiKey = await studioKeys.revoke(id);
				if (!apiKey) {
					warn(`There is no key ${id}.`);
					return 1;
				}
				await print(`Revoked: ${formatKey(apiKey, clock.nowMs())}`);
				return 0;
			}),
		);
}

export function defineAccounts(accounts: Command, context: CliContext): void {
	accounts.description("Manages the accounts of the studio. Reads STORE_URL like the studio, and works while it runs.");
	accounts
		.command("list", { isDefault: true })
		.description("lists accounts with their credits; `keys list` lists their keys")
		.argument("[account]", "only this account", parseAccount)
		.action((account) => withStudio(context, (studio) => listAccounts(account, studio)));
	accounts
		.command("revoke")
		.description("revokes every key of an account; its credits stay")
		.argument("<account>", "the account", parseAccount)
		.action((account) => withStudio(context, (studio) => revokeAccount(account, studio)));
	accounts
		.command("grant")
		.description("grants credits to an account; creates a missing account")
		.argument("<account>", "the account", parseAccount)
		.argument("<amount>", "number of credits", parseCredits)
		.requiredOption("--reason <text>", "required: why, in quotation marks; the journal keeps it", parseReason)
		.option("--id <id>", "id of the grant; a repeat with the same id has no effect", parseOperationId)
		.action((account, amountCredits, { reason, id = randomUUID() }) =>
			withStudio(
				context,
				async (studio) => {
					await studio.accounts.open(account);
					const note = { by: "operator", reason };
					const { balance } = await studio.ledger
						.grant(ledgerAccount(account), `grant:cli-${id}`, amountCredits, note)
						.catch((error: unknown) => {
							throw toUserError(error, amountCredits);
						});
					await studio.print(
						`${account} has ${pluralize(balance.availableCredits, "credit", "credits")} available. The grant's id: ${id}`,
					);
					return 0;
				},
				MAY_CREATE,
			),
		);
}

/** The parts of the studio that keep its accounts and keys, opened on its store. */
interface StudioRecords extends Pick<CliContext, "clock" | "print" | "warn"> {
	readonly ledger: ReturnType<typeof createLedger>;
	readonly accounts: ReturnType<typeof createAccounts>;
	readonly keys: ReturnType<typeof createKeys>;
}

async function withStudio(
	context: CliContext,
	work: (studio: StudioRecords) => Promise<0 | 1>,
	options?: OpenOptions,
): Promise<void> {
	const { clock, print, warn } = context;
	await withStore(
		context,
		async (store) => {
			const ledger = createLedger({ store, clock });
			const accounts = createAccounts({ store, clock });
			const keys = createKeys({ store, clock, accounts });
			return await work({ clock, print, warn, ledger, accounts, keys });
		},
		options,
	);
}

async function keysOf(account: string, { keys }: Pick<StudioRecords, "keys">): Promise<readonly ApiKey[]> {
	const found: ApiKey[] = [];
	for await (const apiKey of keys.list()) if (apiKey.account === account) found.push(apiKey);
	return found;
}

async function listAccounts(onlyAccount: string | undefined, studio: StudioRecords): Promise<0 | 1> {
	const { accounts, ledger, print, warn } = studio;
	let hasListed = false;
	for await (const { account, createdAtMs } of accounts.list()) {
		if (onlyAccount !== undefined && account !== onlyAccount) continue;
		hasListed = true;
		const { availableCredits, heldCredits } = await ledger.balance(ledgerAccount(account));
		const credits = `${availableCredits.toLocaleString("en")} credits available, ${heldCredits.toLocaleString("en")} held`;
		await print(`${account}  ${credits}  since ${new Date(createdAtMs).toISOString()}`);
	}
	if (!hasListed) warn(onlyAccount === undefined ? "There are no accounts." : `There is no account ${onlyAccount}.`);
	return hasListed || onlyAccount === undefined ? 0 : 1;
}

async function revokeAccount(account: string, studio: StudioRecords): Promise<0 | 1> {
	const { keys, print, warn, clock } = studio;
	const activeKeys = (await keysOf(account, studio)).filter(({ revokedAtMs }) => revokedAtMs === null);
	for (const { id } of activeKeys) {
		const revoked = await keys.revoke(id);
		if (revoked) await print(`Revoked: ${formatKey(revoked, clock.nowMs())}`);
	}
	if (activeKeys.length === 0) warn(`${account} has no active key.`);
	return activeKeys.length === 0 ? 1 : 0;
}

async function formatWithCap(apiKey: ApiKey, { ledger, clock }: StudioRecords): Promise<string> {
	const cap = await readCap(ledger, apiKey, clock.nowMs());
	if (!cap) return formatKey(apiKey, clock.nowMs());
	const period = cap.per === "ever" ? "" : ` a ${cap.per}`;
	const left = `${cap.available.toLocaleString("en")} of ${cap.credits.toLocaleString("en")} credits${period} left`;
	return `${formatKey(apiKey, clock.nowMs())}  ${left}`;
}

function formatKey(apiKey: ApiKey, nowMs: number): string {
	const { id, account, name, scopes, models, addresses, expiresAtMs } = apiKey;
	const until = expiresAtMs === null ? null : `until ${new Date(expiresAtMs).toISOString()}`;
	const rules = [scopes.join("+"), models?.join(","), addresses?.join(","), until].filter(Boolean);
	return [id, account, keyStateOf(apiKey, nowMs), ...rules, JSON.stringify(name)].join("  ");
}
