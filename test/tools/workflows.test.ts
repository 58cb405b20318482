import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

interface Step {
	readonly uses?: string;
	readonly run?: string;
	readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
	readonly on: Readonly<Record<string, unknown>>;
	readonly permissions: unknown;
	readonly jobs: Readonly<Record<string, { readonly "timeout-minutes"?: number; readonly steps: readonly Step[] }>>;
}

const FOLDER = ".github/workflows/";
const workflows = readdirSync(new URL(FOLDER, ROOT)).map(
	(name) => [name, parse(read(`${FOLDER}${name}`), { strict: true }) as Workflow] as const,
);
const scripts = Object.keys((JSON.parse(read("package.json")) as { readonly scripts: object }).scripts);
const scriptsIn = (text: string): readonly string[] =>
	[...text.matchAll(/npm (?:run (?:--silent )?([\w:]+)|(test)\b)/g)].map(([, run, word]) => run ?? word ?? "");

describe.each(workflows)("%s", (_, workflow) => {
	const jobs = Object.values(workflow.jobs);
	const steps = jobs.flatMap((job) => job.steps);

	test("may read the sources, and more only where a job says so", () => {
		expect(workflow.permissions).toStrictEqual({ contents: "read" });
		expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
		const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
		expect(checkouts.map((step) => step.with)).toStrictEqual(checkouts.map(() => ({ "persist-credentials": false })));
	});

	test("ends, and names each action with its version", () => {
		expect(jobs.filter((job) => job["timeout-minutes"] === undefined)).toStrictEqual([]);
		const used = steps.flatMap(({ uses }) => uses ?? []);
		expect(used.filter((uses) => !/^[\w-]+\/[\w-]+@(v\d+|[0-9a-f]{40})$/.test(uses))).toStrictEqual([]);
	});

	test("runs scripts that there are, and puts nothing into a shell that somebody else wrote", () => {
		const commands = steps.flatMap(({ run }) => run ?? []).join("\n");
		expect(scriptsIn(commands).filter((script) => !scripts.includes(script))).toStrictEqual([]);
		expect(commands).not.toContain("${{");
	});
});

describe("what stands beside the workflows", () => {
	test(".ci/run runs scripts that there are", () => {
		const called = scriptsIn(read(".ci/run"));
		expect(called.length).toBeGreaterThan(5);
		expect(called.filter((script) => !scripts.includes(script))).toStrictEqual([]);
	});

	test("a workflow runs each of them too", () => {
		const called = new Set(workflows.flatMap(([name]) => scriptsIn(read(`${FOLDER}${name}`))));
		expect(scriptsIn(read(".ci/run")).filter((script) => !called.has(script))).toStrictEqual([]);
	});

	test("updates are a few days old, for everything that is installed", () => {
		const { updates } = parse(read(".github/dependabot.yml"), { strict: true }) as {
			readonly updates: readonly { readonly "package-ecosystem": string; readonly cooldown: object }[];
		};
		expect(updates.map((each) => each["package-ecosystem"])).toStrictEqual(["npm", "docker", "github-actions"]);
		for (const { cooldown } of updates) expect(cooldown).toMatchObject({ "default-days": 3 });
	});

	test.each(readdirSync(new URL(".github/ISSUE_TEMPLATE/", ROOT)))("the form %s can be read", (name) => {
		expect(parse(read(`.github/ISSUE_TEMPLATE/${name}`), { strict: true })).toBeTypeOf("object");
	});
});
