/** Rows of commands without a reply: pending ones, and those that the bot did not answer. */
import type { ComponentChildren } from "preact";
import { useApp, useSnapshot } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { memberName, userName } from "./display-names.ts";
import { Icon } from "./icon.tsx";
import { AuthorLine, CommandHeader, OnlyYou } from "./message.tsx";
import type { Invocation, RowOf } from "./state.ts";
import { snowflakeTimeMs } from "./time.ts";

export function PendingCommand({ invocation }: { invocation: Invocation }) {
	return (
		<StatusRow kind="pending" label={`Sending ${invocation.command}`} invocation={invocation}>
			<p class="thinking">Sending command…</p>
		</StatusRow>
	);
}

export function FailedCommand({ row: { id, reason, invocation } }: { row: RowOf<"failed"> }) {
	const { state, composer } = useApp();
	const label = "The application did not respond";
	return (
		<StatusRow kind="failed" label={label} invocation={invocation}>
			<p class="row failure">
				<Icon name="alert" />
				{reason}
			</p>
			<OnlyYou onDismiss={() => state.dismiss(id)}>
				{!invocation.isContextCommand && (
					<button
						type="button"
						class="text-button"
						onClick={() => composer.openCommand(invocation.command, invocation.options)}
					>
						Try again
					</button>
				)}
			</OnlyYou>
		</StatusRow>
	);
}

interface StatusRowProps {
	readonly kind: "pending" | "failed";
	readonly label: string;
	readonly invocation: Invocation;
	readonly children: ComponentChildren;
}

function StatusRow({ kind, label, invocation, children }: StatusRowProps) {
	const { bot, me } = useSnapshot();
	const name = userName(bot.user);
	return (
		<li
			class={`message ${kind}`}
			aria-label={label}
			// The conversation is a live region, and only the answer is worth an announcement.
			aria-live={kind === "pending" ? "off" : undefined}
		>
			<CommandHeader
				user={memberName(me)}
				command={invocation.command}
				isContextCommand={invocation.isContextCommand ?? false}
				options={invocation.options}
			/>
			<Avatar user={bot.user} name={name} />
			<AuthorLine name={name} isBot atMs={snowflakeTimeMs(invocation.interactionId)} />
			<div class="message-body">{children}</div>
		</li>
	);
}
