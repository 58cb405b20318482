import type { Command } from "@commander-js/extra-typings";
import { loadConfig } from "../config/load-config.ts";
import type { CheckResult } from "../doctor/check-result.ts";
import { doctorChecks } from "../doctor/doctor-checks.ts";
import type { CliContext } from "./cli-context.ts";

/** Services supply parts of these texts: strip control characters before they reach the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;
const LINE_CHARS_MAX = 400;

export function defineDoctor(command: Command, context: CliContext): void {
	command
		.description(
			"Checks everything that the bot depends on, and suggests fixes. Reads .env and the environment like the bot, " +
				"and may be run while the bot runs.",
		)
		.option("--try", "also submit one small task to the media service, which charges for it")
		.action(async ({ try: submitsTrialTask = false }) => {
			context.exitCode = await runDoctor(submitsTrialTask, context);
		});
}

/** Prints each result immediately, because some checks take a while. */
async function runDoctor(submitsTrialTask: boolean, { env: readEnv, print }: CliContext): Promise<0 | 1> {
	const env = readEnv();
	let problems = 0;
	for (const { title, run } of await doctorChecks(loadConfig(env), { env, submitsTrialTask })) {
		await print(`\n${title}`);
		for await (const result of run()) {
			if (result.grade === "fix") problems++;
			for (const line of formatCheckResult(result)) await print(line);
		}
	}
	await print(problems === 0 ? "\nNo problems found." : `\nProblems to fix: ${problems}.`);
	return problems === 0 ? 0 : 1;
}

export function formatCheckResult({ grade, text, details = [], advice }: CheckResult): readonly string[] {
	return [
		`  ${grade.padEnd(4)}  ${singleLine(text)}`,
		...details.map((detail) => `          ${singleLine(detail)}`),
		...(advice === undefined ? [] : [`        → ${singleLine(advice)}`]),
	];
}

function singleLine(text: string): string {
	const line = text.replaceAll(CONTROL, " ");
	return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line;
}
