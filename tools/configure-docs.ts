// Writes docs/configure.md and .env.example from the schema of the configuration (src/config.ts) and its words
// (src/variables.ts): npm run docs. A test fails where they differ from what this would write.
import { writeFileSync } from "node:fs";
import { environment, SECRETS } from "../src/config.ts";
import { GROUPS, VARIABLES, type Variable } from "../src/variables.ts";

type Name = keyof typeof VARIABLES;

const NAMES = Object.keys(VARIABLES) as Name[];
const WIDTH = 120;

const isSecret = (name: Name): boolean => SECRETS.some((secret) => secret === name);

/** What holds where nobody sets it, as the schema has it; `undefined` where that is for words to say. */
export function defaultOf(name: Name): string | undefined {
	const value: unknown = environment.shape[name].parse(undefined);
	if (typeof value === "string" || typeof value === "number") return String(value);
	return undefined;
}

/** The same as the tables of the documentation show it. */
export function defaultCell(name: Name): string {
	const value = defaultOf(name);
	return value === undefined ? (VARIABLES[name].unset ?? "none") : `\`${value}\``;
}

function table(rows: readonly (readonly string[])[]): string {
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	const line = (cells: readonly string[]): string =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
	const [head = [], ...body] = rows;
	return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

const inGroup = (group: string): readonly Name[] => NAMES.filter((name) => VARIABLES[name].group === group);

function rowOf(name: Name): readonly string[] {
	const { means, more }: Variable = VARIABLES[name];
	const file = isSecret(name) ? `, \`${name}_FILE\`` : "";
	return [`\`${name}\`${file}`, defaultCell(name), more === undefined ? means : `${means} [More](${more})`];
}

function configureMd(): string {
	const groups = Object.entries(GROUPS).map(
		([group, title]) => `## ${title}\n\n${table([["name", "default", "meaning"], ...inGroup(group).map(rowOf)])}`,
	);
	return `<!-- Written by npm run docs, from src/config.ts and src/variables.ts. -->

# Configuring

Everything is a variable of the environment, or a line of \`.env\` in the folder that Atelier is started from; where both say
something, the environment counts. An empty variable is one that is not set. All of it is optional: with nothing set, \`npm start\`
opens the playground and the studio. A configuration with faults ends in one message that names every one of them, and
\`npx atelier doctor\` looks at what it leads to. In the [container](container.md) \`HOST\`, \`PORT\` and \`DATA_DIR\` are set already.

**Secrets** may stand in files, as container platforms mount them: \`DISCORD_TOKEN_FILE=/run/secrets/discord_token\` in place of
\`DISCORD_TOKEN\`. Line breaks at the end of the file do not count. Setting both, a file that cannot be read and one that is empty
are faults. So it goes for ${SECRETS.map((name) => `\`${name}\``)
		.join(", ")
		.replace(/, (?=[^,]*$)/, " and ")}, and for every
variable that an [engine file](engines.md) names.

${groups.join("\n\n")}
`;
}

/** Words without the marks of Markdown, in lines of a comment. */
function comment(text: string): readonly string[] {
	const lines = [""];
	for (const word of text.replaceAll("`", "").split(" ")) {
		const last = lines.at(-1) ?? "";
		if (last !== "" && last.length + word.length + 3 > WIDTH) lines.push(word);
		else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
	}
	return lines.map((line) => `# ${line}`);
}

function envLines(name: Name): readonly string[] {
	const { means, example }: Variable = VARIABLES[name];
	const shown = defaultOf(name) ?? example;
	return [...comment(means), shown === undefined ? `${name}=` : `#${name}=${shown}`];
}

function envExample(): string {
	const groups = Object.entries(GROUPS).map(([group, title]) =>
		[`# -- ${title} --`, "", ...inGroup(group).flatMap(envLines)].join("\n"),
	);
	return `# Copy to .env and fill in. Everything is optional: with nothing set, npm start opens the playground and the studio.
# An empty line means "not set". What is commented out is what holds when nothing else is said; a container image says
# HOST and DATA_DIR itself. Secrets may stand in files: ${SECRETS[0]}_FILE=PATH, and so on. docs/configure.md says more.
# Written by npm run docs.

${groups.join("\n\n")}
`;
}

/** The files that are written, by their path. */
export const written = (): Readonly<Record<string, string>> => ({
	"docs/configure.md": configureMd(),
	".env.example": envExample(),
});

if (import.meta.main) {
	for (const [path, text] of Object.entries(written())) writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
