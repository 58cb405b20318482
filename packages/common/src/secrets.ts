/**
 * A secret may stand in a file instead of in the environment: NAME_FILE=PATH in place of NAME=…, as container platforms
 * mount secrets. One rule for every secret of the configuration and for the keys of engines.
 */
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

export type FoundSecret =
	/** `text` is `undefined` where neither is set; `name` is the variable that brought it. */
	| { readonly name: string; readonly text: string | undefined }
	/** Why there is none, although one is named: never with anything of what stands in the file. */
	| { readonly name: string; readonly fault: string };

/** The secret `NAME`: its own text, or that of the file which `NAME_FILE` names, without the line break at its end. */
export function findSecret(env: Environment, name: string): FoundSecret {
	const fileName = `${name}_FILE`;
	const [text, path] = [env[name] ?? "", env[fileName] ?? ""];
	if (path === "") return { name, text: text === "" ? undefined : text };
	if (text !== "") return { name: fileName, fault: `expected nothing, because ${name} is set as well` };
	let content: string;
	try {
		content = readFileSync(path, "utf8");
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? "unknown";
		return { name: fileName, fault: `expected a file that can be read at ${path} (${code})` };
	}
	const found = content.replace(/[\r\n]+$/, "");
	if (found === "") return { name: fileName, fault: `expected the secret in ${path}, which is empty` };
	return { name: fileName, text: found };
}
