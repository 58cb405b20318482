/** Holds a media generation service against the specification, its own OpenAPI document, and what the studio does beyond them. */
import { parseArgs } from "node:util";
import { judge } from "./judge.ts";
import { conforms, counted, lineOf, SUBMITTED_TASKS, SUBMITTED_TASKS_MAX, summaryOf, titleOf } from "./report.ts";
import type { Source } from "./rule.ts";
import { NotReachable } from "./service.ts";

const USAGE = `Holds a media generation service against the specification. It submits tasks for images,
which are paid: ${SUBMITTED_TASKS} to a service like the studio, up to ${SUBMITTED_TASKS_MAX} to one that refuses nothing. The last line says how many it took.

  npm run conformance -- URL KEY [--model ID] [--wait SECONDS] [--choices]

--model is for a service that does not list its models; --wait is how long a task may take (600); with --choices a service
fails as well that differs in what the specification leaves open. Exit codes: 0 conforms, 1 does not, 2 not understood,
3 not reachable.`;
const PAUSE_MS = 500;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const OPTIONS = {
	model: { type: "string" },
	wait: { type: "string", default: "600" },
	choices: { type: "boolean", default: false },
	help: { type: "boolean", short: "h", default: false },
} as const;

function readTyped() {
	try {
		return parseArgs({ allowPositionals: true, options: OPTIONS });
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n`);
		return { values: { model: undefined, wait: "", choices: false, help: false }, positionals: [] };
	}
}

const { values, positionals } = readTyped();
const [baseUrl, key, ...more] = positionals;
const waitMs = Number(values.wait) * 1000;
if (values.help) {
	say(USAGE);
} else if (baseUrl === undefined || !URL.canParse(baseUrl) || key === undefined || more.length > 0 || !(waitMs > 0)) {
	process.stderr.write(`${USAGE}\n`);
	process.exitCode = 2;
} else {
	let current: Source | undefined;
	const counting = { choicesCount: values.choices };
	try {
		const { judged, submittedTasks } = await judge(
			{ baseUrl, key, model: values.model, waitMs, pauseMs: PAUSE_MS },
			(each) => {
				if (each.source !== current) say(`\n${titleOf(each.source)}`);
				current = each.source;
				say(lineOf(counted(each, counting)));
			},
		);
		say(`\n${summaryOf(judged.map((each) => counted(each, counting)))}\ntasks submitted: ${submittedTasks}`);
		process.exitCode = conforms(judged, counting) ? 0 : 1;
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		const isGone = error instanceof NotReachable;
		if (isGone)
			process.stderr.write(`The service at ${baseUrl} is not reachable, so nothing is said of what it conforms to.\n`);
		process.exitCode = isGone ? 3 : 1;
	}
}
