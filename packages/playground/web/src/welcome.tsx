/** The start of a channel. In an empty channel: examples that a visitor can send at once, and what makes their results. */
import { useApp, usePage } from "./app-context.ts";
import { userName } from "./display-names.ts";
import { Icon } from "./icon.tsx";

const EXAMPLES = [
	{ command: "image", prompt: "a lighthouse in a storm", title: "An image" },
	{ command: "video", prompt: "slow waves under a full moon", title: "A short video" },
	{ command: "music", prompt: "a gentle waltz for a rainy morning", title: "A song" },
] as const;

export function Welcome({ isEmpty }: { isEmpty: boolean }) {
	const channel = useApp().state.channel.value;
	const bot = userName(usePage().bot.user);
	if (!channel) return null;
	const name = `${channel.isDirect ? "@" : "#"}${channel.name}`;
	return (
		<header class={isEmpty ? "welcome" : "welcome brief"}>
			{isEmpty && (
				<span class="welcome-mark">
					<Icon name={channel.isDirect ? "at" : "hash"} />
				</span>
			)}
			<h2>{isEmpty ? `Welcome to ${name}` : `This is the start of ${name}`}</h2>
			<p class="welcome-topic">{channel.topic || `Ask ${bot} for an image, a video or a song with a slash command.`}</p>
			{isEmpty && <Examples />}
		</header>
	);
}

function Examples() {
	const { state, composer } = useApp();
	const { commands, bot } = usePage();
	const examples = EXAMPLES.filter(({ command }) => commands.some(({ name }) => name === command));
	const name = userName(bot.user);
	if (examples.length === 0)
		return (
			<p class="welcome-lead">
				{state.hasBot.value
					? `${name} has not registered its commands yet. They appear here once it has.`
					: `${name} is not in this server. A member who may manage the server can add it in the list of members.`}
			</p>
		);
	return (
		<>
			<p class="welcome-lead">Pick one to begin. It is filled in below, ready to send.</p>
			<ul class="examples" aria-label="Examples">
				{examples.map(({ command, prompt, title }) => (
					<li key={command}>
						<button
							type="button"
							class="example"
							onClick={() => composer.openCommand(command, [{ name: "prompt", text: prompt }])}
						>
							<span class={`example-art ${command}`} aria-hidden="true">
								{command !== "image" && <Icon name={command} />}
							</span>
							<span class="example-what">{title}</span>
							<span class="example-text">
								<b>/{command}</b> {prompt}
							</span>
						</button>
					</li>
				))}
			</ul>
			<p class="welcome-lead">
				The built-in engine, sketch, is not AI: it draws and composes by fixed rules. To connect a real engine, follow
				docs/engines.md.
			</p>
		</>
	);
}
