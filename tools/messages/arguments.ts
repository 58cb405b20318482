/** The arguments of an ICU message, and their types. */
import { IntlMessageFormat } from "intl-messageformat";

type Element = ReturnType<IntlMessageFormat["getAst"]>[number];

/** The use of an argument in a message. `options`: the names of a select, `other` included if it has a text. */
export interface Argument {
	isNumber: boolean;
	options: ReadonlySet<string> | undefined;
}

/** Placeholders of names of commands and options. The program replaces them. */
const NAME = /^(command|option)_/;

/** Values of `TYPE` in the parser of formatjs, whose enum is not exported by intl-messageformat. */
const TYPE = { literal: 0, argument: 1, number: 2, date: 3, select: 5, plural: 6, pound: 7 } as const;
/** A date is a number of milliseconds. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([TYPE.number, TYPE.date, TYPE.plural]);

/** Throws a `SyntaxError` for an invalid message. Includes the placeholders of names with `withNames`. */
export function argumentsOf(message: string, { withNames = false } = {}): ReadonlyMap<string, Argument> {
	const found = new Map<string, Argument>();
	const visit = (elements: readonly Element[]): void => {
		for (const element of elements) {
			const type: number = element.type;
			if (type === TYPE.literal || type === TYPE.pound) continue;
			const { value: name } = element as { value: string };
			const options = "options" in element ? element.options : {};
			if (withNames || !NAME.test(name)) {
				const { isNumber = false, options: before } = found.get(name) ?? {};
				found.set(name, {
					isNumber: isNumber || NUMBER_TYPES.has(type),
					options: type === TYPE.select ? new Set([...(before ?? []), ...namesOf(options)]) : before,
				});
			}
			for (const option of Object.values(options)) visit(option.value);
		}
	};
	visit(new IntlMessageFormat(message, "en", undefined, { ignoreTag: true }).getAst());
	return found;
}

type Options = Readonly<Record<string, { readonly value: readonly Element[] }>>;

/** Returns the options of a select. ICU requires `other`; an empty one stands for no value, and is left out. */
function namesOf(options: Options): readonly string[] {
	return Object.keys(options).filter((name) => name !== "other" || (options[name]?.value.length ?? 0) > 0);
}

/** Returns the TypeScript type of an argument. */
export function typeOf({ isNumber, options }: Argument): string {
	const plain = isNumber ? "number" : "Text";
	if (!options) return plain;
	if (options.has("true")) return "boolean";
	const named = [...options].filter((name) => name !== "null");
	const isNullable = options.has("null");
	// `null` or any value: the text for `other` uses the value.
	if (isNullable && named.every((name) => name === "other")) return `${plain} | null`;
	return [...named.map((name) => `"${name}"`), ...(isNullable ? ["null"] : [])].join(" | ");
}
