/**
 * Checks a media generation service against the specification, its own OpenAPI document, and the studio's own
 * choices.
 */
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { createProgram, parseNumber } from "../../tools/create-program.ts";
import { judge } from "./check-service.ts";
import { conforms, counted, lineOf, SUBMITTED_TASKS, SUBMITTED_TASKS_MAX, summaryOf, titleOf } from "./report.ts";
import type { Source } from "./rule.ts";
import { NotReachableError } from "./service.ts";

const PAUSE_MS = 500;
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

const program = createProgram("conformance")
	.description(
		"Holds a media generation service against the specification. It submits tasks for images, which are paid: " +
			`${SUBMITTED_TASKS} to a service like the studio, up to ${SUBMITTED_TASKS_MAX} to one that rejects nothing. The last line says how many it took.`,
	)
	.argument("<url>", "the address of the service", parseUrl)
	.argument("<key>", "a key to it")
	.option("--model <id>", "for a service that does not list its models")
	.option("--wait <seconds>", "how long a task may take", parseNumber, 600)
	.option("--choices", "fail a service as well that differs in what the specification leaves open", false)
	.addHelpText("after", "\nExit codes: 0 conforms, 1 does not, 2 arguments that do not fit, 3 not reachable.")
	.parse();
const [baseUrl, key] = program.processedArgs;
const { model, wait, choices } = program.opts();

function parseUrl(text: string): string {
	if (!URL.canParse(text)) throw new InvalidArgumentError("Expected an address.");
	return text;
}

let current: Source | undefined;
const counting = { choicesCount: choices };
try {
	const { checked, submittedTasks } = await judge(
		{ baseUrl, key, model, waitMs: wait * 1000, pauseMs: PAUSE_MS },
		(each) => {
			if (each.source !== current) say(`\n${titleOf(each.source)}`);
			current = each.source;
			say(lineOf(counted(each, counting)));
		},
	);
	say(`\n${summaryOf(checked.map((each) => counted(each, counting)))}\ntasks submitted: ${submittedTasks}`);
	process.exitCode = conforms(checked, counting) ? 0 : 1;
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	const isGone = error instanceof NotReachableError;
	if (isGone) process.stderr.write(`The service at ${baseUrl} is not reachable, so its conformance is unknown.\n`);
	process.exitCode = isGone ? 3 : 1;
}
