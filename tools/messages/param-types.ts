/** Generates the types of messages: their keys and parameters. Pure. */
import { argumentsOf, typeOf } from "./arguments.ts";
import type { DescribedMessages } from "./files.ts";

export function paramTypesSource(english: DescribedMessages): string {
	const params = withParams(english).map(([key, types]) => `\t"${key}": { ${types.join("; ")} };`);
	return `/** The parameters of messages. Written by npm run messages, from locales/en.json. */

/** \`Text\`: the type of a value that is inserted as it is. */
// oxfmt-ignore
export interface MessageParams<Text> {
${params.join("\n")}
}
`;
}

/** For code that cannot import the English file. */
export function plainKeysSource(english: DescribedMessages): string {
	const keysWithParams = new Set(withParams(english).map(([key]) => key));
	const plainKeys = Object.keys(english).filter((key) => !keysWithParams.has(key));
	return `
/** Messages without parameters. */
// oxfmt-ignore
export type PlainKey =
${plainKeys.map((key) => `\t| "${key}"`).join("\n")};
`;
}

/** The messages that have parameters, with the types of these. */
function withParams(english: DescribedMessages): (readonly [key: string, types: readonly string[]])[] {
	return Object.entries(english)
		.map(([key, { defaultMessage }]) => {
			const types = [...argumentsOf(defaultMessage)].map(([name, argument]) => `${name}: ${typeOf(argument)}`);
			return [key, types] as const;
		})
		.filter(([, types]) => types.length > 0);
}
