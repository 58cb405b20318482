/** The line above a reply: which command it answers, and its options. */
import { useSignal } from "@preact/signals";
import { useApp } from "./app-context.ts";
import type { ShownOption } from "./state.ts";

interface CommandHeaderProps {
	readonly user: string;
	readonly command: string;
	readonly isContextCommand: boolean;
	readonly options: readonly ShownOption[];
}

export function CommandHeader({ user, command, isContextCommand, options }: CommandHeaderProps) {
	const isExpanded = useSignal(false);
	const { commands } = useApp();
	const shown = commands.value.find(({ path }) => path === command)?.shown ?? command;
	return (
		<div class="command-head">
			<b>{user}</b> used <span class="command-chip">{isContextCommand ? command : `/${shown}`}</span>
			{options.length > 0 && (
				<button
					type="button"
					class="command-options"
					aria-expanded={isExpanded.value}
					title="Show every option"
					onClick={() => (isExpanded.value = !isExpanded.value)}
				>
					{options.map(({ name, text }) => (
						<span key={name} class="given">
							<span class="given-name">{name}</span>
							<bdi>{text}</bdi>
						</span>
					))}
				</button>
			)}
		</div>
	);
}
