// What a Dockerfile says, as far as ours says it, and which files .dockerignore lets through. Anything else in it is an
// error: a replay must not leave out a step that it does not know.

export type Step =
	| { readonly kind: "workdir"; readonly path: string }
	| { readonly kind: "env"; readonly values: Readonly<Record<string, string>> }
	| { readonly kind: "copy"; readonly from?: string; readonly sources: readonly string[]; readonly target: string }
	| { readonly kind: "run"; readonly command: string }
	| { readonly kind: "user"; readonly uid: number; readonly gid: number }
	| { readonly kind: "volume"; readonly path: string }
	| { readonly kind: "expose"; readonly port: number }
	| { readonly kind: "healthcheck"; readonly command: readonly string[] }
	| { readonly kind: "cmd"; readonly command: readonly string[] };

export interface Stage {
	readonly name: string;
	readonly base: string;
	readonly steps: readonly Step[];
}

class DockerfileFault extends Error {
	override readonly name = "DockerfileFault";
}

export function parseDockerfile(text: string): readonly Stage[] {
	const args = new Map<string, string>();
	const stages: { name: string; base: string; steps: Step[] }[] = [];
	for (const [word, rest] of instructions(text)) {
		if (word === "ARG" && stages.length === 0) {
			const [, name = "", value = ""] = /^(\w+)=(\S+)$/.exec(rest) ?? notUnderstood(word, rest);
			args.set(name, value);
		} else if (word === "FROM") {
			const [, image = "", name = ""] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? notUnderstood(word, rest);
			const base = image.replace(/^\$\{?(\w+)\}?$/, (_, arg: string) => args.get(arg) ?? notUnderstood(word, rest));
			stages.push({ name: name === "" ? "image" : name, base, steps: [] });
		} else {
			const stage = stages.at(-1) ?? notUnderstood(word, rest);
			stage.steps.push(stepOf(word, rest));
		}
	}
	return stages;
}

function stepOf(word: string, rest: string): Step {
	switch (word) {
		case "WORKDIR":
			return { kind: "workdir", path: rest };
		case "ENV": {
			const pairs = rest.split(/\s+/).map((pair) => /^(\w+)=([^\s"'$\\]*)$/.exec(pair) ?? notUnderstood(word, rest));
			return { kind: "env", values: Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value])) };
		}
		case "COPY": {
			const words = rest.split(/\s+/);
			const from = /^--from=(\S+)$/.exec(words[0] ?? "")?.[1];
			const paths = from === undefined ? words : words.slice(1);
			const target = paths.at(-1);
			if (target === undefined || paths.length < 2 || paths.some((path) => /^--|[*?$"]/.test(path))) {
				return notUnderstood(word, rest);
			}
			return { kind: "copy", ...(from !== undefined && { from }), sources: paths.slice(0, -1), target };
		}
		case "RUN":
			return rest.startsWith("[") || rest.startsWith("--") ? notUnderstood(word, rest) : { kind: "run", command: rest };
		case "USER": {
			const [, uid, gid] = /^(\d+):(\d+)$/.exec(rest) ?? notUnderstood(word, rest);
			return { kind: "user", uid: Number(uid), gid: Number(gid) };
		}
		case "VOLUME":
			return /^\/\S+$/.test(rest) ? { kind: "volume", path: rest } : notUnderstood(word, rest);
		case "EXPOSE":
			return /^\d+$/.test(rest) ? { kind: "expose", port: Number(rest) } : notUnderstood(word, rest);
		case "HEALTHCHECK": {
			const [, command = ""] = /^(?:--\S+\s+)*CMD (\[.*\])$/.exec(rest) ?? notUnderstood(word, rest);
			return { kind: "healthcheck", command: execForm(command) };
		}
		case "CMD":
			return { kind: "cmd", command: execForm(rest) };
		default:
			return notUnderstood(word, rest);
	}
}

/** Only the form without a shell: what it starts hears signals itself. */
function execForm(text: string): readonly string[] {
	const parsed: unknown = text.startsWith("[") ? JSON.parse(text) : notUnderstood("CMD", text);
	return Array.isArray(parsed) && parsed.every((word) => typeof word === "string")
		? parsed
		: notUnderstood("CMD", text);
}

/** Each instruction with what follows it, without comments, in one line. */
function instructions(text: string): readonly (readonly [string, string])[] {
	const whole = text
		.split("\n")
		.filter((line) => !/^\s*#/.test(line))
		.join("\n")
		.replaceAll(/\s*\\\n\s*/g, " ");
	return whole
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map((line) => {
			const [, word = "", rest = ""] = /^(\w+)\s+(.+?)\s*$/.exec(line) ?? notUnderstood("", line);
			return [word.toUpperCase(), rest];
		});
}

function notUnderstood(word: string, rest: string): never {
	throw new DockerfileFault(`not understood: ${word} ${rest}`);
}

/** Whether a path is part of what a build is given: the last rule that fits it, or a folder that it is in, decides. */
export function readIgnore(text: string): (path: string) => boolean {
	const rules = text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith("#"))
		.map((line) => ({ lets: line.startsWith("!"), pattern: patternOf(line.replace(/^!/, "")) }));
	return (path) => {
		const steps = path.split("/");
		const within = steps.map((_, index) => steps.slice(0, index + 1).join("/"));
		return rules.findLast(({ pattern }) => within.some((each) => pattern.test(each)))?.lets ?? true;
	};
}

function patternOf(glob: string): RegExp {
	const source = glob
		.replace(/^\/|\/$/g, "")
		.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
		.replaceAll(/\*\*\/?|\*|\?/g, (mark) => (mark === "*" ? "[^/]*" : mark === "?" ? "[^/]" : ".*"));
	return new RegExp(`^${source}$`);
}
