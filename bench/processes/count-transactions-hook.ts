/** Loaded into a bot or a studio by --import. On SIGUSR2 it prints how many transactions of each kind it has made on Postgres. */
import { Client } from "pg";

type Query = (this: object, sql: unknown, values?: unknown, ...rest: unknown[]) => unknown;

const counts: Record<string, number> = {};
/** By connection: the statements of its open transaction. */
const openTransactions = new WeakMap<object, string[]>();

/** Labels a statement with its verb and the prefixes of its keys. */
function labelOf(sql: string, values: readonly unknown[]): string {
	const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? "";
	const keys = verb === "update" ? [values[1]] : [values[0]].flat();
	const prefixes = new Set(keys.map((key) => String(key).split(":")[0]));
	return `${verb} ${[...prefixes].join(", ")}`;
}

function count(label: string): void {
	counts[label] = (counts[label] ?? 0) + 1;
}

const prototype = Client.prototype as unknown as { query: Query };
const { query } = prototype;
const countedQuery: Query = function countedQuery(config, values, ...rest) {
	// A pool passes the text and its values, or an object with both.
	const statement =
		typeof config === "string" ? { text: config, values } : (config as { text: string; values: unknown });
	const inTransaction = openTransactions.get(this);
	if (statement.text.startsWith("BEGIN")) openTransactions.set(this, []);
	else if (/^(COMMIT|ROLLBACK)/.test(statement.text)) {
		count(`${statement.text === "COMMIT" ? "" : "rolled back: "}${inTransaction?.join(" + ") ?? ""}`);
		openTransactions.delete(this);
	} else {
		const label = labelOf(statement.text, Array.isArray(statement.values) ? statement.values : []);
		if (inTransaction) inTransaction.push(label);
		else count(label);
	}
	return query.call(this, config, values, ...rest);
};
prototype.query = countedQuery;

process.on("SIGUSR2", () => process.stdout.write(`${JSON.stringify({ benchTransactions: counts })}\n`));
