/** Generates the keys of all messages, and the types of their parameters. Pure. */
import { argumentsOf, typeOf } from "./arguments.ts";
import type { DescribedMessages } from "./files.ts";

export function paramTypesSource(english: DescribedMessages): string {
	const messages = Object.entries(english).map(([key, { defaultMessage }]) => ({
		key,
		params: [...argumentsOf(defaultMessage)].map(([name, argument]) => `${name}: ${typeOf(argument)}`),
	}));
	const plain = messages.filter(({ params }) => params.length === 0).map(({ key }) => `\t| "${key}"`);
	const others = messages
		.filter(({ params }) => params.length > 0)
		.map(({ key, params }) => `\t"${key}": { ${params.join("; ")} };`);
	return `/** The keys of all messages, and their parameters. Written by npm run messages, from locales/en.json. */

/** Messages without parameters. */
// oxfmt-ignore
export type PlainKey =
${plain.join("\n")};

/** \`Text\`: the type of a value that is inserted as it is. */
// oxfmt-ignore
export interface MessageParams<Text> {
${others.join("\n")}
}
`;
}
