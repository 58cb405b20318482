/** Checks a media generation service against the specification and its own OpenAPI document. */
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { createProgram, parseNumber } from "../../tools/npm-script-arguments.ts";
import { checkService } from "./check-service.ts";
import { conforms, lineOf, SUBMITTED_TASKS, SUBMITTED_TASKS_MAX, summaryOf, TITLES } from "./report.ts";
import type { Source } from "./rule.ts";
import { NotReachableError } from "./service.ts";

const PAUSE_MS = 500;
const printLine = (line: string): boolean => process.stdout.write(`${line}\n`);

const program = createProgram("conformance")
	.description(
		"Checks a media generation service against the specification. It submits image tasks, which are charged: " +
			`${SUBMITTED_TASKS} to a service like the studio, up to ${SUBMITTED_TASKS_MAX} to one that rejects nothing. The last line reports their number.`,
	)
	.argument("<url>", "the address of the service", parseUrl)
	.argument("<key>", "an API key of the service")
	.option("--model <id>", "for a service that does not list its models")
	.option("--wait <seconds>", "the time limit of a task", parseNumber, 600)
	.addHelpText("after", "\nExit codes: 0 conforms, 1 does not, 2 invalid arguments, 3 not reachable.")
	.parse();
const [baseUrl, key] = program.processedArgs;
const { model, wait } = program.opts();

function parseUrl(text: string): string {
	if (!URL.canParse(text)) throw new InvalidArgumentError("Expected an address.");
	return text;
}

let current: Source | undefined;
try {
	const { checked, submittedTasks } = await checkService(
		{ baseUrl, key, model, waitMs: wait * 1000, pauseMs: PAUSE_MS },
		(each) => {
			if (each.source !== current) printLine(`\n${TITLES[each.source]}`);
			current = each.source;
			printLine(lineOf(each));
		},
	);
	printLine(`\n${summaryOf(checked)}\ntasks submitted: ${submittedTasks}`);
	process.exitCode = conforms(checked) ? 0 : 1;
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	const isUnreachable = error instanceof NotReachableError;
	if (isUnreachable)
		process.stderr.write(`The service at ${baseUrl} is not reachable, so its conformance is unknown.\n`);
	process.exitCode = isUnreachable ? 3 : 1;
}
