// Writes docs/configuration.md and .env.example from the schema of the environment (src/config/schema.ts): npm run docs.
// A test fails when they are stale.
import { writeFileSync } from "node:fs";
import { COMPANIONS } from "../src/config/load-config.ts";
import { environment, GROUPS, SECRETS } from "../src/config/schema.ts";

export type Name = keyof typeof environment.shape;

const NAMES = Object.keys(environment.shape) as Name[];
const WIDTH = 120;

export const metaOf = (name: Name) => environment.shape[name].meta() ?? {};

/** The default in the schema, as text; `undefined` if `unset` describes it. */
function defaultOf(name: Name): string | undefined {
	const value: unknown = environment.shape[name].parse(undefined);
	return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

export function defaultCell(name: Name): string {
	const value = defaultOf(name);
	return value === undefined ? (metaOf(name).unset ?? "none") : `\`${value}\``;
}

function table(rows: readonly (readonly string[])[]): string {
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	const line = (cells: readonly string[]): string =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
	const [head = [], ...body] = rows;
	return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

const inGroup = (group: string): readonly Name[] => NAMES.filter((name) => metaOf(name).group === group);

function rowOf(name: Name): readonly string[] {
	const { more, secret } = metaOf(name);
	const file = secret ? `, \`${name}_FILE\`` : "";
	const meaning = describe(name);
	return [`\`${name}\`${file}`, defaultCell(name), more === undefined ? meaning : `${meaning} [More](${more})`];
}

function describe(name: Name): string {
	const { description = "" } = metaOf(name);
	const required = COMPANIONS.find(([set]) => set === name)?.[1];
	return required === undefined ? description : `${description} Needs \`${required}\`.`;
}

function configurationMd(): string {
	const groups = Object.entries(GROUPS).map(
		([group, title]) => `## ${title}\n\n${table([["name", "default", "meaning"], ...inGroup(group).map(rowOf)])}`,
	);
	const secrets = SECRETS.map((name) => `\`${name}\``).join(", ");
	return `<!-- Written by npm run docs, from src/config/schema.ts. -->

# Configuration

Set variables in the environment, or in a file \`.env\` in the folder from which Atelier starts. The environment takes precedence.
In \`.env\`, put a value that contains \`#\` in quotes: otherwise the rest is a comment. An empty variable counts as not set. Every variable is optional: with none set, \`npm start\` opens the playground and the studio.
One message names all invalid variables, and \`npx atelier doctor\` checks Discord, the media service, the store and the queue.
The [container](container.md) sets \`HOST\`, \`PORT\` and \`DATA_DIR\` itself.

**Secrets** may be in files, as container platforms mount them: \`DISCORD_TOKEN_FILE=/run/secrets/discord_token\` instead of
\`DISCORD_TOKEN\`. Line breaks at the end of the file are ignored. Setting both is an error, as is an empty file or one that
cannot be read. This works for ${secrets.replace(/, (?=[^,]*$)/, " and ")},
and for every variable that an [engine file](engines.md) names.

${groups.join("\n\n")}
`;
}

/** Text without Markdown, wrapped as comment lines. */
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
	const { example } = metaOf(name);
	const shown = defaultOf(name) ?? example;
	return [...comment(describe(name)), shown === undefined ? `${name}=` : `#${name}=${shown}`];
}

function envExample(): string {
	const groups = Object.entries(GROUPS).map(([group, title]) =>
		[`# -- ${title} --`, "", ...inGroup(group).flatMap(envLines)].join("\n"),
	);
	return `# Copy to .env and fill in. Every variable is optional: with none set, npm start opens the playground and the studio.
# An empty variable counts as not set. A variable that is commented out shows its default. A container image sets HOST,
# PORT and DATA_DIR itself. Secrets may be in files, such as ${SECRETS[0]}_FILE=PATH. See docs/configuration.md.
# Written by npm run docs.

${groups.join("\n\n")}
`;
}

/** The generated files, by their path. */
export const generatedDocs = (): Readonly<Record<string, string>> => ({
	"docs/configuration.md": configurationMd(),
	".env.example": envExample(),
});

if (import.meta.main) {
	for (const [path, text] of Object.entries(generatedDocs()))
		writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
