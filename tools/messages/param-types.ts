/** Generates the types of the parameters of messages. Pure. */
import { argumentsOf, typeOf } from "./arguments.ts";
import type { DescribedMessages } from "./files.ts";

export function paramTypesSource(english: DescribedMessages): string {
	const params = Object.entries(english).flatMap(([key, { defaultMessage }]) => {
		const types = [...argumentsOf(defaultMessage)].map(([name, argument]) => `${name}: ${typeOf(argument)}`);
		return types.length === 0 ? [] : [`\t"${key}": { ${types.join("; ")} };`];
	});
	return `/** The parameters of messages. Written by npm run messages, from locales/en.json. */

/** \`Text\`: the type of a value that is inserted as it is. */
// oxfmt-ignore
export interface MessageParams<Text> {
${params.join("\n")}
}
`;
}
