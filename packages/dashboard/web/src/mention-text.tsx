/** A text of Discord with names instead of ids. */
import { useApp, useServer } from "./app-context.ts";
import { MemberName } from "./member-name.tsx";
import { parseMentions, type TextPart } from "./mentions.ts";

export function MentionText({ text }: { readonly text: string }) {
	return parseMentions(text).map((part, at) => <Part key={at} part={part} />);
}

function Part({ part }: { readonly part: TextPart }) {
	const { formats } = useApp();
	const { directory } = useServer();
	switch (part.type) {
		case "text":
			return part.isBold ? <strong>{part.text}</strong> : <>{part.text}</>;
		case "time":
			return <time dateTime={new Date(part.atMs).toISOString()}>{formats.moment(part.atMs)}</time>;
		case "member":
			return (
				<span class="mention">
					@<MemberName id={part.id} />
				</span>
			);
		case "role":
			return <span class="mention">@{directory.value?.roles.find(({ id }) => id === part.id)?.name ?? part.id}</span>;
		case "channel":
			return (
				<span class="mention">#{directory.value?.channels.find(({ id }) => id === part.id)?.name ?? part.id}</span>
			);
	}
}
