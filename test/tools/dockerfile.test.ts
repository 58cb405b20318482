import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { environment } from "../../src/config.ts";
import { parseDockerfile, readIgnore, type Step } from "../../tools/image/dockerfile.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } & Record<string, string> };
const isGiven = readIgnore(read(".dockerignore"));

describe("the image", () => {
	const stages = parseDockerfile(read("Dockerfile"));
	const last = stages.at(-1)?.steps ?? [];
	const only = <Kind extends Step["kind"]>(kind: Kind): Extract<Step, { kind: Kind }> => {
		const found = last.filter((step): step is Extract<Step, { kind: Kind }> => step.kind === kind);
		expect(found).toHaveLength(1);
		return found[0] as Extract<Step, { kind: Kind }>;
	};

	test("is Node 24, with what production needs and nothing else", () => {
		expect(stages.map(({ base }) => base)).toStrictEqual(["node:24-slim", "node:24-slim"]);
		expect(stages[0]?.steps).toContainEqual({ kind: "run", command: "npm ci --omit=dev" });
		expect(last.flatMap((step) => (step.kind === "copy" ? step.sources : []))).toStrictEqual([
			"/app/node_modules",
			"package.json",
			"LICENSE",
			"docs/licences.md",
			"src",
			"tools/node24.mjs",
			"tools/leave-with-launcher.mjs",
		]);
	});

	test("can run every npm script that the product names", () => {
		const copied = last.flatMap((step) => (step.kind === "copy" ? step.sources : []));
		const isThere = (path: string): boolean => copied.some((each) => path === each || path.startsWith(`${each}/`));
		const files = readdirSync(new URL("../../src", import.meta.url), { recursive: true, encoding: "utf8" });
		const named = files
			.filter((file) => file.endsWith(".ts"))
			.flatMap((file) => [...read(`src/${file}`).matchAll(/npm (?:run )?(start|(?<=run )[a-z][a-z:-]*)/g)])
			.map(([, script = ""]) => script);
		expect(new Set(named)).toContain("credits");
		for (const script of new Set(named)) {
			const paths = (scripts[script] ?? "no script").split(" ").filter((word) => /\.m?[jt]s$/.test(word));
			expect({ script, missing: paths.filter((path) => !isThere(path)) }).toStrictEqual({ script, missing: [] });
			expect(paths.length).toBeGreaterThan(1);
		}
		expect(isGiven("tools/node24.mjs") && isGiven("tools/leave-with-launcher.mjs")).toBe(true);
	});

	test("runs as a user by number, who is nobody in particular, with all data in one volume", () => {
		expect(only("user")).toMatchObject({ uid: 1000, gid: 1000 });
		expect(only("volume").path).toBe(only("env").values["DATA_DIR"]);
		expect(Object.keys(environment.shape)).toEqual(
			expect.arrayContaining(Object.keys(only("env").values).filter((name) => !/^(NODE|MALLOC)_/.test(name))),
		);
	});

	test("starts Node without a shell as npm start does, and asks the port that it listens at how it is", () => {
		const flags = /node24\.mjs (.*) src\/index\.ts$/.exec(scripts.start)?.[1]?.split(" ") ?? [];
		expect(only("cmd").command).toStrictEqual(["node", ...flags, "src/index.ts"]);
		expect(only("healthcheck").command.join(" ")).toContain("process.env.PORT}/livez");
		expect(String(only("expose").port)).toBe(only("env").values["PORT"]);
	});

	test("is given no secrets, and nothing that changes without it", () => {
		const kept = [
			".env",
			"secrets/discord_token",
			"data/atelier.db",
			"node_modules/x/y.js",
			".git/config",
			"docs/a.md",
		];
		expect([...kept, "tools/lock.ts", "test/config.test.ts"].filter(isGiven)).toStrictEqual([]);
		const needed = ["src/index.ts", "package-lock.json", ".npmrc", "tools/node/package.json", "docs/licences.md"];
		expect(needed.filter((path) => !isGiven(path))).toStrictEqual([]);
	});
});

describe("a Dockerfile", () => {
	test("may go on in the next line, with comments between", () => {
		const text = "ARG BASE=a:1\nFROM ${BASE} AS one\nENV A=1 \\\n# why\n  B=2\nRUN x &&\\\n  y\n";
		expect(parseDockerfile(text)).toStrictEqual([
			{
				name: "one",
				base: "a:1",
				steps: [
					{ kind: "env", values: { A: "1", B: "2" } },
					{ kind: "run", command: "x && y" },
				],
			},
		]);
	});

	test.each(["ADD a b", "COPY *.json ./", "COPY --chown=1 a b", "USER node", "CMD node x", 'SHELL ["x"]', "ENV A=$B"])(
		"is refused where a step is not understood: %s",
		(step) => {
			expect(() => parseDockerfile(`FROM a\n${step}\n`)).toThrow("not understood");
		},
	);

	test.each([
		["*\n!a\na/b", "a/b/c", false],
		["*\n!a\na/b", "a/c", true],
		["**/x.log", "a/b/x.log", false],
		["*.log", "a/x.log", true],
		["# a\n/a/\n", "a/b", false],
	])("is given what %j lets through of %s: %s", (rules, path, expected) => {
		expect(readIgnore(rules)(path)).toBe(expected);
	});
});
