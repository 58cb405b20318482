/** What an operator typed after `npm run tasks --`: pure. */
import { parseArgs } from "node:util";
import { UsageFault } from "./usage-fault.ts";

/** Which tasks a list has: those in the making, those whose order may be with the service unknown to us, or all. */
const WHICH = ["open", "unknown", "all"] as const;
export type Which = (typeof WHICH)[number];

export type TasksOrder =
	| { readonly kind: "help" }
	| { readonly kind: "list"; readonly which: Which }
	| { readonly kind: "show" | "cancel" | "redeliver"; readonly taskId: string };

export const TASKS_USAGE = `Tasks of any server, from the command line. Works while the bot runs; reads STORE_URL as the bot does.

  npm run tasks -- list [open|unknown|all]   open, where nothing is said: those that have not ended
  npm run tasks -- show ID
  npm run tasks -- cancel ID                 what is not made is not charged
  npm run tasks -- redeliver ID              tries again to show an answer that found no way to its person

"unknown" are those whose order the service may have, or may have made, though nobody is charged for it: look them up there.
ID is the task's id, as the log and /job show it. What is asked for here the bot sees at its next look, or when it starts.`;

export function readTasksOrder(typed: readonly string[]): TasksOrder {
	const { values, positionals } = parse(typed);
	const [kind, what, ...more] = positionals;
	if (values.help === true || kind === undefined || kind === "help") return { kind: "help" };
	if (more.length > 0) throw new UsageFault(`${more.join(" ")}: not understood`);
	switch (kind) {
		case "list": {
			const which = WHICH.find((each) => each === (what ?? "open"));
			if (!which) throw new UsageFault(`list: expected one of ${WHICH.join(", ")}, not ${what}`);
			return { kind, which };
		}
		case "show":
		case "cancel":
		case "redeliver": {
			if (what === undefined) throw new UsageFault("ID is missing: the task's id");
			if (!/^\d{1,25}$/.test(what)) throw new UsageFault(`ID: expected the task's id, a number, not ${what}`);
			return { kind, taskId: what };
		}
		default:
			throw new UsageFault(`there is no command ${kind}`);
	}
}

function parse(typed: readonly string[]) {
	try {
		return parseArgs({
			args: [...typed],
			allowPositionals: true,
			options: { help: { type: "boolean", short: "h" } },
		});
	} catch (error) {
		throw new UsageFault(error instanceof Error ? error.message : String(error), { cause: error });
	}
}
