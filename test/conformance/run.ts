/** Holds a media generation service against the specification, its own OpenAPI document, and what the studio does beyond them. */
import { parseArgs } from "node:util";
import { judge } from "./judge.ts";
import { conforms, lineOf, summaryOf, titleOf } from "./report.ts";
import type { Source } from "./rule.ts";

const USAGE = `Holds a media generation service against the specification. It submits about ten tasks for images, which are paid.

  npm run conformance -- URL KEY [--model ID] [--wait SECONDS] [--choices]

--model is for a service that does not list its models; --wait is how long a task may take (600); with --choices a service
fails as well that differs in what the specification leaves open. Exit codes: 0 conforms, 1 does not, 2 not understood.`;
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
	try {
		const judged = await judge({ baseUrl, key, model: values.model, waitMs, pauseMs: PAUSE_MS }, (each) => {
			if (each.source !== current) say(`\n${titleOf(each.source)}`);
			current = each.source;
			say(lineOf(each));
		});
		say(`\n${summaryOf(judged)}`);
		process.exitCode = conforms(judged, { choicesCount: values.choices }) ? 0 : 1;
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	}
}
