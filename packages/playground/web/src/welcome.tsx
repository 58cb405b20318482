/** The start of a channel. In an empty channel: the commands of the bot, ready to be filled in. */
import { useApp, useSnapshot } from "./app-context.ts";
import { channelIcon } from "./channel-list.tsx";
import type { Command } from "./command-text.ts";
import { channelLabel, userName } from "./display-names.ts";
import { Icon } from "./icon.tsx";

const COMMANDS_SHOWN_MAX = 6;

export function Welcome({ isEmpty }: { isEmpty: boolean }) {
	const { channel: openChannel, cutChannelIds } = useApp().state;
	const channel = openChannel.value;
	if (!channel) return null;
	if (cutChannelIds.value.has(channel.id)) return <p class="note">Only the newest messages are shown.</p>;
	const name = channelLabel(channel);
	return (
		<header class={isEmpty ? "welcome" : "welcome brief"}>
			{isEmpty && (
				<span class="welcome-mark">
					<Icon name={channelIcon(channel)} />
				</span>
			)}
			<h2>{isEmpty ? `Welcome to ${name}` : `This is the start of ${name}`}</h2>
			{channel.topic && <p class="welcome-topic">{channel.topic}</p>}
			{isEmpty && <FirstCommands />}
		</header>
	);
}

function FirstCommands() {
	const { state, commands } = useApp();
	const { bot } = useSnapshot();
	const name = userName(bot.user);
	if (commands.value.length === 0)
		return <p class="welcome-lead">{noCommandsText(name, { isHere: state.hasBot.value, isOnline: bot.online })}</p>;
	const shown = firstOfEach(commands.value).slice(0, COMMANDS_SHOWN_MAX);
	return (
		<>
			<p class="welcome-lead">Pick a command of {name} to begin, or type / to see them all.</p>
			<ul class="first-commands" aria-label="Commands">
				{shown.map((command) => (
					<li key={command.path}>
						<CommandCard command={command} />
					</li>
				))}
			</ul>
		</>
	);
}

function CommandCard({ command: { path, label, description } }: { command: Command }) {
	const { composer } = useApp();
	return (
		<button type="button" class="command-card" onClick={() => composer.openCommand(path, [])}>
			<b>/{label}</b>
			<span class="command-about">{description}</span>
		</button>
	);
}

/** The first subcommand of each command. */
function firstOfEach(commands: readonly Command[]): readonly Command[] {
	const byName = Map.groupBy(commands, ({ path }) => path.split(" ")[0]);
	return [...byName.values()].flatMap(([first]) => first ?? []);
}

function noCommandsText(name: string, { isHere, isOnline }: { isHere: boolean; isOnline: boolean }): string {
	if (!isHere)
		return `${name} is not in this server. A member who may manage the server can add it in the list of members.`;
	return isOnline
		? `${name} has no commands that you can use here.`
		: `${name} is not connected. Start a bot with the printed address and token: its commands appear here.`;
}
