/** Reads a secret from the environment, or from the file that NAME_FILE names, as container platforms mount secrets. */
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

export type FoundSecret =
	/** `name`: the variable that was used. `text`: `undefined` if neither is set. */
	| { readonly name: string; readonly text: string | undefined }
	/** `problem`: the reason why the secret cannot be read, without any content of the file. */
	| { readonly name: string; readonly problem: string };

/** Finds the secret `NAME`: its own value, or the content of the file in `NAME_FILE` without the final line break. */
export function findSecret(env: Environment, name: string): FoundSecret {
	const fileName = `${name}_FILE`;
	const [text, path] = [env[name] ?? "", env[fileName] ?? ""];
	if (path === "") return { name, text: text === "" ? undefined : text };
	if (text !== "") return { name: fileName, problem: `expected nothing, because ${name} is set as well` };
	let content: string;
	try {
		content = readFileSync(path, "utf8");
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? "unknown";
		return { name: fileName, problem: `expected a file that can be read at ${path} (${code})` };
	}
	const secret = content.replace(/[\r\n]+$/, "");
	if (secret === "") return { name: fileName, problem: `expected the secret in ${path}, which is empty` };
	return { name: fileName, text: secret };
}
