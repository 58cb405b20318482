/** A text that is written for Discord, with names instead of ids. Texts of the bot may stand outside of a server, too. */
import { useContext } from "preact/hooks";
import { OpenServer, useApp } from "./app-context.ts";
import { Time } from "./card.tsx";
import { MemberName } from "./member-name.tsx";
import { parseMentions, type TextPart } from "./mentions.ts";

export function MentionText({ text }: { readonly text: string }) {
	return (
		<span class="mention-text">
			{parseMentions(text).map((part, at) => (
				<Part key={at} part={part} />
			))}
		</span>
	);
}

function Part({ part }: { readonly part: TextPart }) {
	const { formats } = useApp();
	const directory = useContext(OpenServer)?.directory.value;
	switch (part.type) {
		case "text":
			return part.isBold ? <strong>{part.text}</strong> : <>{part.text}</>;
		case "code":
			return <code>{part.text}</code>;
		case "time":
			return <Time atMs={part.atMs} text={part.isRelative ? undefined : formats.moment(part.atMs)} />;
		case "member":
			return (
				<span class="mention">
					@<MemberName id={part.id} />
				</span>
			);
		case "role":
			return <span class="mention">@{directory?.roles.find(({ id }) => id === part.id)?.name ?? part.id}</span>;
		case "channel":
			return <span class="mention">#{directory?.channels.find(({ id }) => id === part.id)?.name ?? part.id}</span>;
	}
}
