/** A link to a file of the bot. By itself, the browser would save an error of the bot as the file. */
import type { ComponentChildren } from "preact";
import { addressOf, type InputOf } from "./api-addresses.ts";
import type { FileName } from "./api.ts";
import { useApp } from "./app-context.ts";
import { Icon } from "./icon.tsx";
import { useAction } from "./use-action.ts";

interface DownloadLinkProps<Name extends FileName> {
	readonly class?: string;
	readonly file: Name;
	readonly input: InputOf<Name>[0];
	readonly children: ComponentChildren;
}

export function DownloadLink<Name extends FileName>(props: DownloadLinkProps<Name>) {
	const { class: style = "button", file, input, children } = props;
	const { download } = useApp();
	const { isBusy, run } = useAction();
	const request = [input] as InputOf<Name>;
	const save = async (): Promise<void> => {
		const { name, content } = await download(file, ...request);
		const link = document.createElement("a");
		link.href = URL.createObjectURL(content);
		link.download = name;
		link.click();
		// The browser has taken the file when the click returns.
		URL.revokeObjectURL(link.href);
	};
	return (
		<a
			class={style}
			href={addressOf(file, ...request)}
			download=""
			aria-disabled={isBusy.value}
			onClick={(event) => {
				event.preventDefault();
				if (!isBusy.value) void run(save);
			}}
		>
			<Icon name="download" />
			{children}
		</a>
	);
}
