/** Renders docs/messages.md: every message in English, with sample parameters. Pure. */
import { createFormatter, type Patterns } from "../../src/i18n/formatter.ts";
import type { MessageDescriptor, MessageValue } from "../../src/i18n/message-descriptor.ts";
import { argumentsOf, typeOf } from "./arguments.ts";
import type { DescribedMessages } from "./files.ts";
import { SAMPLES, SAMPLES_OF_MESSAGE } from "./samples.ts";

export function messagesPage(english: DescribedMessages): string {
	const patterns = Object.fromEntries(
		Object.entries(english).map(([key, { defaultMessage }]) => [key, defaultMessage]),
	);
	const formatter = createFormatter("en", patterns as Patterns);
	const groups = new Map<string, string[]>();
	for (const [key, { defaultMessage }] of Object.entries(english)) {
		const group = key.replace(/\..*/, "");
		const params = sampleParams(key, defaultMessage);
		const text = formatter.format({ key, params } as unknown as MessageDescriptor);
		groups.set(group, [...(groups.get(group) ?? []), `| \`${key}\` | ${cell(text)} |`]);
	}
	const sections = [...groups].map(
		([group, rows]) => `## ${group}\n\n| key | text |\n| --- | --- |\n${rows.join("\n")}`,
	);
	return `<!-- Written by npm run messages, from src/i18n/locales/en.json. -->

# Messages

Every message in English, with sample parameters: member 1, channel 2 and role 3, and times as Discord's timestamps.

${sections.join("\n\n")}
`;
}

/** Parameters of one message. A select gets its first option. */
function sampleParams(key: string, message: string): Readonly<Record<string, MessageValue>> {
	const entries = [...argumentsOf(message)].map(([name, argument]) => {
		const isChoice = argument.options !== undefined && /^(boolean|")/.test(typeOf(argument));
		const [first = ""] = argument.options ?? [];
		return [name, isChoice ? (first === "true" ? true : first) : sampleOf(key, name)] as const;
	});
	return Object.fromEntries(entries);
}

function sampleOf(key: string, name: string): MessageValue {
	const sample = SAMPLES_OF_MESSAGE[key]?.[name] ?? SAMPLES[name];
	if (sample === undefined) throw new Error(`no sample of the parameter ${name}: add one to tools/messages/samples.ts`);
	return sample;
}

function cell(text: string): string {
	return text
		.replaceAll("\\", "\\\\")
		.replaceAll("|", "\\|")
		.replaceAll("<", "&lt;")
		.replaceAll("\t", " ")
		.replaceAll("\n", "<br>");
}
