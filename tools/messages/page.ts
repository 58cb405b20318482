/** Renders docs/messages.md: every message in English, with sample parameters. Pure. */
import { createFormatter, type Patterns } from "../../src/i18n/formatter.ts";
import type { MessageDescriptor, MessageValue } from "../../src/i18n/message-descriptor.ts";
import { argumentsOf, typeOf, type Argument } from "./arguments.ts";
import type { DescribedMessages } from "./files.ts";

const AT_S = 1_800_000_000;
const ID = "1";
const COUNT = 12;
const MEMBER = `<@${ID}>`;
const CHANNEL = `<#${ID}>`;

/** Parameters whose name alone would not show what a member reads. */
const SAMPLES: Readonly<Record<string, MessageValue>> = {
	allowed: CHANNEL,
	bar: "▰▰▰▰▱▱▱▱▱▱",
	channels: CHANNEL,
	denied: CHANNEL,
	link: `https://discord.com/channels/${ID}/${ID}/${ID}`,
	mention: MEMBER,
	model: "Atelier Sketch",
	money: { amount: 0.2, currency: "EUR" },
	name: "ink",
	progress: 0.4,
	prompt: "a lighthouse at dusk",
	reason: "spam",
	roles: `<@&${ID}>`,
	state: "Done",
	style: "ink",
	url: "https://bot.example.com/results/1",
	value: "16:9",
	who: MEMBER,
};

/** Texts that are always numbers, and are inserted without separators. */
const NUMERIC = new Set(
	"framesPerSecond height keysMax max min number revision seconds seed step steps width".split(" "),
);

export function messagesPage(english: DescribedMessages): string {
	const patterns = Object.fromEntries(
		Object.entries(english).map(([key, { defaultMessage }]) => [key, defaultMessage]),
	);
	const formatter = createFormatter("en", patterns as Patterns);
	const rows = Object.entries(english).map(([key, { defaultMessage }]) => {
		const params = [...argumentsOf(defaultMessage)].map(
			([name, argument]) => [name, sampleOf(name, argument)] as const,
		);
		const descriptor = { key, params: Object.fromEntries(params) };
		return {
			group: key.replace(/\..*/, ""),
			row: `| \`${key}\` | ${cell(formatter.format(descriptor as MessageDescriptor))} |`,
		};
	});
	const sections = [...Map.groupBy(rows, ({ group }) => group)].map(
		([group, ofGroup]) => `## ${group}\n\n| key | text |\n| --- | --- |\n${ofGroup.map(({ row }) => row).join("\n")}`,
	);
	return `<!-- Written by npm run messages, from src/i18n/locales/en.json. -->

# Messages

Every message in English, with sample parameters: the number ${COUNT}, the id ${ID}, the first option of a choice, and ‹name› for other texts.

${sections.join("\n\n")}
`;
}

/** Returns a value of the type of the parameter. Times in seconds end in S, and Discord's ids in Id. */
function sampleOf(name: string, argument: Argument): MessageValue {
	const type = typeOf(argument);
	if (type === "boolean") return true;
	const [first] = argument.options ?? [];
	if (type.startsWith('"') && first !== undefined) return first;
	if (Object.hasOwn(SAMPLES, name)) return SAMPLES[name] ?? null;
	if (argument.isNumber || NUMERIC.has(name)) return COUNT;
	if (name.endsWith("S")) return AT_S;
	if (name.endsWith("Id")) return ID;
	return `‹${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}›`;
}

function cell(text: string): string {
	const escaped = text.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll("<", "&lt;");
	return escaped.replaceAll("\t", " ").replaceAll("\n", "<br>");
}
