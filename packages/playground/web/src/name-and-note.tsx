import type { ComponentChildren } from "preact";

/** A name with a note below it. */
export function NameAndNote({ note, children }: { note?: string | undefined; children: ComponentChildren }) {
	return (
		<span class="name-and-note">
			<span>{children}</span>
			{note !== undefined && <small>{note}</small>}
		</span>
	);
}
